import type { OutgoingMessage } from './gateway.ts';

/** The hospital's account with a provider. */
export interface HttpAccount {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Sender of messages whose template specifies none. */
  readonly sender?: string | undefined;
  /** The URL to which the provider must report the fate of a message; contains the secret. */
  readonly callbackUrl?: string | undefined;
}

/** The values of the placeholders for one message; the empty text where there is none. `now` is an instant, ms. */
export const placeholderValues = (message: OutgoingMessage, account: HttpAccount, now: number) => {
  const { id, mobile, text, header, dltTemplateId, principalEntityId, flash, encoding, expiresOn } = message;
  const { username, password, sender, callbackUrl } = account;
  const credentials = username === undefined && password === undefined ? '' : `${username ?? ''}:${password ?? ''}`;
  return {
    to: mobile,
    toDigits: mobile.replace(/\D/g, ''),
    text,
    reference: String(id),
    sender: header ?? sender ?? '',
    dltTemplateId: dltTemplateId ?? '',
    principalEntityId: principalEntityId ?? '',
    flash: String(flash),
    encoding: String(encoding),
    expiresInMinutes: expiresOn === undefined ? '' : String(Math.max(1, Math.ceil((expiresOn - now) / 60_000))),
    username: username ?? '',
    password: password ?? '',
    basicCredentials: Buffer.from(credentials).toString('base64'),
    callbackUrl: callbackUrl ?? '',
    hasCallback: String(callbackUrl !== undefined),
  };
};

export type PlaceholderValues = ReturnType<typeof placeholderValues>;

/** For checking a template at start: the values are escaped, so that they do not affect the structure of a request. */
export const SAMPLE: OutgoingMessage = { id: 1, mobile: '+919845012345', text: 'Hi', encoding: 'GSM-7', flash: false };

export const PLACEHOLDER_NAMES: readonly string[] = Object.keys(placeholderValues(SAMPLE, {}, 0));

const PLACEHOLDER = /\{([A-Za-z]+)\}/g;

/** The names of the placeholders in a text, known or not. */
export const placeholdersIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name);

/** A text with its placeholders filled in, each value escaped; undefined if it is optional and one of them has no value. */
export function fillPlaceholders(
  text: string,
  values: PlaceholderValues,
  escaped: (value: string) => string,
  isOptional = false,
): string | undefined {
  const value = (name: string): string => values[name as keyof PlaceholderValues];
  if (isOptional && placeholdersIn(text).some((name) => value(name) === '')) return undefined;
  return text.replace(PLACEHOLDER, (_, name: string) => escaped(value(name)));
}
