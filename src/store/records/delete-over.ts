import { LAST_HOLDING_STATUS } from '../../vocabulary/appointment-status.ts';
import { statement } from '../statement.ts';

/**
 * Deletes appointments of days up to `lastDay` that hold no slot any more, at most `limit` of them.
 *
 * By doctor: the index begins with one, and not all appointments are read for a few old ones. Of a cross join, SQLite takes the tables in the
 * order in which they stand.
 */
export const deleteOver = statement((db, v: { lastDay: number; limit: number }) =>
  db
    .deleteFrom('appointment')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('center_id', 'id'),
        'in',
        selectFrom('doctor')
          .crossJoin('appointment as old')
          .select(['old.center_id', 'old.id'])
          .whereRef('old.center_id', '=', 'doctor.center_id')
          .whereRef('old.doctor_id', '=', 'doctor.id')
          .where('old.day', '<=', v.lastDay)
          .where('old.status', '>', LAST_HOLDING_STATUS)
          .limit(v.limit)
          .$asTuple('center_id', 'id'),
      ),
    )
    .returning('id'),
);
