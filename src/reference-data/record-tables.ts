import { INT_MAX } from '../contract/parameter-values.ts';
import { LONGEST_SLOT_MINUTES, SHORTEST_SLOT_MINUTES } from '../vocabulary/appointments.ts';
import { ERASED } from '../vocabulary/patients.ts';
import { APPOINTMENT_FIELDS, FEEDBACK_FIELDS, type FieldFacts } from '../vocabulary/stored-records.ts';
import { dayHalf, endHalf, id, instant, minuteHalf, status, text, wholeNumber, yesOrNo } from './cell-types.ts';
import { needed, optional, personal, present, type RowMistake, type RowOf } from './column.ts';

const A = APPOINTMENT_FIELDS;
const F = FEEDBACK_FIELDS;
/** The title of the column, or of one of the columns, in which a file has a field. */
const titleOf = ({ csv = [] }: FieldFacts, index = 0): string => [csv].flat()[index] ?? '';

/** The lengths are those of the contract's parameters. */
export const APPOINTMENT_COLUMNS = {
  centerId: needed(titleOf(A.centerId), id),
  id: needed(titleOf(A.id), id),
  doctorId: needed(titleOf(A.doctorId), id),
  day: { ...needed(titleOf(A.startsAt), dayHalf), alias: 'date' },
  minute: { ...needed(titleOf(A.startsAt, 1), minuteHalf), alias: 'time' },
  endMinute: { ...optional(titleOf(A.endsAt), endHalf, null), alias: 'end' },
  registrationNumber: personal(optional(titleOf(A.registrationNumber), text(50), null)),
  title: personal(optional(titleOf(A.title), text(20), null)),
  name: personal(needed(titleOf(A.name), text(100))),
  sex: personal(optional(titleOf(A.sex), text(20), null)),
  age: personal(optional(titleOf(A.ageText), text(20), null)),
  area: personal(optional(titleOf(A.area), text(200), null)),
  contactNumber: personal(present(titleOf(A.phone), text(30))),
  email: personal(optional(titleOf(A.email), text(254), null)),
  status: optional(titleOf(A.status), status, null),
  tokenNo: optional(titleOf(A.tokenNo), id, null),
  rescheduleCount: optional(titleOf(A.rescheduleCount), wholeNumber(0, INT_MAX), null),
  marked: optional(titleOf(A.marked), yesOrNo, null),
  createdOn: optional(titleOf(A.createdOn), instant, null),
  updatedOn: optional(titleOf(A.updatedOn), instant, null),
} as const;

/** The fields that are erased together with a patient's name and phone number, so that none of them may remain. */
const NOT_ERASED = ['registrationNumber', 'title', 'age', 'area', 'email'] as const;

/** Minutes from one time of day to another. If the second is not later, it is on the next day. */
export const minutesBetween = (from: number, to: number): number => (to > from ? to - from : to - from + 24 * 60);

const APPOINTMENTS = {
  name: 'appointments',
  columns: APPOINTMENT_COLUMNS,
  check: (row: RowOf<typeof APPOINTMENT_COLUMNS>): RowMistake | undefined => {
    const { name, contactNumber, minute, endMinute } = row;
    if (contactNumber === null && name !== ERASED.name) {
      return { column: 'contactnumber', message: "is empty; expected the patient's phone number" };
    }
    const remainder = contactNumber === null ? NOT_ERASED.find((column) => row[column] !== null) : undefined;
    if (remainder !== undefined) {
      const message = `is not empty, but Name is ${ERASED.name} and contactnumber is empty, as for a patient whose data was erased; expected an empty cell, or the patient's phone number`;
      return { column: APPOINTMENT_COLUMNS[remainder].title, message };
    }
    if (endMinute === null) return undefined;
    const minutes = minutesBetween(minute, endMinute);
    if (minutes >= SHORTEST_SLOT_MINUTES && minutes <= LONGEST_SLOT_MINUTES) return undefined;
    const message = `is ${minutes} minutes after apptime; expected ${SHORTEST_SLOT_MINUTES} to ${LONGEST_SLOT_MINUTES}`;
    return { column: 'EndTime', message };
  },
} as const;

export const FEEDBACK_COLUMNS = {
  id: needed(titleOf(F.id), id),
  ipno: personal(needed(titleOf(F.ipno), text(50))),
  roomno: personal(optional(titleOf(F.roomno), text(50), null)),
  mobile: personal(optional(titleOf(F.mobile), text(30), null)),
  dept: personal(optional(titleOf(F.dept), text(100), null)),
  comment: personal(optional(titleOf(F.comment), text(4000), null)),
  receivedOn: needed(titleOf(F.receivedOn), instant),
  client: optional(titleOf(F.client), text(100), null),
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
