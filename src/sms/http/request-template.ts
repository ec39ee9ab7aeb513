import type { OutgoingMessage } from '../gateway.ts';
import {
  type CompiledText,
  compileText,
  type HttpAccount,
  type PlaceholderValues,
  placeholderValues,
} from './placeholders.ts';
import type { HttpTemplate, TemplateTree, TemplateValue } from './template-schema.ts';

/** A request as it is sent. It contains secrets, a phone number and a text: it must never be logged. */
export interface GatewayRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

export type WriteRequest = (message: OutgoingMessage, now: number) => GatewayRequest;

/** Undefined omits the field. */
type CompiledValue = (values: PlaceholderValues) => string | number | boolean | undefined;
type CompiledTree = (values: PlaceholderValues) => unknown;
type CompiledFields = (values: PlaceholderValues) => [string, string][];

const asIs = (value: string): string => value;

const ESCAPES = {
  none: asIs,
  url: encodeURIComponent,
  json: (value: string) => JSON.stringify(value).slice(1, -1),
  xml: (value: string) => value.replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`),
} as const;

/** Header values are visible ASCII: RFC 9110, 5.5. All other characters, in particular line ends, are percent-encoded. */
const headerValue = (value: string): string => value.replace(/[^\x20-\x7e]+/gu, encodeURIComponent);

/** Compiles a checked template once. Throws a TypeError if its URL is not valid. */
export function compileRequest(template: HttpTemplate, account: HttpAccount): WriteRequest {
  const { method } = template;
  const writeUrl = compileText(template.url, encodeURIComponent);
  const query = compileFields(template.query, asIs);
  const headers = compileFields(template.headers, headerValue);
  const writeBody = compileBody(template);
  return (message, now) => {
    const values = placeholderValues(message, account, now);
    const url = new URL(writeUrl(values).text);
    for (const [name, value] of query(values)) url.searchParams.append(name, value);
    const { body, contentType } = writeBody(values);
    return {
      method,
      url,
      headers: {
        ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
        ...Object.fromEntries(headers(values)),
      },
      body,
    };
  };
}

interface WrittenBody {
  readonly body: Buffer | undefined;
  readonly contentType: string | undefined;
}

function compileBody({ body }: HttpTemplate): (values: PlaceholderValues) => WrittenBody {
  if (body === undefined) return () => ({ body: undefined, contentType: undefined });
  if ('form' in body) {
    const fields = compileFields(body.form, asIs);
    return (values) => ({
      body: Buffer.from(new URLSearchParams(fields(values)).toString()),
      contentType: 'application/x-www-form-urlencoded; charset=utf-8',
    });
  }
  if ('json' in body) {
    const tree = compileTree(body.json);
    return (values) => ({
      body: Buffer.from(JSON.stringify(tree(values)) ?? 'null'),
      contentType: 'application/json; charset=utf-8',
    });
  }
  const text = compileText(body.text, ESCAPES[body.escape]);
  return (values) => ({ body: Buffer.from(text(values).text), contentType: body.contentType });
}

/** A `?` at the end of a name omits the parameter if one of its placeholders has no value. */
function nameOf(written: string): { readonly name: string; readonly optional: boolean } {
  const optional = written.endsWith('?');
  return { name: optional ? written.slice(0, -1) : written, optional };
}

function compileFields(
  fields: Readonly<Record<string, TemplateValue>>,
  escaped: (value: string) => string,
): CompiledFields {
  const compiled = Object.entries(fields).map(([written, value]) => {
    const { name, optional } = nameOf(written);
    return { name, write: compileValue(value, optional, escaped) };
  });
  return (values) =>
    compiled.flatMap(({ name, write }) => {
      const value = write(values);
      return value === undefined ? [] : [[name, String(value)]];
    });
}

function compileValue(value: TemplateValue, optional: boolean, escaped: (value: string) => string): CompiledValue {
  if (typeof value === 'string') return textOrNothing(compileText(value, escaped), optional);
  if (typeof value !== 'object') return () => value;
  const { $by, ...cases } = value;
  const compiled = new Map<string, CompiledValue>();
  for (const [name, of] of Object.entries(cases)) compiled.set(name, compileValue(of, optional, escaped));
  return (values) => compiled.get(values[$by])?.(values);
}

const textOrNothing =
  (compiled: CompiledText, optional: boolean): CompiledValue =>
  (values) => {
    const { text, lacks } = compiled(values);
    return lacks && optional ? undefined : text;
  };

const isValue = (tree: TemplateTree): tree is TemplateValue =>
  typeof tree !== 'object' || (!Array.isArray(tree) && '$by' in tree);

/** JSON whose texts are filled in before it is serialized, so that no value can end its string early. */
function compileTree(tree: TemplateTree, optional = false): CompiledTree {
  if (isValue(tree)) return compileValue(tree, optional, asIs);
  if (Array.isArray(tree)) {
    const items = tree.map((item) => compileTree(item));
    return (values) => items.map((item) => item(values)).filter((item) => item !== undefined);
  }
  const members = Object.entries(tree as Readonly<Record<string, TemplateTree>>).map(([written, item]) => {
    const { name, optional: mayLack } = nameOf(written);
    return [name, compileTree(item, mayLack)] as const;
  });
  return (values) => Object.fromEntries(members.map(([name, write]) => [name, write(values)]));
}
