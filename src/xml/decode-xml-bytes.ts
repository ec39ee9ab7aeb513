import { isAscii, isUtf8 } from 'node:buffer';
import { ServiceError } from '../vocabulary/errors.ts';
import { shown } from '../vocabulary/text.ts';
import { hasXmlDeclaration, readXmlDeclaration } from './xml-declaration.ts';

type Encoding = 'utf-8' | 'utf-16' | 'utf-16le' | 'utf-16be' | 'iso-8859-1' | 'windows-1252' | 'us-ascii';

/** Names and common aliases of the IANA character set registry, in lower case. */
const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['utf-16', 'utf-16'],
  ['utf-16le', 'utf-16le'],
  ['utf-16be', 'utf-16be'],
  ['iso-8859-1', 'iso-8859-1'],
  ['iso_8859-1', 'iso-8859-1'],
  ['iso8859-1', 'iso-8859-1'],
  ['latin1', 'iso-8859-1'],
  ['windows-1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['us-ascii', 'us-ascii'],
  ['ascii', 'us-ascii'],
]);

/** Its five undefined bytes are decoded as the control characters with the same number, as in web browsers. */
const WINDOWS_1252 = new TextDecoder('windows-1252');

interface ByteOrderMark {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  readonly length: number;
}

const UTF_8_MARK: ByteOrderMark = { encoding: 'utf-8', length: 3 };
const UTF_16LE_MARK: ByteOrderMark = { encoding: 'utf-16le', length: 2 };
const UTF_16BE_MARK: ByteOrderMark = { encoding: 'utf-16be', length: 2 };

/**
 * The text of an XML document without its byte order mark. The encoding is that of the Content-Type's charset, otherwise of the mark,
 * otherwise of the XML declaration, otherwise UTF-8 (RFC 7303 section 3; XML 1.0, 4.3.3). Bytes are never replaced.
 * Throws ServiceError `UnsupportedMediaType` for an encoding other than UTF-8, UTF-16, ISO-8859-1, windows-1252 and US-ASCII, and
 * `Malformed` for bytes that are invalid in the encoding and for a mark that contradicts it.
 */
export function decodeXmlBytes(bytes: Buffer, charset: string | undefined): string {
  const mark = byteOrderMark(bytes);
  if (mark === undefined) {
    const encoding = charset === undefined ? (declaredEncoding(bytes) ?? 'utf-8') : encodingNamed(charset);
    return decode(bytes, encoding, charset === undefined);
  }
  if (charset !== undefined) {
    if (!agrees(encodingNamed(charset), mark)) throw contradiction(`charset ${shown(charset)}`, mark);
  } else {
    // A declaration that names another encoding is a fatal error: XML 1.0, 4.3.3.
    const declared = declarationIn(decode(bytes.subarray(mark.length), mark.encoding, false));
    if (declared !== undefined) {
      const encoding = ENCODINGS.get(declared.toLowerCase());
      if (encoding === undefined || !agrees(encoding, mark)) throw contradiction(`encoding ${shown(declared)}`, mark);
    }
  }
  return decode(bytes.subarray(mark.length), mark.encoding, false);
}

function byteOrderMark(bytes: Buffer): ByteOrderMark | undefined {
  const first = bytes[0];
  if (first === 0xef) return bytes[1] === 0xbb && bytes[2] === 0xbf ? UTF_8_MARK : undefined;
  if (first === 0xff) return bytes[1] === 0xfe ? UTF_16LE_MARK : undefined;
  if (first === 0xfe) return bytes[1] === 0xff ? UTF_16BE_MARK : undefined;
  return undefined;
}

function agrees(encoding: Encoding, mark: ByteOrderMark): boolean {
  return encoding === mark.encoding || (encoding === 'utf-16' && mark.encoding !== 'utf-8');
}

function encodingNamed(name: string): Encoding {
  const encoding = ENCODINGS.get(name) ?? ENCODINGS.get(name.toLowerCase());
  if (encoding !== undefined) return encoding;
  throw new ServiceError(
    'UnsupportedMediaType',
    `The encoding ${shown(name)} is not supported; expected UTF-8, UTF-16, ISO-8859-1, windows-1252 or US-ASCII.`,
    { reason: 'encoding' },
  );
}

/** The encoding named in the declaration of a document without a byte order mark. The declaration can be read as ASCII. */
function declaredEncoding(bytes: Buffer): Encoding | undefined {
  if (bytes.length < 6 || bytes[0] !== 0x3c || bytes[1] !== 0x3f) return undefined;
  const end = bytes.indexOf('?>');
  const declared = end < 0 ? undefined : declarationIn(bytes.toString('latin1', 0, end + 2));
  return declared === undefined ? undefined : encodingNamed(declared);
}

function declarationIn(text: string): string | undefined {
  return hasXmlDeclaration(text) ? readXmlDeclaration(text)?.encoding : undefined;
}

function decode(bytes: Buffer, encoding: Encoding, isDeclared: boolean): string {
  switch (encoding) {
    case 'utf-8':
      if (isAscii(bytes)) return bytes.toString('latin1');
      if (!isUtf8(bytes)) throw badBytes('UTF-8');
      return bytes.toString('utf8');
    case 'iso-8859-1':
      return bytes.toString('latin1');
    case 'windows-1252':
      return WINDOWS_1252.decode(bytes);
    case 'us-ascii':
      if (!isAscii(bytes)) throw badBytes('US-ASCII');
      return bytes.toString('latin1');
    case 'utf-16':
      throw new ServiceError('Malformed', 'A message in UTF-16 must begin with a byte order mark.', {
        reason: 'encoding',
      });
    default:
      // A declaration in ASCII bytes cannot be UTF-16: XML 1.0, 4.3.3.
      if (isDeclared || bytes.length % 2 !== 0) throw badBytes('UTF-16');
      return decodeUtf16(encoding === 'utf-16le' ? bytes : Buffer.from(bytes).swap16());
  }
}

function decodeUtf16(littleEndian: Buffer): string {
  const text = littleEndian.toString('utf16le');
  if (!text.isWellFormed()) throw badBytes('UTF-16');
  return text;
}

function badBytes(encoding: string): ServiceError {
  return new ServiceError('Malformed', `The message contains bytes that are not ${encoding}.`, { reason: 'encoding' });
}

function contradiction(claim: string, mark: ByteOrderMark): ServiceError {
  const name = mark.encoding.toUpperCase();
  return new ServiceError('Malformed', `The ${claim} contradicts the byte order mark, which is that of ${name}.`, {
    reason: 'encoding',
  });
}
