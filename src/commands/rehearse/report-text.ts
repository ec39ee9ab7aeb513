import { TRANSPORT_TITLES } from '../../contract/contract.ts';
import type { RehearsalReport, Times } from './tally.ts';

/** A part of the report. */
interface Section {
  readonly title: string;
  /** Sentences before the table. */
  readonly sentences?: readonly string[];
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The report as Markdown whose tables are also legible in a terminal. */
export const reportText = (report: RehearsalReport): string =>
  `${['# Rehearsal', summaryOf(report), ...sectionsOf(report).map(sectionText)].join('\n\n')}\n`;

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

/** Those that have something to report. */
function sectionsOf(report: RehearsalReport): Section[] {
  const { calls, refusals, types, notImported, contentTypes, soapActions, dates, latencies } = report;
  const sections: Section[] = [
    {
      title: 'Calls',
      heads: ['Operation', 'Transport', 'Program', 'Calls'],
      rows: calls.map((c) => [
        c.operation,
        c.transport === undefined ? '–' : TRANSPORT_TITLES[c.transport],
        c.program,
        c.calls,
      ]),
    },
    {
      title: 'What this service would have refused',
      heads: ['Code', 'Parameter', 'Operation', 'Calls', 'Executed by the old service', 'Programs'],
      rows: refusals.map((r) => [
        r.resultCode === undefined ? r.code : `${r.resultCode} ${r.code}`,
        r.parameter ?? '–',
        r.operation,
        r.calls,
        r.doneByOld,
        r.programs.join(' · '),
      ]),
    },
    {
      title: 'What to do',
      heads: ['Code', 'What to do'],
      rows: [...new Map(refusals.map(({ code, advice }) => [code, advice]))],
    },
    {
      title: 'Numbers of type',
      sentences: types.setting === undefined ? [] : [`Proposed, to be confirmed: APPOINTMENT_TYPES=${types.setting}`],
      heads: ['type', 'Calls', 'With day and time', 'Means now', 'Proposed', 'Why'],
      rows: types.numbers.map((t) => [t.type, t.calls, t.withStart, t.now ?? '–', t.proposed ?? 'nothing', t.reason]),
    },
    {
      title: 'Requested but not imported',
      heads: ['centerid', 'DoctorID', 'Calls'],
      rows: [
        ...notImported.centers.map((c) => [c.centerId, 'the center itself', c.calls]),
        ...notImported.doctors.map((d) => [d.centerId, d.doctorId, d.calls]),
      ],
    },
    {
      title: 'Content types',
      heads: ['Content-Type', 'Requests'],
      rows: contentTypes.map((c) => [c.contentType, c.calls]),
    },
    {
      title: 'SOAPAction',
      heads: ['SOAPAction', 'Requests'],
      rows: soapActions.map((s) => [s.soapAction, s.calls]),
    },
    {
      title: 'How dates are written',
      sentences: ['9 stands for any digit.'],
      heads: ['Parameter', 'Form', 'Calls'],
      rows: dates.map((d) => [d.parameter, d.form, d.calls]),
    },
    {
      title: 'Milliseconds to an answer',
      sentences: [
        'For the old service, until the first byte, over the network; for this one, until the last byte, on this machine.',
      ],
      heads: ['Operation', 'Old: median', '95%', 'most', 'This: median', '95%', 'most'],
      rows: latencies.map(({ operation, old, ours }) => [operation, ...timeCells(old), ...timeCells(ours)]),
    },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

const timeCells = (times: Times | undefined): string[] =>
  times === undefined ? ['–', '–', '–'] : [times.median, times.p95, times.most].map((ms) => ms.toFixed(1));

function sectionText({ title, sentences = [], heads, rows }: Section): string {
  const table = [heads, ...rows.map((row) => row.map((cell) => escapedCell(String(cell))))];
  const widths = heads.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const [head = '', ...lines] = table.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [`## ${title}`, ...sentences, [head, rule, ...lines].join('\n')].join('\n\n');
}

/** The cells contain text sent by callers, which must not become markup. */
const escapedCell = (cell: string): string => cell.replace(/[\\|`*<>[\]#&~]|(?<!\w)_|_(?!\w)/g, '\\$&');
