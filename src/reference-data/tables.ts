import { VARIABLE, variableNearMiss } from '../rules/template-match.ts';
import { LONGEST_SLOT_MINUTES, SHORTEST_SLOT_MINUTES } from '../vocabulary/slot-length.ts';
import {
  type CellType,
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

/** A column of a file. Titles are the contract's names where it has one. */
export interface Column<T> {
  readonly title: string;
  readonly type: CellType<T>;
  /** Whether the header has to name it. */
  readonly inHeader: boolean;
  /** What an empty cell stands for, and, in a new row, a column that is not there; undefined where a value is needed. */
  readonly whenEmpty: T | undefined;
  /** Whether a column that is not there stands for `whenEmpty` in a stored row too; else the row keeps what it has. */
  readonly saidByRow?: boolean;
}

/** No cell may be empty. */
const needed = <T>(title: string, type: CellType<T>): Column<T> => ({
  title,
  type,
  inHeader: true,
  whenEmpty: undefined,
});
/** The header has it; a cell may be empty. */
const present = <T>(title: string, type: CellType<T>) =>
  ({ title, type, inHeader: true, whenEmpty: null }) as Column<T | null>;
const optional = <T, E extends T | null>(title: string, type: CellType<T>, whenEmpty: E) =>
  ({ title, type, inHeader: false, whenEmpty }) as Column<T | E>;

/** Two cells that do not go together. */
interface RowMistake {
  readonly column: string;
  readonly message: string;
}

export interface Table {
  /** Name of its file, without ending. */
  readonly name: TableName;
  readonly columns: Readonly<Record<string, Column<unknown>>>;
  /** The first thing in which cells that are good by themselves do not fit each other. */
  check(row: Readonly<Record<string, unknown>>): RowMistake | undefined;
}

type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<infer T> ? T : never;
};

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
    // With --deactivate, who is missing in the file becomes inactive, so who is there is active.
    active: { ...optional('Active', yesOrNo, 1), saidByRow: true },
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

/** A row with a doctor and nothing else says that the doctor has none: hours or leave. */
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
    return { column: 'Text', message: `has ${found}, which stands for itself; expected ${VARIABLE} for each variable` };
  },
} as const;

function typeOf(columns: Readonly<Record<string, Column<unknown>>>, title: string): string {
  return Object.values(columns).find((column) => column.title === title)?.type.expected ?? '';
}

const ALL = [CENTERS, DOCTORS, OPENING_HOURS, LEAVE, TEMPLATES] as const;
export type TableName = (typeof ALL)[number]['name'];
export type RowOfTable<Name extends TableName> = RowOf<Extract<(typeof ALL)[number], { name: Name }>['columns']>;

/** The tables that have files to be read from and written to. */
export const TABLES = ALL as unknown as readonly Table[];

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

function tableNamed(name: TableName): Table {
  const table = TABLES.find((candidate) => candidate.name === name);
  if (table === undefined) throw new Error(`there is no table ${name}`);
  return table;
}
