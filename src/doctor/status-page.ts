import { type Html, html, table } from '../transports/pages/html.ts';
import { type Page, page } from '../transports/pages/page.ts';
import { quantity } from '../vocabulary/text.ts';
import { wallMinuteAt } from '../vocabulary/time-zone.ts';
import { VERSION } from '../vocabulary/version.ts';
import { formatClock, minuteOfDay } from '../vocabulary/wall-minute.ts';
import { type Counts, type DayHistory, p99, type Quarter, refusals, total } from './day-history.ts';
import { type Finding, ok, type Verdict, wrong } from './finding.ts';
import type { Readiness } from './readiness.ts';
import { spanText } from './records.ts';

export interface StatusPageDependencies {
  readonly readiness: Readiness;
  readonly history: DayHistory;
  readonly timeZone: string;
  /** ms since the epoch, now and when the process started. */
  readonly clock: () => number;
  readonly startedOn: number;
  readonly findings: (limitMs: number) => Promise<readonly Finding[]>;
}

/** How long the database may take. */
const LIMIT_MS = 2000;
const REFRESH_SECONDS = 60;
const WIDTH = 960;
const HEIGHT = 120;

/** What an operator looks at: whether all is well, what happened in the last 24 hours of this process, and what waits. */
export async function statusPage(dependencies: StatusPageDependencies): Promise<Page> {
  const { history, timeZone, clock, startedOn } = dependencies;
  const quarters = history.quarters();
  const findings = [...(await ownFindings(dependencies)), ...(await dependencies.findings(LIMIT_MS))];
  const flaws = findings.filter(({ verdict }) => verdict !== 'ok');
  const isWrong = flaws.some(({ verdict }) => verdict === 'wrong');
  const clockOf = (instant: number) => formatClock(minuteOfDay(wallMinuteAt(instant, timeZone)));
  const day = total(quarters);
  const hours = [...Map.groupBy(quarters, ({ begins }) => Math.floor(wallMinuteAt(begins, timeZone) / 60))]
    .map(([hour, some]) => ({ begins: formatClock(minuteOfDay(hour * 60)), counts: total(some) }))
    .filter(({ counts }) => PLOTS.some(({ of }) => (of(counts) ?? 0) > 0));
  const body = html`<p class="outcome ${isWrong ? 'bad' : 'good'}"><strong>${summary(flaws)}</strong>
TPWebServices ${VERSION}, running for ${spanText(clock() - startedOn)}; looked at ${clockOf(clock())}, and again every ${REFRESH_SECONDS} seconds.</p>
<p>What <code>tpws doctor</code> finds without taking long.</p>
${table(
  ['What', 'Found'],
  [...flaws, ...findings.filter((finding) => !flaws.includes(finding))].map(({ subject, text, verdict }) => [
    html`${subject} <span class="${verdict === 'wrong' ? 'kind fault' : 'kind'}">${verdict}</span>`,
    text,
  ]),
)}
<h2>The last 24 hours of this process</h2>
<p>Counted in this process's memory since it started: another replica counts its own, and a restart begins anew. Each bar is a quarter of an hour,
from ${clockOf(quarters[0]?.begins ?? 0)} yesterday to now.</p>
${PLOTS.map((plot) => figure(plot, quarters, day, clockOf))}
<h3>Refusals and faults by code</h3>
${listOrNone(
  ['Code', 'Count'],
  [...day.refused].sort(([, a], [, b]) => b - a),
)}
<h3>By hour</h3>
${listOrNone(
  ['From', ...PLOTS.map(({ title }) => title)],
  // The second column has no title on a narrow screen.
  hours.map(({ begins, counts }) => [
    begins,
    ...PLOTS.map((plot, index) => (index === 0 ? quantity(counts.durations.count, 'call') : figureText(plot, counts))),
  ]),
)}
<p>Hours without calls and waiting messages are left out.</p>`;
  const { html: text, headers } = page({ title: 'Status', header: html`<h1>Status</h1>`, body, hasForm: false });
  return { html: text, headers: { ...headers, Refresh: String(REFRESH_SECONDS) } };
}

/** One sentence: what is wrong, else what a person should judge. */
function summary(flaws: readonly Finding[]): string {
  const subjectsOf = (verdict: Verdict) =>
    [...new Set(flaws.filter((flaw) => flaw.verdict === verdict).map(({ subject }) => subject))].join(', ');
  const [bad, doubtful] = [subjectsOf('wrong'), subjectsOf('warning')];
  if (bad !== '') return `Wrong: ${bad}.`;
  return doubtful === '' ? 'All is well.' : `Calls are answered; to be judged: ${doubtful}.`;
}

const listOrNone = (...[columns, rows]: Parameters<typeof table>): Html =>
  rows.length === 0 ? html`<p>None.</p>` : table(columns, rows);

/** What only this process can know of itself. */
async function ownFindings({ readiness, history }: StatusPageDependencies): Promise<readonly Finding[]> {
  // While only writes fail, calls can be answered. The current quarter may just have begun.
  const { refused } = total(history.quarters().slice(-2));
  const failed = (refused.get('Unavailable') ?? 0) + (refused.get('Internal') ?? 0);
  const reason = await readiness.check();
  return [
    reason === undefined
      ? ok('readiness', 'Calls can be answered')
      : wrong('readiness', `${reason} docs/operators/operating.md says what to do.`),
    failed === 0
      ? ok('calls', 'None failed in this quarter of an hour and the one before')
      : wrong(
          'calls',
          `${quantity(failed, 'call')} failed in this quarter of an hour and the one before; the log says why (call failed).`,
        ),
  ];
}

interface Plot {
  readonly title: string;
  readonly of: (counts: Counts) => number | undefined;
  /** In ms, to a tenth if it is short. */
  readonly isTime?: true;
  /** Said where there is no figure. */
  readonly none?: string;
}

const PLOTS: readonly Plot[] = [
  { title: 'Calls', of: ({ durations }) => durations.count },
  { title: 'Refusals and faults', of: refusals },
  { title: 'p99', of: p99, isTime: true, none: 'no calls' },
  { title: 'Most waiting messages', of: ({ waiting }) => waiting, none: 'not counted yet' },
];

function figureText({ of, isTime, none = '' }: Plot, counts: Counts): string {
  const value = of(counts);
  if (value === undefined) return none;
  return isTime ? `${value.toFixed(value < 10 ? 1 : 0)} ms` : String(value);
}

/** A bar for each quarter of an hour, with the figures as text. */
function figure(plot: Plot, quarters: readonly Quarter[], day: Counts, clockOf: (ms: number) => string): Html {
  const values = quarters.map((quarter) => plot.of(quarter) ?? 0);
  const most = Math.max(...values);
  const highest = quarters[values.lastIndexOf(most)];
  const parts = [`${plot.title} in 24 hours: ${figureText(plot, day)}`];
  if (most > 0 && highest !== undefined) {
    parts.push(`the most in a quarter of an hour: ${figureText(plot, highest)} from ${clockOf(highest.begins)}`);
    parts.push(`in this one: ${figureText(plot, quarters.at(-1) ?? day)}`);
  }
  const text = parts.join('; ');
  const step = WIDTH / quarters.length;
  const bars = values.flatMap((value, index) => {
    const height = (value / most) * HEIGHT;
    return value === 0
      ? []
      : html`<rect x="${index * step}" y="${HEIGHT - height}" width="${step - 1}" height="${height}"/>`;
  });
  return html`<figure class="plot"><figcaption>${text}.</figcaption>
<div class="scale"><span>${most > 0 ? figureText(plot, highest ?? day) : undefined}</span><span>0</span></div>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${text}" preserveAspectRatio="none">${bars}<path d="M0 ${HEIGHT}H${WIDTH}"/></svg>
<div class="hours">${[0, 1, 2, 3].map((sixth) => html`<span>${clockOf(quarters[sixth * 24]?.begins ?? 0)}</span>`)}<span>now</span></div></figure>`;
}
