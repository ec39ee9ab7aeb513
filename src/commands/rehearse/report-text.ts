import { TRANSPORT_TITLES, type Transport } from '../../contract/contract.ts';
import type { RehearsalReport, Times } from './rehearsal-report.ts';

/** A part of the report, for people. */
interface Section {
  readonly title: string;
  /** Sentences before the table. */
  readonly words: readonly string[];
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The report for a terminal. */
export const reportText = (report: RehearsalReport): string =>
  `${[summaryOf(report), ...sectionsOf(report).map(sectionText)].join('\n\n')}\n`;

/** The same as Markdown. */
export const reportMarkdown = (report: RehearsalReport): string =>
  `${['# Rehearsal', summaryOf(report), ...sectionsOf(report).map(sectionMarkdown)].join('\n\n')}\n`;

function summaryOf({ from, to, requests, done, refused, notTried, notHttp, uncounted }: RehearsalReport): string {
  const lines = [
    `From ${from} to ${to}: ${requests} requests.`,
    `${done} would have been answered normally, ${refused} refused.`,
  ];
  if (notTried > 0)
    lines.push(`${notTried} went only to the old service, because the trial instance was behind or had ended.`);
  if (notHttp > 0) lines.push(`${notHttp} connections carried bytes that are not HTTP.`);
  for (const [what, count] of Object.entries(uncounted)) {
    lines.push(`Too many different values of ${what}: ${count} are in no table.`);
  }
  return lines.join('\n');
}

/** Those that have something to report. */
function sectionsOf(report: RehearsalReport): Section[] {
  const { calls, types, notImported, contentTypes, soapActions, dates } = report;
  const sections: Section[] = [
    {
      title: 'Calls',
      words: [],
      heads: ['Operation', 'Transport', 'Program', 'Calls'],
      rows: calls.map((c) => [c.operation, transportTitle(c.transport), c.program, `${c.calls}`]),
    },
    ...refusalSections(report),
    {
      title: 'Numbers of type',
      words: types.setting === undefined ? [] : ['Proposed, to be confirmed:', `APPOINTMENT_TYPES=${types.setting}`],
      heads: ['type', 'Calls', 'With day and time', 'Means now', 'Proposed', 'Why'],
      rows: types.seen.map((t) => [
        `${t.type}`,
        `${t.calls}`,
        `${t.withStart}`,
        t.now ?? '–',
        t.proposed ?? 'nothing',
        t.reason,
      ]),
    },
    {
      title: 'Requested but not imported',
      words: [],
      heads: ['centerid', 'DoctorID', 'Calls'],
      rows: [
        ...notImported.centers.map((c) => [`${c.centerId}`, 'the center itself', `${c.calls}`]),
        ...notImported.doctors.map((d) => [`${d.centerId}`, `${d.doctorId}`, `${d.calls}`]),
      ],
    },
    {
      title: 'Content types',
      words: [],
      heads: ['Content-Type', 'Requests'],
      rows: contentTypes.map((c) => [c.contentType, `${c.calls}`]),
    },
    {
      title: 'SOAPAction',
      words: [],
      heads: ['SOAPAction', 'Requests'],
      rows: soapActions.map((s) => [s.soapAction, `${s.calls}`]),
    },
    {
      title: 'How dates are written',
      words: ['9 stands for any digit.'],
      heads: ['Parameter', 'Form', 'Calls'],
      rows: dates.map((d) => [d.parameter, d.form, `${d.calls}`]),
    },
    {
      title: 'Milliseconds to an answer',
      words: [
        'For the old service, until the first byte, over the network; for this one, until the last byte, on this machine.',
      ],
      heads: ['Operation', 'Old: median', '95%', 'most', 'This: median', '95%', 'most'],
      rows: report.latencies.map(({ operation, old, ours }) => [operation, ...timeCells(old), ...timeCells(ours)]),
    },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

/** What would have been refused, and what to do about it, once for each code. */
function refusalSections({ refusals }: RehearsalReport): Section[] {
  const advice = new Map(refusals.map((refusal) => [refusal.code, refusal.advice]));
  return [
    {
      title: 'What this service would have refused',
      words: [],
      heads: ['Code', 'Parameter', 'Operation', 'Calls', 'Executed by the old service', 'Programs'],
      rows: refusals.map((r) => [
        r.resultCode === undefined ? r.code : `${r.resultCode} ${r.code}`,
        r.parameter ?? '–',
        r.operation,
        `${r.calls}`,
        `${r.doneByOld}`,
        r.programs.join(' · '),
      ]),
    },
    { title: 'What to do', words: [], heads: ['Code', 'What to do'], rows: [...advice] },
  ];
}

const transportTitle = (transport: Transport | undefined): string =>
  transport === undefined ? '–' : TRANSPORT_TITLES[transport];

const timeCells = (times: Times | undefined): string[] =>
  times === undefined ? ['–', '–', '–'] : [times.median, times.p95, times.most].map((ms) => ms.toFixed(1));

function sectionText({ title, words, heads, rows }: Section): string {
  const table = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [title, '-'.repeat(title.length), ...words, ...lines].join('\n');
}

function sectionMarkdown({ title, words, heads, rows }: Section): string {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownCell).join(' | ')} |`;
  const table = [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)];
  return [`## ${title}`, ...words, table.join('\n')].join('\n\n');
}

/** The cells contain text sent by callers, which must not become markup. */
const markdownCell = (cell: string): string => cell.replace(/[\\|`*_<>[\]#&~]/g, '\\$&');
