import type { HttpAccount } from './placeholders.ts';
import type { HttpTemplate } from './template-schema.ts';

/** A part of the account, and the setting that gives it. */
interface AccountPart {
  readonly name: keyof HttpAccount & ('username' | 'password' | 'apiKey');
  readonly setting: string;
  readonly placeholders: readonly string[];
}

const PARTS: readonly AccountPart[] = [
  { name: 'username', setting: 'SMS_USERNAME', placeholders: ['username', 'basicCredentials'] },
  { name: 'password', setting: 'SMS_PASSWORD', placeholders: ['password', 'basicCredentials'] },
  { name: 'apiKey', setting: 'SMS_API_KEY', placeholders: ['apiKey'] },
];

/** What of the account a template's requests cannot do without: the provider would refuse every message. Names that end in `?` can. */
export function neededAccount({ url, headers, body }: HttpTemplate): readonly AccountPart[] {
  const text = JSON.stringify([url, headers, body], (name, value) => (name.endsWith('?') ? undefined : value));
  return PARTS.filter(({ placeholders }) => placeholders.some((placeholder) => text.includes(`{${placeholder}}`)));
}
