import type { DeliveryReceipt } from '../../vocabulary/messages.ts';
import { harmlessCode, harmlessReference, type StatusCallback } from '../gateway.ts';
import type { CallbackDescription } from './http-template.ts';
import { isJsonObject, type JsonObject, objectsAt, readJsonTexts, textAt } from './json-paths.ts';

const MOST_EVENTS = 1000;
const LONGEST_VALUE = 256;

/** The receipts in a callback, as a template describes them; none if it contains nothing that is recognized. */
export function receiptsIn(
  { query, body }: StatusCallback,
  description: CallbackDescription,
): readonly DeliveryReceipt[] {
  // A form or JSON, distinguished by its first character, because providers are careless about its content type.
  const json = /^\s*[[{]/.test(body) ? readJsonTexts(body) : undefined;
  // Read leniently: a value that cannot be decoded is not a status, but no reason to reject the rest.
  const fields = Object.fromEntries(new URLSearchParams(json === undefined ? `${query}&${body}` : query));
  // Values in the query apply to every event of the body.
  const whole = Array.isArray(json) ? json : { ...fields, ...(isJsonObject(json) && json) };
  for (const path of description.events) {
    const events = objectsAt(whole, path, MOST_EVENTS);
    if (events.length > 0) return events.flatMap((scopes) => receiptOf([...scopes, fields], description));
  }
  return [];
}

/** `scopes`: the objects in which a value is looked up, in this order. */
function receiptOf(scopes: readonly JsonObject[], description: CallbackDescription): readonly DeliveryReceipt[] {
  const textOf = (name: string | undefined): string | undefined =>
    name === undefined
      ? undefined
      : scopes
          .map((scope) => textAt(scope, name))
          .find((value) => value !== undefined)
          ?.slice(0, LONGEST_VALUE);
  const status = description.statuses.find(({ name, match }) => new RegExp(match, 'u').test(textOf(name) ?? ''));
  const messageId = smsId(textOf(description.messageId));
  const reference = harmlessReference(textOf(description.reference));
  if (status === undefined || (messageId === undefined && reference === undefined)) return [];
  return [{ messageId, reference, status: status.means, code: harmlessCode(textOf(description.code)) }];
}

/** An SMSID is an xsd:int, and the database accepts no greater number. */
const LARGEST_ID = 0x7fffffff;

const smsId = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,9}$/.test(text) && Number(text) <= LARGEST_ID ? Number(text) : undefined;
