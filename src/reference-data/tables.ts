import { VARIABLE, variableNearMiss } from '../rules/template-match.ts';
import { LONGEST_SLOT_MINUTES, SHORTEST_SLOT_MINUTES } from '../vocabulary/appointments.ts';
import {
  clock,
  day,
  digits,
  firstMoment,
  id,
  lastMoment,
  line,
  lines,
  timeZone,
  weekdays,
  wholeNumber,
  yesOrNo,
} from './cell-types.ts';
import { type Column, needed, optional, present, type RowMistake, type RowOf } from './column.ts';
import { RECORD_TABLES } from './record-tables.ts';

export interface Table {
  /** Name of its file, without extension. */
  readonly name: TableName;
  readonly columns: Readonly<Record<string, Column<unknown>>>;
  /** The first mistake in a row whose cells are valid by themselves but contradict each other. */
  check(row: Readonly<Record<string, unknown>>): RowMistake | undefined;
}

const MAX_NAME = 200;
const fits = () => undefined;
const slotMinutes = wholeNumber(SHORTEST_SLOT_MINUTES, LONGEST_SLOT_MINUTES);
const capacity = wholeNumber(1, 1000);

const CENTERS = {
  name: 'centers',
  columns: {
    id: needed('centerid', id),
    name: needed('CenterName', line(MAX_NAME)),
    timeZone: optional('TimeZone', timeZone, null),
  },
  check: fits,
} as const;

const DOCTORS = {
  name: 'doctors',
  columns: {
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
  },
  check: fits,
} as const;

const HOURS_COLUMNS = {
  centerId: needed('centerid', id),
  doctorId: needed('DoctorID', id),
  days: present('Days', weekdays),
  from: present('From', clock),
  to: present('To', clock),
  validFrom: optional('ValidFrom', day, null),
  validTo: optional('ValidTo', day, null),
} as const;

/** A row with a doctor and nothing else says that the doctor has none of what the file lists, which is hours or leave. */
const OPENING_HOURS = {
  name: 'opening-hours',
  columns: HOURS_COLUMNS,
  check: ({ days, from, to, validFrom, validTo }: RowOf<typeof HOURS_COLUMNS>): RowMistake | undefined => {
    if ([days, from, to, validFrom, validTo].every((value) => value === null)) return undefined;
    for (const [column, value] of [
      ['Days', days],
      ['From', from],
      ['To', to],
    ] as const) {
      if (value === null) return { column, message: `is empty; expected ${typeOf(HOURS_COLUMNS, column)}` };
    }
    if ((from ?? 0) >= (to ?? 0)) return { column: 'To', message: 'is not after From; expected a later time' };
    if (validFrom !== null && validTo !== null && validFrom > validTo) {
      return { column: 'ValidTo', message: 'is before ValidFrom; expected that day or a later one' };
    }
    return undefined;
  },
} as const;

const LEAVE_COLUMNS = {
  centerId: needed('centerid', id),
  doctorId: needed('DoctorID', id),
  from: present('From', firstMoment),
  to: present('To', lastMoment),
} as const;

const LEAVE = {
  name: 'leave',
  columns: LEAVE_COLUMNS,
  check: ({ from, to }: RowOf<typeof LEAVE_COLUMNS>): RowMistake | undefined => {
    if (from === null && to === null) return undefined;
    const [column, other] = from === null ? ['From', to] : ['To', to];
    if (from === null || other === null)
      return { column, message: `is empty; expected ${typeOf(LEAVE_COLUMNS, column)}` };
    return from >= other ? { column: 'To', message: 'is not after From; expected a later time' } : undefined;
  },
} as const;

const TEMPLATE_COLUMNS = {
  tempid: needed('tempid', id),
  dltTemplateId: optional('DltTemplateId', digits(19), null),
  principalEntityId: optional('PrincipalEntityId', digits(19), null),
  header: optional('Header', line(20), null),
  category: optional('Category', line(100), null),
  text: needed('Text', lines(2000)),
  active: optional('Active', yesOrNo, 1),
} as const;

const TEMPLATES = {
  name: 'templates',
  columns: TEMPLATE_COLUMNS,
  check: ({ text }: RowOf<typeof TEMPLATE_COLUMNS>): RowMistake | undefined => {
    const found = variableNearMiss(text);
    if (found === undefined) return undefined;
    return { column: 'Text', message: `has ${found}, which is not a variable; expected ${VARIABLE} for each variable` };
  },
} as const;

function typeOf(columns: Readonly<Record<string, Column<unknown>>>, title: string): string {
  return Object.values(columns).find((column) => column.title === title)?.type.expected ?? '';
}

const REFERENCE = [CENTERS, DOCTORS, OPENING_HOURS, LEAVE, TEMPLATES] as const;
const ALL = [...REFERENCE, ...RECORD_TABLES] as const;
/** The tables of reference data. */
export type ReferenceTableName = (typeof REFERENCE)[number]['name'];
export type TableName = (typeof ALL)[number]['name'];
export type RowOfTable<Name extends TableName> = RowOf<Extract<(typeof ALL)[number], { name: Name }>['columns']>;

/** The tables that have files for import and export. */
export const TABLES = ALL as unknown as readonly Table[];

export const REFERENCE_TABLES: readonly ReferenceTableName[] = REFERENCE.map(({ name }) => name);

/** Whether its rows contain data about patients. */
export const isPersonal = ({ columns }: Table): boolean =>
  Object.values(columns).some((column) => column.isPersonal === true);

/** The titles of a table's columns, in the order of its file. */
export function titlesOf(table: TableName): string[] {
  return Object.values(tableNamed(table).columns).map(({ title }) => title);
}

/** The texts of a row, in the order of its table's columns. */
export function cellsOf<Name extends TableName>(table: Name, row: RowOfTable<Name>): string[] {
  return Object.entries(tableNamed(table).columns).map(([key, { type }]) => {
    const value = (row as Readonly<Record<string, unknown>>)[key] ?? null;
    return value === null ? '' : type.write(value);
  });
}

export function tableNamed(name: TableName): Table {
  const table = TABLES.find((candidate) => candidate.name === name);
  if (table === undefined) throw new Error(`there is no table ${name}`);
  return table;
}
