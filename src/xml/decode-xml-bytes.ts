import { isAscii, isUtf8 } from 'node:buffer';
import { ServiceError } from '../vocabulary/errors.ts';
import { quoted } from '../vocabulary/text.ts';

const BYTE_ORDER_MARKS = [
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
];

/** By their names in lower case. Each removes a byte order mark. */
const DECODERS = new Map<string, TextDecoder>();

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
const markedEncoding = (bytes: Buffer): string | undefined =>
  BYTE_ORDER_MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte))?.encoding;

/**
 * The text of an XML document without its byte order mark. The encoding is that of the Content-Type's charset, otherwise of the mark,
 * otherwise of the XML declaration, otherwise UTF-8 (RFC 7303 section 3); ISO-8859-1 means windows-1252 (Encoding Standard, 4.2). Bytes are
 * never replaced. What is UTF-8 is read whatever its encoding is called (`'utf-8'`, `ansi`). Throws ServiceError `UnsupportedMediaType` for
 * other bytes in an encoding that the platform does not know, and `Malformed` for bytes that are invalid in the encoding and for a mark that
 * contradicts the charset.
 */
export function decodeXmlBytes(bytes: Buffer, charset: string | undefined): string {
  const marked = markedEncoding(bytes);
  const said = (charset ?? marked ?? declaredEncoding(bytes) ?? 'utf-8').toLowerCase();
  const name = said === 'utf-16' && marked?.startsWith(said) ? marked : said;
  if (name === 'utf-16') throw malformed('A message in UTF-16 must begin with a byte order mark.');
  const decoder = decoderNamed(name) ?? (isUtf8(bytes) ? decoderNamed('utf-8') : undefined);
  if (decoder === undefined) {
    const problem = `The encoding ${quoted(name)} is not known; expected UTF-8.`;
    throw new ServiceError('UnsupportedMediaType', problem, { reason: 'encoding' });
  }
  if (marked !== undefined && marked !== decoder.encoding) {
    throw malformed(`The charset ${quoted(name)} contradicts the byte order mark, that of ${marked.toUpperCase()}.`);
  }
  try {
    if (!/ascii/.test(name) || isAscii(bytes)) return decoder.decode(bytes);
  } catch {}
  throw malformed(`The message contains bytes that are not ${name.toUpperCase()}.`);
}

/**
 * Text that another system sent, in the encoding of its byte order mark, which is dropped, otherwise of its Content-Type's charset, otherwise
 * in UTF-8. Nothing is refused: bytes that are wrong in the encoding become U+FFFD.
 */
export function decodeLeniently(bytes: Buffer, contentType = ''): string {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1];
  try {
    return new TextDecoder(markedEncoding(bytes) ?? charset).decode(bytes);
  } catch {
    // No such encoding.
    return new TextDecoder().decode(bytes);
  }
}

function decoderNamed(name: string): TextDecoder | undefined {
  try {
    return DECODERS.getOrInsertComputed(name, () => new TextDecoder(name, { fatal: true }));
  } catch {
    return undefined;
  }
}

/** The encoding named in the declaration of a document without a byte order mark. The declaration can be read as ASCII. */
const declaredEncoding = (bytes: Buffer): string | undefined =>
  bytes[0] === 0x3c && bytes[1] === 0x3f ? readXmlDeclaration(bytes.toString('latin1'))?.encoding : undefined;

const malformed = (message: string) => new ServiceError('Malformed', message, { reason: 'encoding' });
