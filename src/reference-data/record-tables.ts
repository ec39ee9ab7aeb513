import { INT_MAX } from '../contract/parameter-values.ts';
import { LONGEST_SLOT_MINUTES, SHORTEST_SLOT_MINUTES } from '../vocabulary/appointments.ts';
import { ERASED } from '../vocabulary/patients.ts';
import { dayHalf, endHalf, id, instant, minuteHalf, status, text, wholeNumber, yesOrNo } from './cell-types.ts';
import { needed, optional, personal, present, type RowMistake, type RowOf } from './column.ts';

/** The lengths are those of the contract's parameters. */
const APPOINTMENT_COLUMNS = {
  centerId: needed('centerid', id),
  id: needed('AppointmentID', id),
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
  tokenNo: optional('TokenNo', id, null),
  rescheduleCount: optional('RescheduleCount', wholeNumber(0, INT_MAX), null),
  marked: optional('Overlap', yesOrNo, null),
  createdOn: optional('CreatedOn', instant, null),
  updatedOn: optional('UpdatedOn', instant, null),
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

const FEEDBACK_COLUMNS = {
  id: needed('FeedbackID', id),
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
