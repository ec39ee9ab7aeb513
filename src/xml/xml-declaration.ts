import { isXmlSpace } from './xml-characters.ts';

/** An XML declaration at the start of a document. Source: XML 1.0, 2.8. */
export interface XmlDeclaration {
  /** Position of the first character after it. */
  readonly end: number;
  readonly encoding: string | undefined;
}

// Version 1.x is read as 1.0: XML 1.0 (fifth edition), 2.8. Sticky, and every quantifier ends at a literal, so that the time is linear.
const DECLARATION =
  /<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.[0-9]+"|'1\.[0-9]+')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"([A-Za-z][A-Za-z0-9._-]*)"|'([A-Za-z][A-Za-z0-9._-]*)'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/y;

/** True if the document begins with an XML declaration, valid or not. */
export function hasXmlDeclaration(text: string): boolean {
  if (!text.startsWith('<?xml')) return false;
  const following = text.charCodeAt(5);
  // `<?xml-stylesheet` is a processing instruction; `<?xml?>` is an invalid declaration.
  return isXmlSpace(following) || following === 0x3f || text.length === 5;
}

/** The declaration at the start of the document, or undefined if it violates the grammar. */
export function readXmlDeclaration(text: string): XmlDeclaration | undefined {
  DECLARATION.lastIndex = 0;
  const match = DECLARATION.exec(text);
  return match === null ? undefined : { end: DECLARATION.lastIndex, encoding: match[1] ?? match[2] };
}
