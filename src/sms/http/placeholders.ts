import type { OutgoingMessage } from '../gateway.ts';

/** The hospital's account with a provider. */
export interface HttpAccount {
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly apiKey: string | undefined;
  /** Sender of messages whose template specifies none. */
  readonly sender: string | undefined;
  /** The URL to which the provider must report the outcome of a message; contains the secret. */
  readonly callbackUrl: string | undefined;
}

/** The values of the placeholders for one message. If there is no value, it is the empty text. */
export type PlaceholderValues = Readonly<Record<PlaceholderName, string>>;

const VALUES = {
  to: ({ mobile }: OutgoingMessage) => mobile,
  toDigits: ({ mobile }: OutgoingMessage) => mobile.replace(/\D/g, ''),
  text: ({ text }: OutgoingMessage) => text,
  textHex: ({ text }: OutgoingMessage) => Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase(),
  reference: ({ id }: OutgoingMessage) => String(id),
  sender: ({ header }: OutgoingMessage, account: HttpAccount) => header ?? account.sender ?? '',
  dltTemplateId: ({ dltTemplateId }: OutgoingMessage) => dltTemplateId ?? '',
  principalEntityId: ({ principalEntityId }: OutgoingMessage) => principalEntityId ?? '',
  flash: ({ flash }: OutgoingMessage) => String(flash),
  encoding: ({ encoding }: OutgoingMessage) => encoding,
  expiresInMinutes: ({ expiresOn }: OutgoingMessage, _: HttpAccount, now: number) =>
    expiresOn === undefined ? '' : String(Math.max(1, Math.ceil((expiresOn - now) / 60_000))),
  username: (_: OutgoingMessage, account: HttpAccount) => account.username ?? '',
  password: (_: OutgoingMessage, account: HttpAccount) => account.password ?? '',
  apiKey: (_: OutgoingMessage, account: HttpAccount) => account.apiKey ?? '',
  basicCredentials: (_: OutgoingMessage, { username, password }: HttpAccount) =>
    username === undefined && password === undefined
      ? ''
      : Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64'),
  callbackUrl: (_: OutgoingMessage, account: HttpAccount) => account.callbackUrl ?? '',
  hasCallback: (_: OutgoingMessage, account: HttpAccount) => String(account.callbackUrl !== undefined),
} as const;

export type PlaceholderName = keyof typeof VALUES;

export const PLACEHOLDER_NAMES = Object.keys(VALUES) as readonly PlaceholderName[];

const PLACEHOLDER = /\{([A-Za-z]+)\}/g;
const isKnown = (name: string): name is PlaceholderName => Object.hasOwn(VALUES, name);

/** Names in braces that are not placeholders. */
export const unknownPlaceholders = (text: string): readonly string[] =>
  Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name).filter((name) => !isKnown(name));

/** `now` is an instant, ms. */
export const placeholderValues = (message: OutgoingMessage, account: HttpAccount, now: number): PlaceholderValues =>
  Object.fromEntries(PLACEHOLDER_NAMES.map((name) => [name, VALUES[name](message, account, now)])) as PlaceholderValues;

/** A text with its placeholders filled in, and whether one of them had no value. */
interface FilledText {
  readonly text: string;
  readonly lacks: boolean;
}

export type CompiledText = (values: PlaceholderValues) => FilledText;

/** Splits a text at its placeholders once. Each value is escaped for the place where it is inserted. */
export function compileText(source: string, escaped: (value: string) => string): CompiledText {
  const parts = source.split(PLACEHOLDER);
  return (values) => {
    let text = '';
    let lacks = false;
    for (const [index, part] of parts.entries()) {
      if (index % 2 === 0) {
        text += part;
        continue;
      }
      const value = values[part as PlaceholderName];
      if (value === '') lacks = true;
      text += escaped(value);
    }
    return { text, lacks };
  };
}
