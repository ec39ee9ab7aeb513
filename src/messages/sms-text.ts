import { isFileGateway, MessageStatus } from '../vocabulary/messages.ts';

/**
 * Indexed by code, starting from 0. The escape character at 0x1B may not occur in a text.
 * Source: 3GPP TS 23.038 (GSM 03.38), 6.2.1 default alphabet.
 */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const ESCAPE = 0x1b;
/** Each takes two septets: an escape and its code. Source: 3GPP TS 23.038, 6.2.1.1 extension table. */
const EXTENSION = { '\f': 10, '^': 20, '{': 40, '}': 41, '\\': 47, '[': 60, '~': 61, ']': 62, '|': 64, '€': 101 };

/** The septets of each character. */
const SEPTETS: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ...Array.from(BASIC, (character, code) => [character, [code]] as const).filter(([, [code]]) => code !== ESCAPE),
  ...Object.entries(EXTENSION).map(([character, code]) => [character, [ESCAPE, code]] as const),
]);

/** Septets, or UTF-16 units, of a single message, and of each segment of a longer one. */
const LENGTHS = { 'GSM-7': { alone: 160, ofSeveral: 153 }, 'UCS-2': { alone: 70, ofSeveral: 67 } } as const;

/** Maximum number of segments of a message. */
export const MAX_SEGMENTS = 5;
/** A length, in UTF-16 units, that takes more segments whatever the rest of the text is. */
export const TOO_LONG = MAX_SEGMENTS * LENGTHS['GSM-7'].ofSeveral + 1;

/**
 * How a text is sent: in GSM-7 if its alphabet has every character, as a single segment of 160 septets or several of 153; otherwise in
 * UCS-2, with 70 or 67 UTF-16 units. Joined, the segments are the text; no character is split between them. The empty text takes one.
 * Source: 3GPP TS 23.040, 9.2.3.24.1 concatenated short messages.
 */
export function splitMessage(text: string) {
  const characters = Array.from(text);
  const encoding: keyof typeof LENGTHS = characters.every((character) => SEPTETS.has(character)) ? 'GSM-7' : 'UCS-2';
  const cost = (character: string): number =>
    encoding === 'UCS-2' ? character.length : (SEPTETS.get(character)?.length ?? 1);
  const { alone, ofSeveral } = LENGTHS[encoding];
  if (characters.reduce((sum, character) => sum + cost(character), 0) <= alone) return { encoding, segments: [text] };
  const segments: string[] = [];
  let segment = '';
  let filled = 0;
  for (const character of characters) {
    if (filled + cost(character) > ofSeveral) {
      segments.push(segment);
      segment = '';
      filled = 0;
    }
    segment += character;
    filled += cost(character);
  }
  return { encoding, segments: [...segments, segment] };
}

/** A text in GSM-7, one septet per octet, not packed. Throws RangeError for a character that is not in the alphabet. */
export function gsm7Septets(text: string): Uint8Array {
  return Uint8Array.from(
    Array.from(text).flatMap((character) => {
      const septets = SEPTETS.get(character);
      if (septets === undefined) throw new RangeError('The text has a character that GSM-7 lacks.');
      return septets;
    }),
  );
}

/** Used instead of Submitted if the gateway is a file, so that nobody believes the message was sent. */
const IN_FILE = 'Written to a file';

/**
 * The word for a message's status, 1 to 8; `gateway` is the one that accepted the message, null if none has. Throws RangeError for any
 * other number; the database contains none.
 */
export function smsStatusText(status: number, gateway: string | null = null): string {
  if (status === MessageStatus.Submitted && isFileGateway(gateway)) return IN_FILE;
  for (const [name, value] of Object.entries(MessageStatus)) if (value === status) return name;
  throw new RangeError(`There is no message status ${status}.`);
}
