import type { OutgoingMessage } from '../gateway.ts';
import type { HttpTemplate, TemplateTree, TemplateValue } from './http-template.ts';
import { fillPlaceholders, type HttpAccount, type PlaceholderValues, placeholderValues } from './placeholders.ts';

/** A request as it is sent. It contains secrets, a phone number and a text: it must never be logged. */
export interface GatewayRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

type Escape = (value: string) => string;

const asIs: Escape = (value) => value;

const ESCAPES = {
  none: asIs,
  url: encodeURIComponent,
  json: (value: string) => JSON.stringify(value).slice(1, -1),
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
): GatewayRequest {
  const values = placeholderValues(message, account, now);
  const url = new URL(fillPlaceholders(address, values, encodeURIComponent) ?? '');
  for (const [name, value] of fieldsOf(query, values)) url.searchParams.append(name, value);
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

function bodyOf(
  body: HttpTemplate['body'],
  values: PlaceholderValues,
): { readonly content: string; readonly contentType: string } | undefined {
  if (body === undefined) return undefined;
  if ('form' in body) {
    const content = new URLSearchParams(fieldsOf(body.form, values)).toString();
    return { content, contentType: 'application/x-www-form-urlencoded; charset=utf-8' };
  }
  if ('json' in body) {
    const content = JSON.stringify(treeOf(body.json, values)) ?? 'null';
    return { content, contentType: 'application/json; charset=utf-8' };
  }
  const content = fillPlaceholders(body.text, values, ESCAPES[body.escape]) ?? '';
  return { content, contentType: body.contentType };
}

/** A `?` at the end of a name omits the parameter if one of its placeholders has no value. */
const isOptional = (name: string): boolean => name.endsWith('?');
const plainName = (name: string): string => name.replace(/\?$/, '');

const fieldsOf = (
  fields: Readonly<Record<string, TemplateValue>>,
  values: PlaceholderValues,
  escaped: Escape = asIs,
): [string, string][] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const value = fieldValue(field, values, escaped, isOptional(name));
    return value === undefined ? [] : [[plainName(name), String(value)]];
  });

/** Undefined omits the field. */
function fieldValue(
  value: TemplateValue,
  values: PlaceholderValues,
  escaped: Escape,
  optional: boolean,
): string | number | boolean | undefined {
  if (typeof value === 'string') return fillPlaceholders(value, values, escaped, optional);
  if (typeof value !== 'object') return value;
  const chosen = value[values[value.$by]];
  return chosen === undefined ? undefined : fieldValue(chosen, values, escaped, optional);
}

const isValue = (tree: TemplateTree): tree is TemplateValue =>
  typeof tree !== 'object' || (!Array.isArray(tree) && '$by' in tree);

/** JSON whose texts are filled in before it is serialized, so that no value can end its string early. */
function treeOf(tree: TemplateTree, values: PlaceholderValues, optional = false): unknown {
  if (isValue(tree)) return fieldValue(tree, values, asIs, optional);
  if (Array.isArray(tree)) return tree.map((item) => treeOf(item, values)).filter((item) => item !== undefined);
  return Object.fromEntries(
    Object.entries(tree).map(([name, item]) => [plainName(name), treeOf(item, values, isOptional(name))]),
  );
}
