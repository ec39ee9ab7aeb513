import { quantity } from '../../vocabulary/text.ts';
import type { RehearsalReport } from './tally.ts';

/** Callers and doctors that a cell names; rehearsal.json has more of them. */
const MOST_NAMED = 6;

/** The report as Markdown whose tables are also legible in a terminal. Tables without rows are left out. */
export function reportText(report: RehearsalReport): string {
  const { callers, addresses, failures, calls, refusals, types, dates } = report;
  const advice = new Map([
    ...refusals.map((refusal) => [refusal.code, refusal.advice] as const),
    ...dates.map((date) => [date.form, date.advice] as const),
    ...callers.flatMap(({ advice }) => (advice === undefined ? [] : [['every program over SOAP', advice] as const])),
  ]);
  const parts = [
    '# Rehearsal',
    summaryOf(report),
    table(
      '## Callers\n\nThe other tables name them by their numbers, and doctors by centerid/DoctorID, or centerid alone.',
      callers,
      ['marked', 'callers', 'doctors', 'advice'],
    ),
    table(
      '## Addresses\n\nA host with a dot that is not an IP address must be in ALLOWED_HOSTS, or be that of PUBLIC_URL.',
      addresses,
      ['marked', 'doctors'],
    ),
    table(
      '## Errors of the old service\n\nWith 404, nothing is at that path: a web server in front must pass it on as the caller sent it.',
      failures,
      ['marked'],
    ),
    table('## Calls', calls, ['marked']),
    table('## What this service would have refused\n\nMarked calls were executed by the old service.', refusals, [
      'advice',
    ]),
    table(
      '## What to do',
      [...advice].flatMap(([what, todo]) =>
        todo === undefined ? [] : [{ 'code, form or program': what, 'what to do': todo }],
      ),
    ),
    table(
      '## Numbers of type\n\nHave whoever maintains the callers confirm each number. Marked calls have a day and a time; only these can mean Reschedule.' +
        (types.setting === undefined ? '' : ` Proposed: APPOINTMENT_TYPES=${types.setting}`),
      types.numbers,
    ),
    table('## How dates are written\n\n9 stands for any digit.', dates, ['marked', 'advice']),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function summaryOf(report: RehearsalReport): string {
  const { from, to, requests, done, refused, failed, notAnswered, notTried, notHttp, unlisted } = report;
  const lines = [
    `From ${from} to ${to}: ${quantity(requests, 'request')}.`,
    `This service would have answered ${done} normally and refused ${refused}.`,
  ];
  if (failed > 0) lines.push(`The old service answered ${quantity(failed, 'request')} with an error status.`);
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

/** A table of rows with the same keys, which are its heads, except those that are left out. */
function table(title: string, rows: readonly object[], leftOut: readonly string[] = []): string {
  const [first] = rows;
  if (first === undefined) return '';
  const heads = Object.keys(first).filter((key) => !leftOut.includes(key));
  const lines = [heads, ...rows.map((row) => heads.map((head) => cellOf(row[head as keyof typeof row])))];
  const widths = heads.map((_, column) => Math.max(...lines.map((row) => row[column]?.length ?? 0)));
  const written = lines.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [`${title}\n`, written[0], rule, ...written.slice(1)].join('\n');
}

function cellOf(value: unknown): string {
  if (!Array.isArray(value)) return escapedCell(String(value ?? '–'));
  const more = value.length > MOST_NAMED ? `, +${value.length - MOST_NAMED}` : '';
  return value.slice(0, MOST_NAMED).join(', ') + more;
}

/** The cells contain text sent by callers, which must not become markup. */
const escapedCell = (cell: string): string => cell.replace(/[\\|`*<>[\]#&~]|(?<!\w)_|_(?!\w)/g, '\\$&');
