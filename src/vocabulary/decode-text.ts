import { isUtf8 } from 'node:buffer';
import { ServiceError } from './errors.ts';
import { readMediaType } from './media-type.ts';
import { quoted } from './text.ts';

/** Encodings in which UTF-8 beyond ASCII would be letters that no text has in this order. */
const LATIN = /^(?:iso-8859|windows-125)/;
/** A character beyond ASCII: bytes that have one and are not UTF-8 were cut or damaged. */
const PART_OF_UTF_8 = /[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

/** The encoding that the first bytes of a text prove: by a byte order mark, or by a NUL beside a `<`. */
export function provenEncoding(bytes: Uint8Array): string | undefined {
  if (bytes.length < 2) return undefined;
  const start = ((bytes[0] as number) << 8) | (bytes[1] as number);
  if (start === 0xfffe || start === 0x3c00) return 'utf-16le';
  if (start === 0xfeff || start === 0x003c) return 'utf-16be';
  return start === 0xefbb && bytes[2] === 0xbf ? 'utf-8' : undefined;
}

/**
 * The text of bytes that another system sent, without a byte order mark. What they begin with may prove their encoding. Otherwise it is
 * `said`, a label in any case, as far as they fit it:
 *
 * - valid UTF-8 is UTF-8 under a Latin or unknown label, too;
 * - UTF-16 has a NUL, for ASCII; without one, nothing was said;
 * - where nothing or UTF-8 is said, what is no UTF-8 is windows-1252, as old programs send it under any label.
 *
 * Nothing is replaced. Source of labels: Encoding Standard, 4.2, where ISO-8859-1 and US-ASCII mean windows-1252. Throws ServiceError:
 * `UnsupportedMediaType` for an encoding that the platform does not know, `Malformed` for bytes that no reading fits.
 */
export function decodeText(bytes: Buffer, said = 'utf-8'): string {
  const proven = provenEncoding(bytes);
  if (proven !== undefined) return decode(bytes, proven);
  const encoding = said === 'utf-8' ? said : encodingOf(said);
  if (encoding === undefined || LATIN.test(encoding)) {
    if (isUtf8(bytes)) return bytes.toString();
  } else if (encoding === 'utf-8' || (encoding.startsWith('utf-16') && !bytes.includes(0))) {
    if (isUtf8(bytes)) return bytes.toString();
    return decode(bytes, PART_OF_UTF_8.test(bytes.toString('latin1')) ? 'utf-8' : 'windows-1252');
  }
  if (encoding !== undefined) return decode(bytes, encoding);
  const problem = `The encoding ${quoted(said)} is not known; expected UTF-8.`;
  throw new ServiceError('UnsupportedMediaType', problem, { reason: 'encoding' });
}

/**
 * The same for what must be read whatever it contains, with the charset of its Content-Type: bytes that no reading fits become U+FFFD.
 */
export function decodeLeniently(bytes: Buffer, contentType?: string): string {
  try {
    return decodeText(bytes, readMediaType(contentType).charset);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function decode(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new ServiceError('Malformed', `There are bytes that are not ${encoding.toUpperCase()}.`, {
      reason: 'encoding',
    });
  }
}

/** The name of the encoding with a label; undefined if the platform does not know it. */
function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
