import type { Config } from '../../settings/config.ts';
import { namedText } from '../../settings/named-file.ts';
import type { AuditEvent } from '../../store/queries/audit-queries.ts';
import type { Queries } from '../../store/store.ts';
import { Html, type HtmlValue, html } from '../../transports/pages/html.ts';
import { ERASED_NAME } from '../../vocabulary/patients.ts';
import { oneOf, visibleText } from '../../vocabulary/text.ts';
import { UsageError } from '../command-host.ts';
import { DETAILS } from './correct-records.ts';
import type { AboutRecords, PatientRecords } from './patient-records.ts';

/** The texts of the page in each language. A hospital adds its own to a copy, or changes its purposes there. */
export const PAGE_TEXTS = new URL('page-texts.json', import.meta.url);

/** Reads the texts of a language (BCP 47), in English where it has none. Throws UsageError if the file has no such language. */
export function readTexts(file: URL | string, language: string) {
  const read = (path: URL | string): Readonly<Record<string, Readonly<Record<string, string>>>> => {
    try {
      return JSON.parse(namedText(path));
    } catch {
      throw new UsageError(`--texts: ${path} cannot be read; expected a JSON file such as page-texts.json.`);
    }
  };
  const languages = read(file);
  if (!Object.hasOwn(languages, language)) {
    throw new UsageError(`--language: expected ${oneOf(Object.keys(languages))}.`);
  }
  const texts = { ...read(PAGE_TEXTS).en, ...languages[language] };
  /** The text with values in place of `{name}`. */
  const say = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    (texts[key] ?? key).replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  return { language, has: (key: string) => texts[key] !== undefined, say };
}

const STYLE = `:root{color-scheme:light dark}body{font:11pt/1.45 sans-serif;max-width:48em;margin:2em auto;padding:0 1em}
h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em;border-bottom:1px solid #999}h3{font-size:1em;margin-bottom:.3em}
section,tr{break-inside:avoid}h2,h3{break-after:avoid}
dl{display:grid;grid-template-columns:14em 1fr;gap:.15em 1em;margin:0}dt{color:light-dark(#555,#aaa)}dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}th,td{text-align:start;vertical-align:top;padding-block:.25em;padding-inline-end:.6em;border-bottom:1px solid #ddd}
@media print{:root{color-scheme:light}body{margin:0;max-width:none}}@page{margin:2cm}`;

interface Page {
  readonly texts: ReturnType<typeof readTexts>;
  readonly config: Config;
  /** Instant, ms. */
  readonly now: number;
  /** The name of the file with every value. */
  readonly file: string;
}

/** What is stored, for the person whom it is about: a page in words, which can be printed and loads nothing. */
export async function patientPage(
  queries: Queries,
  records: PatientRecords,
  about: AboutRecords,
  page: Page,
): Promise<string> {
  const { texts, config, now, file } = page;
  const { language, say, has } = texts;
  const { timeZone } = config.hospital;
  const shape = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  const wall = new Intl.DateTimeFormat(language, shape);
  const own = new Intl.DateTimeFormat(language, { ...shape, timeZone });
  const instant = (ms: number) => `${own.format(ms)} (${timeZone})`;
  const wordOf = (kind: string, code: number | string) => (has(`${kind}.${code}`) ? say(`${kind}.${code}`) : `${code}`);

  /** The network of a caller that is not identified stays behind it. */
  const sayClient = (client: string) => client.replace(/^anonymous(?= |$)/, () => say('anonymous'));

  /** The names of values, without those that are empty. */
  const list = (values: Readonly<Record<string, string | number | null | undefined>>): Html =>
    html`<dl>${Object.entries(values).flatMap(([key, value]) =>
      value === null || value === undefined
        ? []
        : [html`<dt>${say(key)}</dt><dd dir="auto">${visibleLines(`${value}`)}</dd>`],
    )}</dl>`;
  const section = (
    what: 'appointments' | 'feedback' | 'messages' | 'auditEvents',
    key: string,
    items: readonly HtmlValue[],
  ) => {
    const days = config.retentionDays[what] ?? Number.POSITIVE_INFINITY;
    const kept = Number.isFinite(days) ? say('keptDays', { days }) : say('keptForever');
    return html`<h2>${say(key)}</h2>
<p>${say(`${key}.why`)} ${kept}</p>
${items.length === 0 ? html`<p>${say('none')}</p>` : items}`;
  };

  const reference = await queries.reference();
  const appointments: Html[] = [];
  for (const row of records.appointments) {
    const center = reference.center(row.center_id);
    const doctor = reference.doctor(row.center_id, row.doctor_id);
    const zone = center?.timeZone ?? timeZone;
    appointments.push(
      html`<section><h3>${say('appointment', { number: row.id })}</h3>${list({
        start: `${wall.format(row.start_wall_minute * 60_000)} (${zone})`,
        center: center?.name ?? row.center_id,
        doctor: doctor?.name ?? row.doctor_id,
        status: wordOf('status', row.status),
        token: row.token_no,
        moved: row.reschedule_count === 0 ? null : say('times', { count: row.reschedule_count }),
        name: row.name ?? ERASED_NAME,
        title_: row.title,
        sex: row.sex_text ?? wordOf('sex', row.sex),
        age: row.age_value === null ? null : say(`age.${row.age_unit}`, { age: row.age_value }),
        area: row.area,
        registration: row.registration_number,
        phone: row.phone,
        email: row.email,
        created: instant(row.created_on),
        updated: instant(row.updated_on),
      })}</section>`,
    );
  }
  const feedback = records.feedback.map(
    (row) =>
      html`<section><h3>${say('oneFeedback', { number: row.id })}</h3>${list({
        inpatient: row.inpatient_number ?? ERASED_NAME,
        room: row.room,
        phone: row.mobile,
        department: row.department,
        comment: row.comment,
        received: instant(row.received_on),
        sender: sayClient(row.client),
      })}</section>`,
  );
  const messages = records.messages.map(
    (row) =>
      html`<section><h3>${say('message', { number: row.id })}</h3>${list({
        to: row.mobile ?? ERASED_NAME,
        text: row.text,
        kind: wordOf('kind', row.mode),
        status: wordOf('sms', row.status),
        queued: instant(row.queued_on),
        submitted: row.submitted_on === null ? null : instant(row.submitted_on),
        gateway: row.gateway,
      })}</section>`,
  );

  /** The records of the patient that an event is about: a list also shows those of others. */
  const names = new Map<string, string>([
    ...records.appointments.map(
      ({ center_id: center, id }) => [`${center}/${id}`, say('appointment', { number: id })] as const,
    ),
    ...records.feedback.map(({ id }) => [`feedback:${id}`, say('oneFeedback', { number: id })] as const),
    ...records.messages.map(({ id }) => [`message:${id}`, say('message', { number: id })] as const),
  ]);
  const recordsOf = ({ centerId, appointmentId, feedbackId, messageId, shown }: AuditEvent) =>
    [`${centerId}/${appointmentId}`, `feedback:${feedbackId}`, `message:${messageId}`, ...(shown?.split(' ') ?? [])]
      .flatMap((name) => names.get(name) ?? [])
      .join(', ');
  const whoOf = ({ operator, client }: AuditEvent) =>
    operator !== null ? say('operator', { operator }) : sayClient(client);
  const whatOf = ({ operation, outcome, corrected }: AuditEvent) => {
    const what = wordOf('op', operation ?? '?');
    const details = Object.entries(DETAILS).flatMap(([key, parameter]) =>
      // `title` is that of the page.
      corrected?.split(',').includes(parameter) ? say(key === 'title' ? 'title_' : key) : [],
    );
    return outcome === 0 ? [what, ...details].join(', ') : say('refused', { what });
  };
  const events = about.audit.map(
    (event) =>
      html`<tr><td>${instant(event.recordedOn)}</td><td>${whoOf(event)}</td><td>${whatOf(event)}</td><td>${recordsOf(event)}</td></tr>`,
  );
  const heading = ['when', 'who', 'what', 'record'].map((key) => html`<th scope="col">${say(key)}</th>`);
  const lastAnswer = about.answers.reduce((latest, row) => Math.max(latest, row.used_on), 0);
  return html`<!DOCTYPE html>
<html lang="${language}" dir="${new Intl.Locale(language).getTextInfo().direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${say('title')}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<h1>${say('title')}</h1>
<p>${say('written', { time: instant(now) })} ${say('whole', { file })}</p>
${section('appointments', 'appointments', appointments)}
${section('feedback', 'feedback', feedback)}
${section('messages', 'messages', messages)}
<h2>${say('answers')}</h2>
<p>${say('answers.why')} ${about.answers.length === 0 ? say('none') : say('answers.count', { count: about.answers.length, time: instant(lastAnswer) })}</p>
${section('auditEvents', 'events', events.length === 0 ? [] : [html`<table><thead><tr>${heading}</tr></thead><tbody>${events}</tbody></table>`])}
</main>
</body>
</html>
`.text;
}

/** Invisible characters as escapes, except for line breaks. */
const visibleLines = (text: string): string => text.split('\n').map(visibleText).join('\n');
