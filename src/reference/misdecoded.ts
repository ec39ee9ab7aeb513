import { isUtf8 } from 'node:buffer';

/** The bytes of the characters that windows-1252 has in the place of control characters. */
const BYTES = new Map(
  Array.from({ length: 32 }, (_, n) => [new TextDecoder('windows-1252').decode(Uint8Array.of(128 + n)), 128 + n]),
);

/** Whether a program before this one decoded the text wrongly: U+FFFD, or UTF-8 that was read as windows-1252, such as `RÃ£o`. */
export const isMisdecoded = (text: string): boolean =>
  text.includes('\ufffd') || (text.match(/[\u0080-\uffff]{2,}/g)?.some(wasUtf8) ?? false);

function wasUtf8(characters: string): boolean {
  const bytes = Array.from(characters, (one) => BYTES.get(one) ?? one.charCodeAt(0));
  return bytes.every((byte) => byte < 256) && isUtf8(Uint8Array.from(bytes));
}
