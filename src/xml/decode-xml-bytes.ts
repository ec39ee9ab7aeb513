import { isAscii } from 'node:buffer';
import { ServiceError } from '../vocabulary/errors.ts';
import { quoted } from '../vocabulary/text.ts';

/** Names and common aliases of the IANA character set registry, in lower case. */
const ENCODINGS: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['us-ascii', 'us-ascii'],
  ['ascii', 'us-ascii'],
  ['utf-16', 'utf-16'],
  ['utf-16le', 'utf-16le'],
  ['utf-16be', 'utf-16be'],
  ['iso-8859-1', 'iso-8859-1'],
  ['iso_8859-1', 'iso-8859-1'],
  ['iso8859-1', 'iso-8859-1'],
  ['latin1', 'iso-8859-1'],
  ['windows-1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
]);

const BYTE_ORDER_MARKS = [
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
];

/** Each removes a byte order mark. That of windows-1252 decodes its five undefined bytes as the control characters of the same number. */
const DECODERS: ReadonlyMap<string, TextDecoder> = new Map(
  ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'].map((name) => [name, new TextDecoder(name, { fatal: true })]),
);

// Version 1.x is read as 1.0: XML 1.0 (fifth edition), 2.8. Sticky, and every quantifier ends at a literal, so that the time is linear.
const DECLARATION =
  /<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.[0-9]+"|'1\.[0-9]+')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"([A-Za-z][A-Za-z0-9._-]*)"|'([A-Za-z][A-Za-z0-9._-]*)'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/y;

/** The XML declaration at the start of a document: its length, and the encoding that it names. Undefined if there is no valid one. */
export function readXmlDeclaration(text: string): { length: number; encoding: string | undefined } | undefined {
  DECLARATION.lastIndex = 0;
  const match = DECLARATION.exec(text);
  return match === null ? undefined : { length: match[0].length, encoding: match[1] ?? match[2] };
}

/** The encoding whose byte order mark the bytes begin with; undefined without one. */
export const markedEncoding = (bytes: Buffer): string | undefined =>
  BYTE_ORDER_MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))?.encoding;

/**
 * The text of an XML document without its byte order mark. The encoding is that of the Content-Type's charset, otherwise of the mark,
 * otherwise of the XML declaration, otherwise UTF-8 (RFC 7303 section 3). Bytes are never replaced.
 * Throws ServiceError `UnsupportedMediaType` for an encoding other than UTF-8, UTF-16, ISO-8859-1, windows-1252 and US-ASCII, and
 * `Malformed` for bytes that are invalid in the encoding and for a mark that contradicts the charset.
 */
export function decodeXmlBytes(bytes: Buffer, charset: string | undefined): string {
  const marked = markedEncoding(bytes);
  const named = charset ?? (marked === undefined ? declaredEncoding(bytes) : undefined);
  const encoding = named === undefined ? (marked ?? 'utf-8') : encodingNamed(named);
  const isMarkedUtf16 = encoding === 'utf-16' && marked !== 'utf-8';
  if (isMarkedUtf16 && marked === undefined) throw malformed('A message in UTF-16 must begin with a byte order mark.');
  if (marked !== undefined && marked !== encoding && !isMarkedUtf16) {
    throw malformed(
      `The charset ${quoted(named ?? '')} contradicts the byte order mark, which is that of ${marked.toUpperCase()}.`,
    );
  }
  return decode(bytes, marked ?? encoding);
}

function encodingNamed(name: string): string {
  const encoding = ENCODINGS.get(name.toLowerCase());
  if (encoding !== undefined) return encoding;
  throw new ServiceError(
    'UnsupportedMediaType',
    `The encoding ${quoted(name)} is not supported; expected UTF-8, UTF-16, ISO-8859-1, windows-1252 or US-ASCII.`,
    { reason: 'encoding' },
  );
}

/** The encoding named in the declaration of a document without a byte order mark. The declaration can be read as ASCII. */
const declaredEncoding = (bytes: Buffer): string | undefined =>
  bytes[0] === 0x3c && bytes[1] === 0x3f ? readXmlDeclaration(bytes.toString('latin1'))?.encoding : undefined;

function decode(bytes: Buffer, encoding: string): string {
  try {
    const text = DECODERS.get(encoding)?.decode(bytes);
    if (text !== undefined) return text;
  } catch {
    throw wrongBytes(encoding);
  }
  if (encoding === 'us-ascii' && !isAscii(bytes)) throw wrongBytes(encoding);
  // Not as windows-1252, which web standards mean by ISO-8859-1.
  return bytes.toString('latin1');
}

const wrongBytes = (encoding: string) =>
  malformed(`The message contains bytes that are not ${encoding.toUpperCase()}.`);

const malformed = (message: string) => new ServiceError('Malformed', message, { reason: 'encoding' });
