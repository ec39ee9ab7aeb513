import type { HttpAccount } from './placeholders.ts';
import type { HttpTemplate } from './template-schema.ts';

/** A part of the account, and the setting that provides it. */
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

/**
 * The parts of the account that a template's requests need; without them, the provider would refuse every message. Names ending in `?` are
 * optional.
 */
export function neededAccount({ url, headers, body }: HttpTemplate): readonly AccountPart[] {
  const text = JSON.stringify([url, headers, body], (name, value) => (name.endsWith('?') ? undefined : value));
  return PARTS.filter(({ placeholders }) => placeholders.some((placeholder) => text.includes(`{${placeholder}}`)));
}
