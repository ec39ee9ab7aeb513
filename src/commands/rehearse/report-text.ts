import { TRANSPORT_TITLES } from '../../contract/contract.ts';
import { quantity } from '../../vocabulary/text.ts';
import type { Counted, RehearsalReport } from './tally.ts';

/** Callers and doctors that a cell names; rehearsal.json has more of them. */
const MOST_NAMED = 6;

/** The report as Markdown whose tables are also legible in a terminal. Tables without rows are left out. */
export function reportText(report: RehearsalReport): string {
  const { callers, calls, refusals, types, notImported, dates } = report;
  const advice = [
    ...refusals.map((refusal) => [refusal.code, refusal.advice] as const),
    ...dates.flatMap(({ form, advice: ofForm }) => (ofForm === undefined ? [] : [[form, ofForm] as const])),
  ];
  const parts = [
    '# Rehearsal',
    summaryOf(report),
    table(
      '## Callers\n\nThe other tables name them by their numbers.',
      ['Caller', 'Address', 'Program', 'Calls', 'First', 'Last'],
      callers.map((c) => [c.caller, c.address, c.program, c.calls, shortTime(c.first), shortTime(c.last)]),
    ),
    countTable('## Calls', ['Operation', 'Transport'], calls, (c) => [
      c.operation,
      c.transport && TRANSPORT_TITLES[c.transport],
    ]),
    countTable(
      '## What this service would have refused',
      ['Code', 'Parameter', 'Operation', 'Executed by the old service'],
      refusals,
      (r) => [r.resultCode === undefined ? r.code : `${r.resultCode} ${r.code}`, r.parameter, r.operation, r.marked],
    ),
    table('## What to do', ['Code or form', 'What to do'], [...new Map(advice)]),
    countTable(
      '## Numbers of type\n\nHave whoever maintains the callers confirm each number. Only calls with a day and a time can mean Reschedule.' +
        (types.setting === undefined ? '' : ` Proposed: APPOINTMENT_TYPES=${types.setting}`),
      ['type', 'With day and time', 'Means now', 'Proposed'],
      types.numbers,
      (t) => [t.type, t.marked, t.now, t.proposed ?? 'nothing'],
    ),
    countTable(
      '## Requested but not imported',
      ['centerid', 'DoctorID'],
      [...notImported.centers.map((c) => ({ ...c, doctorId: 'the center itself' })), ...notImported.doctors],
      (c) => [c.centerId, c.doctorId],
    ),
    countTable('## How dates are written\n\n9 stands for any digit.', ['Parameter', 'Form'], dates, (d) => [
      d.parameter,
      d.form,
    ]),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function summaryOf(report: RehearsalReport): string {
  const { from, to, requests, done, refused, notAnswered, notTried, notHttp, unlisted } = report;
  const lines = [
    `From ${from} to ${to}: ${quantity(requests, 'request')}.`,
    `This service would have answered ${done} normally and refused ${refused}.`,
  ];
  if (notAnswered > 0) lines.push(`The old service did not answer ${quantity(notAnswered, 'further request')}.`);
  if (notTried > 0) {
    const further = quantity(notTried, 'further request');
    lines.push(`Only the old service received ${further}, because the trial instance was behind or had ended.`);
  }
  if (notHttp > 0) lines.push(`On ${quantity(notHttp, 'connection')}, there were bytes that are not HTTP.`);
  for (const [what, count] of Object.entries(unlisted)) {
    lines.push(`Too many different values of ${what}: ${quantity(count, 'request')} in no table.`);
  }
  return lines.join('\n');
}

/** A table of values with the calls that had them. */
const countTable = <Row extends Counted<object>>(
  title: string,
  heads: readonly string[],
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly unknown[],
): string =>
  table(
    title,
    [...heads, 'Calls', 'First', 'Last', 'Callers', 'centerid/DoctorID'],
    rows.map((row) => [
      ...cellsOf(row),
      row.calls,
      shortTime(row.first),
      shortTime(row.last),
      firstOf(row.callers),
      firstOf(row.doctors),
    ]),
  );

const shortTime = (instant: string): string => instant.replace(/\.\d+Z$/, 'Z');

const firstOf = (items: readonly (string | number)[]): string | undefined =>
  items.length === 0
    ? undefined
    : items.slice(0, MOST_NAMED).join(', ') + (items.length > MOST_NAMED ? `, +${items.length - MOST_NAMED}` : '');

function table(title: string, heads: readonly string[], rows: readonly (readonly unknown[])[]): string {
  if (rows.length === 0) return '';
  const lines = [heads, ...rows.map((row) => row.map((cell) => escapedCell(String(cell ?? '–'))))];
  const widths = heads.map((_, column) => Math.max(...lines.map((row) => row[column]?.length ?? 0)));
  const written = lines.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  return [
    `${title}\n`,
    written[0],
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...written.slice(1),
  ].join('\n');
}

/** The cells contain text sent by callers, which must not become markup. */
const escapedCell = (cell: string): string => cell.replace(/[\\|`*<>[\]#&~]|(?<!\w)_|_(?!\w)/g, '\\$&');
