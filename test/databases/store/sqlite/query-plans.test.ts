import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { expect } from 'chai';
import { migrate } from '../../../../src/store/migrations/migrate.ts';
import { SeenReference } from '../../../../src/store/queries/seen-reference.ts';
import type { Session } from '../../../../src/store/session.ts';
import { sessionOf } from '../../../../src/store/sqlite/sqlite-session.ts';
import { bindQueries, type Queries } from '../../../../src/store/store.ts';

const CLAIM = { holder: 'one', now: 10, leasedUntil: 20 };
const EVERY_STEP = /^(?:SEARCH|SCAN) /;

/**
 * Work that runs while callers wait must not grow with the waiting or sent messages, or with what was cancelled: no step may read a whole
 * status, day or inpatient number.
 */
describe('The store queries SQLite', () => {
  let file: DatabaseSync;
  let asked: string[];
  let queries: Queries;
  beforeEach(async () => {
    file = new DatabaseSync(':memory:', { defensive: false });
    const { db, ...others } = sessionOf(file);
    await migrate(db, 'sqlite');
    asked = [];
    const explain = (sql: string, parameters: readonly unknown[]) => {
      const plan = file.prepare(`explain query plan ${sql}`).all(...(parameters as SQLInputValue[])) as {
        detail: string;
      }[];
      asked.push(...plan.map(({ detail }) => detail).filter((detail) => EVERY_STEP.test(detail)));
    };
    const session: Session = {
      ...others,
      db,
      run: async (...asked) => {
        explain(...asked);
        return [];
      },
      first: async (...asked) => {
        explain(...asked);
        return asked[0].includes(' as "value"') ? { value: 0 } : undefined;
      },
      change: async (...asked) => {
        explain(...asked);
        return 0;
      },
    };
    queries = bindQueries(session, new SeenReference(session, {}));
  });
  afterEach(() => file.close());

  const BY_ID = 'SEARCH message USING INTEGER PRIMARY KEY (rowid=?)';
  const BEFORE = 'SEARCH earlier USING INDEX message_unsent_by_mobile (mobile=? AND priority>?)';
  const ROWS_BY = (index: string) => `SEARCH audit_event USING INDEX audit_event_by_${index}`;
  const SHOWING = 'SEARCH audit_event USING INDEX audit_event_showing (center_id=?)';
  const SHOWING_DOCTOR = 'SEARCH audit_event USING INDEX audit_event_showing (center_id=? AND doctor_id=?)';
  const questions: readonly (readonly [what: string, ask: () => Promise<unknown>, plan: readonly string[]])[] = [
    [
      'for appointments whose retention is over, doctor by doctor',
      () => queries.appointments.forget(10, 10),
      ['cancelled', 'listed'].flatMap((which) => [
        'SEARCH appointment USING COVERING INDEX sqlite_autoindex_appointment_1 (center_id=? AND id=?)',
        'SCAN doctor USING COVERING INDEX sqlite_autoindex_doctor_1',
        `SEARCH old USING INDEX appointment_${which}_by_doctor (center_id=? AND doctor_id=? AND start_wall_minute<?)`,
      ]),
    ],
    [
      'for what an imported appointment may overlap, doctor by doctor',
      () => queries.imports.holding({ centerId: 1, from: 10, to: 20 }),
      [
        'SEARCH appointment USING INDEX appointment_standing_by_doctor (center_id=? AND doctor_id=? AND start_wall_minute>? AND start_wall_minute<?)',
        'SEARCH doctor USING COVERING INDEX sqlite_autoindex_doctor_1 (center_id=?)',
      ],
    ],
    [
      'for the tokens of imported days, doctor by doctor',
      () => queries.imports.dayTokens({ centerId: 1, firstDay: '2027-01-18', lastDay: '2027-01-19' }),
      [
        'SEARCH day_token USING INDEX sqlite_autoindex_day_token_1 (center_id=? AND doctor_id=? AND day>? AND day<?)',
        'SEARCH doctor USING COVERING INDEX sqlite_autoindex_doctor_1 (center_id=?)',
      ],
    ],
    [
      'for messages to send',
      () => queries.outbox.claim({ ...CLAIM, limit: 10 }),
      [1, 0, -1].flatMap(() => [
        BY_ID,
        'SEARCH message USING INDEX message_by_due (status=? AND priority=? AND due_on<?)',
        BEFORE,
      ]),
    ],
    [
      'to expire late messages',
      () => queries.outbox.expire(10),
      [BY_ID, 'SEARCH message USING COVERING INDEX message_by_expiry (status=? AND expires_on<?)'],
    ],
    [
      'to hold back messages that may not be sent now',
      () => queries.outbox.holdBack({ mode: 2, now: 10, until: 20 }),
      [BY_ID, 'SEARCH message USING INDEX message_by_due (status=? AND priority=? AND due_on<?)', BEFORE],
    ],
    [
      'to recall messages that a wrong clock made wait',
      () => queries.outbox.recallQueued({ priority: 0, now: 10, latest: 20 }),
      [BY_ID, 'SEARCH message USING COVERING INDEX message_by_due (status=? AND priority=? AND due_on>?)'],
    ],
    [
      'to delete old messages',
      () => queries.messageList.forget({ until: 10, limit: 10 }),
      [BY_ID, 'SEARCH message USING COVERING INDEX message_by_age (status=? AND queued_on<?)'],
    ],
    [
      'for what the gateway accepted and what it did not, and for what became of it, reading only what is that new',
      async () => {
        await queries.messageList.acceptedOn({ since: 1 });
        await queries.messageList.failedCodes({ since: 1, first: 1, last: 10 });
        await queries.messageList.ended(1);
      },
      [
        'SEARCH message USING INDEX message_by_age (status=? AND queued_on>?)',
        'SEARCH message USING INDEX message_by_age (status=? AND queued_on>?)',
        'SEARCH message USING INDEX message_by_end (<expr>>?)',
        'SCAN ended',
      ],
    ],
    [
      'for how much a client and a number have',
      async () => {
        const { messages } = queries;
        await messages.countToNumber({ mobile: '91', since: 1, now: 2, limit: 10 });
        await messages.countWaiting({ client: 'a', priority: 0, limit: 10 });
        await messages.countPasswords({ limit: 10 });
      },
      [
        'SEARCH message USING COVERING INDEX message_by_mobile (mobile=? AND queued_on>? AND queued_on<?)',
        'SCAN counted',
        'SEARCH message USING COVERING INDEX message_by_client (client=? AND status=? AND priority=?)',
        'SCAN counted',
        'SEARCH message USING COVERING INDEX message_by_due (status=? AND priority=?)',
        'SCAN counted',
      ],
    ],
    [
      'for the same message of a client, without reading the rest of what it sent',
      () => queries.messages.same({ client: 'a', mobile: '91', text: 'a', tempid: 0, mode: 1, since: 1, until: 3 }),
      ['SEARCH message USING INDEX message_by_mobile (mobile=? AND queued_on>? AND queued_on<?)'],
    ],
    [
      'for the message of a receipt',
      () =>
        queries.messages.receive(
          { ...RECEIPT, reference: 'x', hints: { idEnd: 1, mobiles: ['91'], references: ['a'] } },
          10,
        ),
      [
        'SEARCH message USING INDEX message_by_reference (gateway_reference=?)',
        'SEARCH message USING INDEX message_by_mobile (mobile=?)',
      ],
    ],
    [
      'for a doctor’s day, without reading what was cancelled',
      () => queries.appointments.ofDay(1, 101, 0),
      [
        'SEARCH appointment USING INDEX appointment_listed_by_doctor (center_id=? AND doctor_id=? AND start_wall_minute>? AND start_wall_minute<?)',
      ],
    ],
    [
      'for the appointments of a name at a time, without reading the rest of them',
      () => queries.appointments.standingOfName({ centerId: 1, nameKey: 'a', from: 0, to: 15 }),
      [
        'SEARCH appointment USING INDEX appointment_by_name (name_key=? AND center_id=? AND start_wall_minute>? AND start_wall_minute<?)',
      ],
    ],
    [
      'for the same feedback, without reading the rest of the inpatient’s',
      () => queries.feedback.same({ ...NO_CONTENT, client: 'a', inpatientNumber: '1' }, 0),
      ['SEARCH feedback USING COVERING INDEX feedback_by_content (content_hash=? AND received_on>?)'],
    ],
    [
      'for a page of an export, without reading the pages before it',
      () => queries.exports.appointmentsAfter({ centerId: 1, id: 1 }),
      ['SEARCH appointment USING INDEX sqlite_autoindex_appointment_1 ((center_id,id)>(?,?))'],
    ],
    [
      'for what was changed and received since an instant, without reading the rest',
      async () => {
        await queries.exports.changedAfter({ updatedOn: 1, centerId: 1, id: 1, until: 10 });
        await queries.exports.lastChange('appointment');
        await queries.exports.feedbackChangedAfter({ updatedOn: 1, id: 1, until: 9 });
      },
      [
        'SEARCH appointment USING INDEX appointment_by_change ((updated_on,center_id,id)>(?,?,?) AND updated_on<?)',
        'SCAN appointment USING COVERING INDEX appointment_by_change',
        'SEARCH feedback USING INDEX feedback_by_change (updated_on>? AND updated_on<?)',
      ],
    ],
    [
      'for a patient’s records, without reading those of others',
      async () => {
        const { patients } = queries;
        await patients.appointmentsWith(['g1'], ['+91'], ['name']);
        await patients.messagesTo(['+91']);
        await patients.valuesLike(['appointment', 'name_key'], [['%a%', '%b%']], true, '');
        await patients.valuesLike(['appointment', 'registration_key'], [['%1%']], true, '');
        await patients.valuesLike(['appointment', 'phone'], [['%54321']], false, '');
        await patients.valuesLike(['message', 'mobile'], [['%54321']], false, '');
      },
      [
        'SEARCH appointment USING INDEX appointment_by_registration (registration_key=?)',
        'SEARCH appointment USING INDEX appointment_by_phone (phone=?)',
        'SEARCH appointment USING INDEX appointment_by_name (name_key=?)',
        'SEARCH message USING INDEX message_by_mobile (mobile=?)',
        'SEARCH appointment USING COVERING INDEX appointment_by_name (name_key>?)',
        'SEARCH appointment USING COVERING INDEX appointment_by_registration (registration_key>?)',
        'SEARCH appointment USING COVERING INDEX appointment_by_phone (phone>?)',
        'SEARCH message USING COVERING INDEX message_by_mobile (mobile>?)',
      ],
    ],
    [
      'for the audit rows of an appointment, without reading those of others',
      () => queries.audit.page({ appointmentId: 1 }, { recordedOn: 1, id: 1 }),
      ['SEARCH audit_event USING INDEX audit_event_by_appointment (appointment_id=?)'],
    ],
    [
      'for audit rows of a doctor and a patient',
      async () => {
        const { audit } = queries;
        await audit.page({ doctorId: 1 });
        await audit.ofRecords([{ centerId: 1, appointmentId: 12 }, { feedbackId: 7 }, { messageId: 5 }], {});
      },
      [
        ROWS_BY('doctor (doctor_id=?)'),
        ROWS_BY('appointment (appointment_id=?)'),
        SHOWING_DOCTOR,
        'SEARCH appointment USING INDEX sqlite_autoindex_appointment_1 (center_id=? AND id=?)',
        ROWS_BY('appointment (appointment_id=?)'),
        SHOWING_DOCTOR,
        SHOWING,
        ROWS_BY('feedback (feedback_id=?)'),
        SHOWING,
        ROWS_BY('message (message_id=?)'),
        SHOWING,
      ],
    ],
  ];
  for (const [what, ask, plan] of questions) {
    it(what, async () => {
      await ask();
      expect(asked).to.deep.equal(plan);
    });
  }
});

const NO_CONTENT = { room: null, mobile: null, department: null, comment: null };
const RECEIPT = { messageId: undefined, status: 'delivered', code: undefined } as const;
