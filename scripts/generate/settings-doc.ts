import { SETTING_GROUPS } from '../../src/settings/config.ts';
import type { Setting } from '../../src/settings/setting.ts';
import { paragraph, table } from './markdown.ts';

/** The parts of a zod schema that matter here: following `in` through the wrappers leads to the text with its default and description. */
interface Described {
  readonly description?: string | undefined;
  readonly def: { readonly type: string; readonly in?: Described; readonly defaultValue?: unknown };
}

function meaningOf({ description, def }: Described): string {
  if (description !== undefined) return description;
  if (def.in === undefined) throw new Error('a setting without a meaning');
  return meaningOf(def.in);
}

function defaultOf({ def }: Described): string {
  if (def.type === 'default') return String(def.defaultValue);
  if (def.in === undefined) throw new Error('a setting without a default');
  return defaultOf(def.in);
}

/** Every setting with its default and meaning, as Markdown. */
export function settingsDoc(): string {
  const blocks = [
    '<!-- Generated from src/settings by npm run generate. Do not edit. -->',
    '# Settings',
    paragraph(
      'Settings are environment variables. An empty variable counts as not set. If settings are wrong, the service reports all of them at once and does not start. The value of a setting marked “secret” is never shown. To keep it in a file, append `_FILE` to the setting’s name, as in `SMS_PASSWORD_FILE`, and give the path of the file.',
    ),
    paragraph(
      'Start with these settings: `HOST`, `PORT`, `PUBLIC_URL` and `ALLOWED_HOSTS` (where the service listens, and the address and names that clients use); `CLIENTS_FILE`, `TLS_CERT` and `TLS_KEY` (who may call, and whether the service uses TLS); `DATABASE_URL` (where the data is); `TIME_ZONE`, `PHONE_REGION` and `APPOINTMENT_TYPES` (the hospital’s time zone, its phone numbers, and the numbers for `type`); `SMS_GATEWAY` (where text messages are sent); `REFUSALS` (how a refusal is answered).',
    ),
    ...SETTING_GROUPS.flatMap(({ title, settings }) => [
      `## ${title}`,
      table(['Variable', 'Default', 'Meaning'], settings.map(cellsOf)),
    ]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function cellsOf({ name, schema, isSecret }: Setting): readonly string[] {
  const described = schema as unknown as Described;
  const fallback = defaultOf(described);
  return [
    `\`${name}\``,
    fallback === '' ? '(none)' : `\`${fallback}\``,
    meaningOf(described) + (isSecret ? ' (secret)' : ''),
  ];
}
