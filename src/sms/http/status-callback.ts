import type { DeliveryReceipt } from '../gateway.ts';
import { harmlessCode, harmlessReference } from '../harmless-code.ts';
import { isJsonObject, type JsonObject, objectsAt, readJsonTexts, textAt } from './json-paths.ts';
import type { CallbackDescription } from './template-schema.ts';

/** A status callback as it was received. */
interface StatusCall {
  /** Query of the URL, without the question mark. */
  readonly query: string;
  /** A form or JSON, distinguished by its first character, because providers are careless about its content type. */
  readonly body: string;
}

/** The receipts in a callback; none if it contains nothing that is recognized. */
export type ReadStatusCall = (call: StatusCall) => readonly DeliveryReceipt[];

const MOST_EVENTS = 1000;
const LONGEST_VALUE = 256;

/** Compiles a template's description of callbacks once. */
export function compileStatusReader(description: CallbackDescription): ReadStatusCall {
  const statuses = description.statuses.map(({ name, match, means }) => ({
    name,
    pattern: new RegExp(match, 'u'),
    means,
  }));

  function receiptOf(scopes: readonly JsonObject[]): readonly DeliveryReceipt[] {
    const value = (name: string | undefined) => (name === undefined ? undefined : valueIn(scopes, name));
    const status = statuses.find(({ name, pattern }) => pattern.test(value(name) ?? ''));
    const messageId = smsId(value(description.messageId));
    const reference = harmlessReference(value(description.reference));
    if (status === undefined || (messageId === undefined && reference === undefined)) return [];
    return [{ messageId, reference, status: status.means, code: harmlessCode(value(description.code)) }];
  }

  return ({ query, body }) => {
    const json = /^\s*[[{]/.test(body) ? readJsonTexts(body) : undefined;
    const fields = fieldsOf(json === undefined ? `${query}&${body}` : query);
    // Values in the query apply to every event of the body.
    const whole = isJsonObject(json) ? { ...fields, ...json } : fields;
    for (const path of description.events) {
      const events = Array.isArray(json) ? objectsAt(json, path, MOST_EVENTS) : objectsAt(whole, path, MOST_EVENTS);
      if (events.length > 0) return events.flatMap((scopes) => receiptOf([...scopes, fields]));
    }
    return [];
  };
}

/** Read leniently: a value that cannot be decoded is not a status, but no reason to reject the rest. */
const fieldsOf = (form: string): Readonly<Record<string, string>> => Object.fromEntries(new URLSearchParams(form));

function valueIn(scopes: readonly JsonObject[], name: string): string | undefined {
  for (const scope of scopes) {
    const value = textAt(scope, name);
    if (value !== undefined) return value.slice(0, LONGEST_VALUE);
  }
  return undefined;
}

/** An SMSID is an xsd:int, and the database accepts no greater number. */
const LARGEST_ID = 0x7fffffff;

const smsId = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,9}$/.test(text) && Number(text) <= LARGEST_ID ? Number(text) : undefined;
