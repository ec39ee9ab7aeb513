import { ERASED } from '../vocabulary/erased.ts';
import { LONGEST_SLOT_MINUTES, SHORTEST_SLOT_MINUTES } from '../vocabulary/slot-length.ts';
import { dayHalf, endHalf, id, instant, minuteHalf, status, text, wholeNumber, yesOrNo } from './cell-types.ts';
import { needed, optional, personal, present, type RowMistake, type RowOf } from './column.ts';

/** Leaves room for the numbers of new appointments, which continue above these: the contract's int ends at 2147483647. */
const oldId = wholeNumber(1, 2_140_000_000);

/** Lengths are those of the contract's parameters. */
const APPOINTMENT_COLUMNS = {
  centerId: needed('centerid', id),
  id: needed('AppointmentID', oldId),
  doctorId: needed('DoctorID', id),
  day: { ...needed('appdate', dayHalf), alias: 'date' },
  minute: { ...needed('apptime', minuteHalf), alias: 'time' },
  endMinute: { ...optional('EndTime', endHalf, null), alias: 'end' },
  registrationNumber: personal(optional('RegistrationNumber', text(50), null)),
  title: personal(optional('title', text(20), null)),
  name: personal(needed('Name', text(100))),
  sex: personal(optional('Sex', text(20), null)),
  age: personal(optional('Age', text(20), null)),
  area: personal(optional('area', text(200), null)),
  contactNumber: personal(present('contactnumber', text(30))),
  email: personal(optional('email', text(254), null)),
  status: optional('Status', status, null),
  tokenNo: optional('TokenNo', wholeNumber(1, 1_000_000_000), null),
  rescheduleCount: optional('RescheduleCount', wholeNumber(0, 1_000_000_000), null),
  marked: optional('Overlap', yesOrNo, null),
  createdOn: optional('CreatedOn', instant, null),
  updatedOn: optional('UpdatedOn', instant, null),
} as const;

/** Minutes from one time of day to another; if that is not later, to the one on the next day. */
export const minutesBetween = (from: number, to: number): number => (to > from ? to - from : to - from + 24 * 60);

const APPOINTMENTS = {
  name: 'appointments',
  columns: APPOINTMENT_COLUMNS,
  check: ({ name, contactNumber, minute, endMinute }: RowOf<typeof APPOINTMENT_COLUMNS>): RowMistake | undefined => {
    if (contactNumber === null && name !== ERASED.name) {
      return { column: 'contactnumber', message: "is empty; expected the patient's phone number" };
    }
    if (endMinute === null) return undefined;
    const minutes = minutesBetween(minute, endMinute);
    if (minutes >= SHORTEST_SLOT_MINUTES && minutes <= LONGEST_SLOT_MINUTES) return undefined;
    const message = `is ${minutes} minutes after apptime; expected ${SHORTEST_SLOT_MINUTES} to ${LONGEST_SLOT_MINUTES}`;
    return { column: 'EndTime', message };
  },
} as const;

const FEEDBACK_COLUMNS = {
  id: needed('FeedbackID', oldId),
  ipno: personal(needed('ipno', text(50))),
  roomno: personal(optional('roomno', text(50), null)),
  mobile: personal(optional('moblieno', text(30), null)),
  dept: personal(optional('dept', text(100), null)),
  comment: personal(optional('needsimprovementcommit', text(4000), null)),
  receivedOn: needed('ReceivedOn', instant),
  client: optional('Client', text(100), null),
} as const;

const FEEDBACK = {
  name: 'feedback',
  columns: FEEDBACK_COLUMNS,
  check: ({ ipno, roomno, mobile, dept, comment }: RowOf<typeof FEEDBACK_COLUMNS>): RowMistake | undefined => {
    if (ipno === ERASED.name || (roomno ?? mobile ?? dept ?? comment) !== null) return undefined;
    const message = 'is empty, and so are roomno, moblieno and dept; expected one of them';
    return { column: 'needsimprovementcommit', message };
  },
} as const;

/** Records that callers have written, and records from an old system. */
export const RECORD_TABLES = [APPOINTMENTS, FEEDBACK] as const;
