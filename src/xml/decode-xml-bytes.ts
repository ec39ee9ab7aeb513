import { decodeText } from '../vocabulary/decode-text.ts';

// Version 1.x is read as 1.0: XML 1.0 (fifth edition), 2.8. Sticky, and every quantifier ends at a literal, so that the time is linear.
const DECLARATION =
  /<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.[0-9]+"|'1\.[0-9]+')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"([A-Za-z][A-Za-z0-9._-]*)"|'([A-Za-z][A-Za-z0-9._-]*)'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/y;

/** The XML declaration at the start of a document: its length, and the encoding that it names. Undefined if there is no valid one. */
export function readXmlDeclaration(text: string): { length: number; encoding: string | undefined } | undefined {
  DECLARATION.lastIndex = 0;
  const match = DECLARATION.exec(text);
  return match === null ? undefined : { length: match[0].length, encoding: match[1] ?? match[2] };
}

/** The text of an XML document, in which the XML declaration says what the Content-Type's charset does not: RFC 7303, 3. Throws ServiceError. */
export const decodeXmlBytes = (bytes: Buffer, charset: string | undefined): string =>
  decodeText(bytes, charset ?? declaredEncoding(bytes));

/** The encoding named in the declaration of a document without a byte order mark. The declaration can be read as ASCII. */
const declaredEncoding = (bytes: Buffer): string | undefined =>
  bytes[0] === 0x3c && bytes[1] === 0x3f ? readXmlDeclaration(bytes.toString('latin1'))?.encoding : undefined;
