import { TRANSPORT_TITLES } from '../../contract/contract.ts';
import type { RehearsalReport, Times } from './tally.ts';

/** The report as Markdown whose tables are also legible in a terminal. Tables without rows are left out. */
export function reportText(report: RehearsalReport): string {
  const { calls, refusals, types, notImported, contentTypes, soapActions, dates, latencies } = report;
  const parts = [
    '# Rehearsal',
    summaryOf(report),
    table(
      '## Calls',
      ['Operation', 'Transport', 'Program', 'Calls'],
      calls.map((c) => [c.operation, c.transport && TRANSPORT_TITLES[c.transport], c.program, c.calls]),
    ),
    table(
      '## What this service would have refused',
      ['Code', 'Parameter', 'Operation', 'Calls', 'Executed by the old service', 'Programs'],
      refusals.map(({ code, resultCode, parameter, operation, calls, doneByOld, programs }) => {
        const name = resultCode === undefined ? code : `${resultCode} ${code}`;
        return [name, parameter, operation, calls, doneByOld, programs.join(' · ')];
      }),
    ),
    table('## What to do', ['Code', 'What to do'], [...new Map(refusals.map(({ code, advice }) => [code, advice]))]),
    table(
      '## Numbers of type\n\nHave whoever maintains the callers confirm each number. Only calls with a day and a time can mean Reschedule.' +
        (types.setting === undefined ? '' : ` Proposed: APPOINTMENT_TYPES=${types.setting}`),
      ['type', 'Calls', 'With day and time', 'Means now', 'Proposed'],
      types.numbers.map((t) => [t.type, t.calls, t.withStart, t.now, t.proposed ?? 'nothing']),
    ),
    table(
      '## Requested but not imported',
      ['centerid', 'DoctorID', 'Calls'],
      [
        ...notImported.centers.map((c) => [c.centerId, 'the center itself', c.calls]),
        ...notImported.doctors.map((d) => [d.centerId, d.doctorId, d.calls]),
      ],
    ),
    table('## Content types', ['Content-Type', 'Requests'], contentTypes.map(Object.values)),
    table('## SOAPAction', ['SOAPAction', 'Requests'], soapActions.map(Object.values)),
    table(
      '## How dates are written\n\n9 stands for any digit.',
      ['Parameter', 'Form', 'Calls'],
      dates.map(Object.values),
    ),
    table(
      '## Milliseconds to an answer\n\nFor the old service, until the first byte, over the network; for this one, until the last byte, on this machine.',
      ['Operation', 'Old: median', '95%', 'most', 'This: median', '95%', 'most'],
      latencies.map(({ operation, old, ours }) => [operation, ...timeCells(old), ...timeCells(ours)]),
    ),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function summaryOf({ from, to, requests, done, refused, notTried, notHttp, unlisted }: RehearsalReport): string {
  const lines = [
    `From ${from} to ${to}: ${requests} requests.`,
    `${done} would have been answered normally, ${refused} refused.`,
  ];
  if (notTried > 0) {
    lines.push(`${notTried} went only to the old service, because the trial instance was behind or had ended.`);
  }
  if (notHttp > 0) lines.push(`${notHttp} connections carried bytes that are not HTTP.`);
  for (const [what, count] of Object.entries(unlisted)) {
    lines.push(`Too many different values of ${what}: ${count} are in no table.`);
  }
  return lines.join('\n');
}

const timeCells = (times: Times | undefined): (string | undefined)[] =>
  [times?.median, times?.p95, times?.most].map((ms) => ms?.toFixed(1));

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
