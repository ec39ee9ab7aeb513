import { LONGEST_SLOT_MINUTES, LONGEST_SPAN_MINUTES, SHORTEST_SLOT_MINUTES } from '../vocabulary/appointments.ts';
import { ERASED_NAME } from '../vocabulary/patients.ts';
import type { FieldFacts, PatientParameter } from '../vocabulary/stored-records.ts';
import { APPOINTMENT_FIELDS, FEEDBACK_FIELDS, PATIENT_FIELDS } from '../vocabulary/stored-records.ts';
import { noVariableIn, tagOf, VARIABLES } from '../vocabulary/template-variables.ts';
import { oneOf, quoted } from '../vocabulary/text.ts';
import {
  type CellType,
  clock,
  counted,
  day,
  dayHalf,
  digits,
  endClock,
  firstMoment,
  id,
  instant,
  lastMoment,
  line,
  lines,
  minuteHalf,
  phoneRegion,
  status,
  text,
  timeZone,
  weekdays,
  wholeNumber,
  yesOrNo,
} from './cell-types.ts';

export interface Column<T> {
  /** The contract's name, if there is one. */
  readonly title: string;
  readonly type: CellType<T>;
  readonly inHeader: boolean;
  /** The value of an empty cell and, in a new row, of a missing column; undefined if a value is required. */
  readonly whenEmpty: T | undefined;
  /** Whether a missing column means `whenEmpty` in a stored row, too. Otherwise the row keeps its value. */
  readonly whenMissing?: 'whenEmpty';
  readonly alias?: string;
  /** Whether it contains data about a patient, in which case no message shows its values. */
  readonly isPersonal?: boolean;
}

/** No cell may be empty. */
const needed = <T>(title: string, type: CellType<T>): Column<T> => ({
  title,
  type,
  inHeader: true,
  whenEmpty: undefined,
});
/** The header must contain it; a cell may be empty. */
const present = <T>(title: string, type: CellType<T>) =>
  ({ title, type, inHeader: true, whenEmpty: null }) as Column<T | null>;
const optional = <T, E extends T | null>(title: string, type: CellType<T>, whenEmpty: E) =>
  ({ title, type, inHeader: false, whenEmpty }) as Column<T | E>;

const personal = <T>(column: Column<T>) => ({ ...column, isPersonal: true as const });

interface RowMistake {
  readonly name: string;
  readonly message: string;
}

type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<infer T> ? T : never;
};

export interface Table {
  readonly columns: Readonly<Record<string, Column<unknown>>>;
  check(row: Readonly<Record<string, unknown>>): RowMistake | undefined;
}

/** `check` finds the first mistake in a row whose valid cells contradict each other. The others are undefined, which contradicts nothing. */
const table = <const C extends object>(columns: C, check?: (row: RowOf<C>, columns: C) => RowMistake | undefined) => ({
  columns,
  check: (row: RowOf<C>) => check?.(row, columns),
});

const MAX_NAME = 200;
const slotMinutes = wholeNumber(SHORTEST_SLOT_MINUTES, LONGEST_SLOT_MINUTES);
const capacity = wholeNumber(1, 1000);
const length = wholeNumber(SHORTEST_SLOT_MINUTES, LONGEST_SPAN_MINUTES);

const CENTERS = table({
  id: needed('centerid', id),
  name: needed('CenterName', line(MAX_NAME)),
  timeZone: optional('TimeZone', timeZone, null),
  phoneRegion: optional('PhoneRegion', phoneRegion, null),
});

const DOCTORS = table({
  centerId: needed('centerid', id),
  id: needed('DoctorID', id),
  name: needed('DoctorName', line(MAX_NAME)),
  department: optional('Department', line(MAX_NAME), null),
  specialization: optional('Specialization', line(MAX_NAME), null),
  qualification: optional('Qualification', line(MAX_NAME), null),
  slotMinutes: optional('SlotMinutes', slotMinutes, 15),
  capacity: optional('Capacity', capacity, 1),
  // With --deactivate, doctors who are not in the file become inactive, so those in the file are active.
  active: { ...optional('Active', yesOrNo, 1), whenMissing: 'whenEmpty' },
});

/** A row with a doctor, or a center, and nothing else says that it has none of what the file lists, which is hours or leave. */
const OPENING_HOURS = table(
  {
    centerId: needed('centerid', id),
    doctorId: needed('DoctorID', id),
    days: present('Days', weekdays),
    from: present('From', clock),
    to: present('To', endClock),
    validFrom: optional('ValidFrom', day, null),
    validTo: optional('ValidTo', day, null),
  },
  (row, columns) => {
    const { days, from, to, validFrom, validTo } = row;
    if ([days, from, to, validFrom, validTo].every((value) => value === null)) return undefined;
    if (validFrom !== null && validTo !== null && validFrom > validTo) {
      return { name: 'validTo', message: 'is before ValidFrom; expected that day or a later one' };
    }
    return emptyCell(columns, row, ['days', 'from', 'to']) ?? order(from, to);
  },
);

const LEAVE = table(
  {
    centerId: needed('centerid', id),
    // None for leave of all doctors of the center.
    doctorId: present('DoctorID', id),
    from: present('From', firstMoment),
    to: present('To', lastMoment),
  },
  (row, columns) => {
    if (row.from === null && row.to === null) return undefined;
    return emptyCell(columns, row, ['from', 'to']) ?? order(row.from, row.to);
  },
);

function emptyCell<Name extends string>(
  columns: Readonly<Record<Name, { readonly type: Pick<CellType<unknown>, 'expected'> }>>,
  row: Readonly<Record<Name, unknown>>,
  names: readonly Name[],
): RowMistake | undefined {
  const name = names.find((one) => row[one] === null);
  return name && { name, message: `is empty; expected ${columns[name].type.expected}` };
}

const order = (from: number | null, to: number | null): RowMistake | undefined =>
  from !== null && to !== null && from >= to
    ? { name: 'to', message: 'is not after From; expected a later time' }
    : undefined;

const TEMPLATES = table(
  {
    tempid: needed('tempid', id),
    dltTemplateId: optional('DltTemplateId', digits(19), null),
    principalEntityId: optional('PrincipalEntityId', digits(19), null),
    header: optional('Header', line(20), null),
    category: optional('Category', line(100), null),
    text: needed('Text', lines(2000)),
    active: optional('Active', yesOrNo, 1),
  },
  ({ text = '' }) => {
    const found = noVariableIn(text);
    if (found === undefined) return undefined;
    const message = `contains ${quoted(found)}, which is not a variable; expected ${oneOf(Object.keys(VARIABLES).map(tagOf))}`;
    return { name: 'text', message };
  },
);

const A = APPOINTMENT_FIELDS;
const F = FEEDBACK_FIELDS;
/** The title of the column, or of one of the columns, in which a file has a field. */
const titleOf = ({ csv = [] }: FieldFacts, index = 0): string => [csv].flat()[index] ?? '';

/** The patient of an appointment, by the parameter of a booking with the same value. The lengths are those of the contract. */
const PATIENT = {
  RegistrationNumber: personal(optional('RegistrationNumber', text(50), null)),
  title: personal(optional('title', text(50), null)),
  Name: personal(needed('Name', text(100))),
  Sex: personal(optional('Sex', text(50), null)),
  Age: personal(optional('Age', text(50), null)),
  area: personal(optional('area', text(200), null)),
  contactnumber: personal(optional('contactnumber', text(100), null)),
  email: personal(optional('email', text(254), null)),
} satisfies Readonly<Record<PatientParameter, { readonly isPersonal: true }>>;

/** The columns that are erased together with a patient's name and phone number, so that none of them may remain. */
const ERASED_TOO: readonly PatientParameter[] = Object.values(PATIENT_FIELDS)
  .filter((field) => 'personal' in field && !['Name', 'contactnumber', 'Sex'].includes(field.csv))
  .map(({ csv }) => csv);

/** Whether a row is that of a patient whose data was erased. */
export const isErased = ({ Name, contactnumber }: { readonly Name: string; readonly contactnumber: string | null }) =>
  Name === ERASED_NAME && contactnumber === null;

const APPOINTMENTS = table(
  {
    centerId: needed(titleOf(A.centerId), id),
    id: needed(titleOf(A.id), counted(1)),
    doctorId: needed(titleOf(A.doctorId), id),
    day: { ...needed(titleOf(A.startsAt), dayHalf), alias: 'date' },
    minute: { ...needed(titleOf(A.startsAt, 1), minuteHalf), alias: 'time' },
    endMinute: { ...optional(titleOf(A.endsAt), minuteHalf, null), alias: 'end' },
    minutes: optional(titleOf(A.minutes), length, null),
    ...PATIENT,
    status: optional(titleOf(A.status), status, null),
    tokenNo: optional(titleOf(A.tokenNo), counted(1), null),
    rescheduleCount: optional(titleOf(A.rescheduleCount), counted(0), null),
    overlapping: optional(titleOf(A.overlapping), yesOrNo, null),
    createdOn: optional(titleOf(A.createdOn), instant, null),
    updatedOn: optional(titleOf(A.updatedOn), instant, null),
  },
  (row) => {
    const remainder = isErased(row) ? ERASED_TOO.find((column) => row[column] != null) : undefined;
    if (remainder === undefined) return undefined;
    const message = `is not empty, but Name is ${ERASED_NAME} and contactnumber is empty, as for a patient whose data was erased; expected an empty cell, or the patient's phone number`;
    return { name: remainder, message };
  },
);

const FEEDBACK = table(
  {
    id: needed(titleOf(F.id), counted(1)),
    inpatientNumber: personal(needed(titleOf(F.inpatientNumber), text(50))),
    room: personal(optional(titleOf(F.room), text(100), null)),
    mobile: personal(optional(titleOf(F.mobile), text(100), null)),
    department: personal(optional(titleOf(F.department), text(200), null)),
    comment: personal(optional(titleOf(F.comment), text(4000), null)),
    receivedOn: needed(titleOf(F.receivedOn), instant),
    client: optional(titleOf(F.client), text(100), null),
    updatedOn: optional(titleOf(F.updatedOn), instant, null),
  },
  ({ inpatientNumber, room, mobile, department, comment }) => {
    const isEmpty = [room, mobile, department, comment].every((value) => value === null);
    if (inpatientNumber === ERASED_NAME || !isEmpty) return undefined;
    const message = 'is empty, and so are roomno, moblieno and dept; expected one of them';
    return { name: 'comment', message };
  },
);

const REFERENCE = {
  centers: CENTERS,
  doctors: DOCTORS,
  'opening-hours': OPENING_HOURS,
  leave: LEAVE,
  templates: TEMPLATES,
} as const;
const ALL = { ...REFERENCE, appointments: APPOINTMENTS, feedback: FEEDBACK } as const;

export type ReferenceTableName = keyof typeof REFERENCE;
/** Each is the name of a file, without extension. */
export type TableName = keyof typeof ALL;
export type RowOfTable<Name extends TableName> = RowOf<(typeof ALL)[Name]['columns']>;

export const REFERENCE_TABLE_NAMES = Object.keys(REFERENCE) as readonly ReferenceTableName[];
export const TABLE_NAMES = Object.keys(ALL) as readonly TableName[];
/** The tables that have files for import and export. */
export const TABLES = ALL as unknown as Readonly<Record<TableName, Table>>;

export const isPersonal = ({ columns }: Table): boolean => Object.values(columns).some((column) => column.isPersonal);

export const titlesOf = (table: TableName): string[] => Object.values(TABLES[table].columns).map(({ title }) => title);

/** The texts of a row, in the order of its table's columns. */
export const cellsOf = <Name extends TableName>(table: Name, row: RowOfTable<Name>): string[] =>
  Object.entries(TABLES[table].columns).map(([name, { type }]) => {
    const value = (row as Readonly<Record<string, unknown>>)[name] ?? null;
    return value === null ? '' : type.write(value);
  });
