import type { DeliveryReceipt } from '../../vocabulary/messages.ts';
import { harmlessCode, harmlessReference, MOST_EVENTS, type SendFate } from './gateway.ts';
import type { GatewayAnswer } from './http-exchange.ts';
import type { AnswerRule, CallbackDescription, FoundAt } from './http-template.ts';

/** The number of characters that regular expressions are applied to. */
const MOST_MATCHED = 4096;

/** What an answer means: the first rule of the template that fits decides; if there is none, the HTTP status does. */
export function fateOf({ status, body, otherwise }: GatewayAnswer, rules: readonly AnswerRule[]): SendFate {
  const head = body.slice(0, MOST_MATCHED);
  const json = readJsonTexts(body);
  const open = createOpen();
  const fits = (rule: AnswerRule): boolean =>
    (rule.status?.some((wanted) => wanted === status || wanted === `${Math.floor(status / 100)}xx`) ?? true) &&
    (rule.body === undefined || new RegExp(rule.body, 'u').test(head)) &&
    Object.entries(rule.json ?? {}).every(([path, texts]) => texts.includes(textAt(json, path, open) ?? ''));
  const found = (at: FoundAt | undefined): string | undefined => {
    if (at === undefined) return undefined;
    return 'json' in at ? textAt(json, at.json, open) : new RegExp(at.match, 'u').exec(head)?.[1];
  };
  const rule = rules.find(fits);
  if (otherwise !== undefined && rule?.means !== 'submitted') return otherwise;
  if (rule === undefined && status >= 200 && status < 300) {
    return { kind: 'not-understood', code: `not-understood:${formOf(head)}` };
  }
  if (rule === undefined) return { kind: kindOf(status), code: `http-${status}` };
  return rule.means === 'submitted'
    ? { kind: 'submitted', reference: harmlessReference(found(rule.reference)) }
    : { kind: rule.means, code: harmlessCode(found(rule.code)) ?? `http-${status}` };
}

/**
 * A redirection, 401, 402, 403, 404, 405 or 407 means that our own address, key or account is at fault, and no message may be lost because
 * of that. After a 5xx other than 503, it is unknown whether the message was accepted.
 */
function kindOf(status: number): 'unavailable' | 'failed' | 'refused' | 'unknown' {
  if ([401, 402, 403, 404, 405, 407, 429, 503].includes(status)) return 'unavailable';
  if (status < 200 || (status >= 300 && status < 400)) return 'unavailable';
  if (status === 408 || status === 425) return 'failed';
  return status >= 400 && status < 500 ? 'refused' : 'unknown';
}

const FORMS: Readonly<Record<string, RegExp>> = {
  empty: /^\s*$/,
  json: /^\s*[[{]/,
  html: /^\s*<(?:!doctype )?html/i,
  xml: /^\s*</,
};

/** What an answer looks like, for whoever has to find out why no rule fits it. */
const formOf = (head: string): string => Object.entries(FORMS).find(([, form]) => form.test(head))?.[0] ?? 'text';

const LONGEST_VALUE = 256;

/** The receipts in a callback, as a template describes them; none if it contains nothing that is recognized. */
export function receiptsIn(query: string, body: string, description: CallbackDescription): readonly DeliveryReceipt[] {
  // A form or JSON, distinguished by its first character, because providers are careless about its content type.
  const json = /^\s*[[{]/.test(body) ? readJsonTexts(body) : undefined;
  // Read leniently: a value that cannot be decoded is not a status, but no reason to reject the rest.
  const texts = new URLSearchParams(json === undefined ? `${query}&${body}` : query);
  const fields = Object.fromEntries(texts);
  // Values in the query apply to every event of the body.
  const whole = isJsonObject(json) ? { ...fields, ...json } : (json ?? fields);
  const open = createOpen();
  for (const path of description.events) {
    const events = objectsAt(whole, path, open);
    if (events.length > 0) return events.flatMap((scopes) => receiptOf([...scopes, fields], open, description));
  }
  return [];
}

/** `scopes`: the objects in which a value is looked up, in this order. */
function receiptOf(scopes: readonly JsonObject[], open: Open, description: CallbackDescription): DeliveryReceipt[] {
  // An absent name leads to the object itself, which is no text.
  const fieldText = (name = ''): string | undefined =>
    scopes
      .map((scope) => textAt(scope, name, open))
      .find((text) => text !== undefined)
      ?.slice(0, LONGEST_VALUE);
  const status = description.statuses.find(({ name, match }) => new RegExp(match, 'u').test(fieldText(name) ?? ''));
  const messageId = smsId(fieldText(description.messageId));
  const reference = harmlessReference(fieldText(description.reference));
  if (status === undefined || (messageId === undefined && reference === undefined)) return [];
  return [{ messageId, reference, status: status.means, code: harmlessCode(fieldText(description.code)) }];
}

/** An SMSID is an xsd:int, and the database accepts no greater number. */
const LARGEST_ID = 0x7fffffff;

const smsId = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,9}$/.test(text) && Number(text) <= LARGEST_ID ? Number(text) : undefined;

/** A string matches as far as it goes, also if it is not closed, so that no number inside it does. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/gs;

/**
 * Parses JSON, also between other text, such as a warning of PHP, and with line breaks in its texts; undefined if it is not JSON. Its numbers
 * become texts as they are written, because ids of 19 digits do not fit into a double. A reviver that does the same takes five times as long.
 */
function readJsonTexts(text: string): unknown {
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}')) + 1;
  for (const json of [text, text.slice(text.search(/[[{]\s*["[{]/), end)]) {
    try {
      return JSON.parse(
        json
          .replace(/\p{Cc}/gu, ' ')
          .replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)),
      );
    } catch {
      // Not JSON.
    }
  }
  return undefined;
}

type JsonObject = Readonly<Record<string, unknown>>;

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Open = (value: unknown) => unknown;

/**
 * For a value that a path leads into. If it is a text, some providers have put JSON there: it is parsed, but once, whatever it is, because
 * many events may be beside it, and no more of them than events.
 */
function createOpen(): Open {
  const parsed = new Map<string, unknown>();
  const parse = (text: string): unknown => (/^\s*[[{]/.test(text) ? readJsonTexts(text) : undefined);
  return (value) => {
    if (typeof value !== 'string') return value;
    return parsed.size < MOST_EVENTS ? parsed.getOrInsertComputed(value, parse) : parsed.get(value);
  };
}

function childOf(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as JsonObject)[step];
}

/** The value at a path such as `messages.0.id`, as text; undefined if there is none. */
function textAt(value: unknown, path: string, open: Open): string | undefined {
  let at = value;
  for (const step of path === '' ? [] : path.split('.')) at = childOf(open(at), step);
  return typeof at === 'string' || typeof at === 'boolean' ? String(at) : undefined;
}

/** The objects at a path, each with the objects that enclose it, innermost first; `*` is every item. At most MOST_EVENTS. */
function objectsAt(value: unknown, path: string, open: Open): readonly (readonly JsonObject[])[] {
  const found: (readonly JsonObject[])[] = [];
  const walk = (value: unknown, steps: readonly string[], around: readonly JsonObject[]): void => {
    if (found.length >= MOST_EVENTS) return;
    const at = open(value);
    const scopes = isJsonObject(at) ? [at, ...around] : around;
    const [step, ...rest] = steps;
    if (step === undefined) {
      if (isJsonObject(at)) found.push(scopes);
    } else if (step !== '*') walk(childOf(at, step), rest, scopes);
    else if (Array.isArray(at)) for (const item of at) walk(item, rest, scopes);
  };
  walk(value, path === '' ? [] : path.split('.'), []);
  return found;
}
