import { statement } from '../statement.ts';

/**
 * Deletes at most `limit` appointments that start before a wall minute, whatever their status: nobody closes one that is years old.
 *
 * It goes through the doctors: the index begins with the doctor, so a few old appointments are found without reading all of them. For a
 * cross join, SQLite visits the tables in the order in which they are written.
 */
export const deleteOver = statement((db, v: { until: number; limit: number }) =>
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
          .where('old.start_wall_minute', '<', v.until)
          .limit(v.limit)
          .$asTuple('center_id', 'id'),
      ),
    )
    .returning(['center_id as centerId', 'id']),
);
