import type { DeliveryReceipt } from '../gateway.ts';
import { harmlessCode, harmlessReference } from '../harmless-code.ts';
import { isJsonObject, type JsonObject, objectsAt, readJsonTexts, textAt } from './json-paths.ts';
import type { CallbackDescription } from './template-schema.ts';

/** A status call-back as it came. */
interface StatusCall {
  /** Of the URL, without its question mark. */
  readonly query: string;
  /** A form or JSON, told by how it begins: providers are careless about its type. */
  readonly body: string;
}

/** The receipts of a call-back; none if it says nothing that is known. */
export type ReadStatusCall = (call: StatusCall) => readonly DeliveryReceipt[];

const MOST_EVENTS = 1000;
const LONGEST_VALUE = 256;

/** Compiles a template's description of call-backs once. */
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
    // What the query says holds for every event of the body.
    const whole = isJsonObject(json) ? { ...fields, ...json } : fields;
    for (const path of description.events) {
      const events = Array.isArray(json) ? objectsAt(json, path, MOST_EVENTS) : objectsAt(whole, path, MOST_EVENTS);
      if (events.length > 0) return events.flatMap((scopes) => receiptOf([...scopes, fields]));
    }
    return [];
  };
}

/** Read leniently: what cannot be decoded is no status, and no reason to refuse the rest. */
const fieldsOf = (form: string): Readonly<Record<string, string>> => Object.fromEntries(new URLSearchParams(form));

function valueIn(scopes: readonly JsonObject[], name: string): string | undefined {
  for (const scope of scopes) {
    const value = textAt(scope, name);
    if (value !== undefined) return value.slice(0, LONGEST_VALUE);
  }
  return undefined;
}

/** An SMSID is an xsd:int; the database takes no greater number. */
const LARGEST_ID = 0x7fffffff;

const smsId = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,9}$/.test(text) && Number(text) <= LARGEST_ID ? Number(text) : undefined;
