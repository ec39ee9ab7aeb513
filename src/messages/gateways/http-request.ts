import type { OutgoingMessage } from './gateway.ts';
import { type HttpTemplate, isChoice, type TemplateFields, type TemplateTree } from './http-template.ts';
import { fillPlaceholders, type HttpAccount, type PlaceholderValues, placeholderValues } from './placeholders.ts';

/** A request as it is sent. It contains secrets, a phone number and a text: it must never be logged. */
export type GatewayRequest = ReturnType<typeof writeRequest>;

type Escape = (value: string) => string;

const asIs: Escape = (value) => value;

const ESCAPES = {
  none: asIs,
  xml: (value: string) => value.replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`),
} as const;

/** Header values are visible ASCII: RFC 9110, 5.5. All other characters, in particular line ends, are percent-encoded. */
const inHeader: Escape = (value) => value.replace(/[^\x20-\x7e]+/gu, encodeURIComponent);

/** The request of a checked template for a message. `now` is an instant, ms. Throws a TypeError if its URL is not valid. */
export function writeRequest(
  { method, url: address, query, headers, body }: HttpTemplate,
  account: HttpAccount,
  message: OutgoingMessage,
  now: number,
) {
  const values = placeholderValues(message, account, now);
  const url = new URL(fillPlaceholders(address, values, encodeURIComponent) ?? '');
  for (const [name, value] of fieldsOf(query, values)) url.searchParams.append(name, value);
  // Not every gateway takes a plus sign for a blank.
  url.search = url.search.replaceAll('+', '%20');
  const written = bodyOf(body, values);
  return {
    method,
    url,
    headers: {
      ...(written && { 'Content-Type': written.contentType }),
      ...Object.fromEntries(fieldsOf(headers, values, inHeader)),
    },
    body: written && Buffer.from(written.content),
  };
}

function bodyOf(body: HttpTemplate['body'], values: PlaceholderValues) {
  if (body === undefined) return undefined;
  if ('form' in body) {
    const content = new URLSearchParams(fieldsOf(body.form, values)).toString();
    return { content, contentType: 'application/x-www-form-urlencoded; charset=utf-8' };
  }
  if ('json' in body) {
    const content = JSON.stringify(fill(body.json, values, asIs)) ?? 'null';
    return { content, contentType: 'application/json; charset=utf-8' };
  }
  const content = fillPlaceholders(body.text, values, ESCAPES[body.escape]) ?? '';
  return { content, contentType: body.contentType };
}

const fieldsOf = (fields: TemplateFields, values: PlaceholderValues, escaped: Escape = asIs): [string, string][] =>
  Object.entries(fill(fields, values, escaped) as object)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);

/**
 * A tree of values with their placeholders filled in, before JSON is serialized, so that no value can end its string early. Undefined omits
 * a field: a `?` at the end of its name does so if one of its placeholders has no value.
 */
function fill(tree: TemplateTree, values: PlaceholderValues, escaped: Escape, isOptional = false): unknown {
  if (typeof tree === 'string') return fillPlaceholders(tree, values, escaped, isOptional);
  if (typeof tree !== 'object') return tree;
  if (Array.isArray(tree)) return tree.map((item) => fill(item, values, escaped)).filter((item) => item !== undefined);
  if (isChoice(tree)) {
    const chosen = tree[values[tree.$by]];
    return chosen === undefined ? undefined : fill(chosen, values, escaped, isOptional);
  }
  return Object.fromEntries(
    Object.entries(tree).map(([name, item]) => [
      name.replace(/\?$/, ''),
      fill(item, values, escaped, name.endsWith('?')),
    ]),
  );
}
