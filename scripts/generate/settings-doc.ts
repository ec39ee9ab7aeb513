import { SETTING_GROUPS } from '../../src/settings/config.ts';
import type { Setting } from '../../src/settings/setting.ts';
import { regenerated, table } from './markdown.ts';

/** The parts of a zod schema that matter here: following `in` through the wrappers leads to the text with its default and description. */
interface Described {
  readonly description?: string | undefined;
  readonly def: { readonly type: string; readonly in?: Described; readonly defaultValue?: unknown };
}

/** What the schema, or the first schema inside it, has. */
function firstIn(schema: Described, read: (schema: Described) => string | undefined): string {
  const value = read(schema);
  if (value !== undefined) return value;
  if (schema.def.in === undefined) throw new Error('a setting without a default, or without a meaning');
  return firstIn(schema.def.in, read);
}

/** Every setting with its default and meaning, as Markdown. */
export const settingsDoc = (document: string): string =>
  regenerated(
    document,
    SETTING_GROUPS.flatMap(({ title, settings }) => [
      `## ${title}`,
      table(['Variable', 'Default', 'Meaning'], settings.map(cellsOf)),
    ]),
  );

function cellsOf({ name, schema, isSecret }: Setting): readonly string[] {
  const described = schema as unknown as Described;
  const fallback = firstIn(described, ({ def }) => (def.type === 'default' ? String(def.defaultValue) : undefined));
  const meaning = firstIn(described, ({ description }) => description) + (isSecret ? ' (secret)' : '');
  return [`\`${name}\``, fallback === '' ? '(none)' : `\`${fallback}\``, meaning];
}
