import { parseString } from 'xml2js';

export interface XmlElement {
  /** Local name. */
  readonly name: string;
  readonly namespace: string;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface Xml2jsNode {
  readonly $ns: { readonly local: string; readonly uri: string };
  readonly $$?: readonly Xml2jsNode[];
  readonly _?: string;
}

/** The root element, as read by a parser that isn't ours, or that parser's error. */
export function parseXml(text: string): XmlElement | string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 forbids, and the parser doesn't look
  const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.exec(text);
  if (forbidden !== null) return `it holds U+${forbidden[0].charCodeAt(0).toString(16)}`;
  let answer: XmlElement | string = 'it is empty';
  // White space in text is kept, because a test compares it with what was sent.
  const options = {
    xmlns: true,
    explicitChildren: true,
    preserveChildrenOrder: true,
    explicitRoot: false,
    includeWhiteChars: true,
  };
  try {
    parseString(text, options, (error, root) => {
      answer = error === null ? elementOf(root) : error.message;
    });
  } catch (error) {
    return String(error);
  }
  return answer;
}

const elementOf = ({ $ns, $$, _ }: Xml2jsNode): XmlElement => ({
  name: $ns.local,
  namespace: $ns.uri,
  children: ($$ ?? []).map(elementOf),
  text: _ ?? '',
});

/** The text of the descendant that the local names lead to. */
export function textAt(element: XmlElement, ...names: readonly string[]): string | undefined {
  let at: XmlElement | undefined = element;
  for (const name of names) at = at?.children.find((child) => child.name === name);
  return at?.text;
}

/** Every descendant with the local name, in document order. */
export const allNamed = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.flatMap((child) => (child.name === name ? [child] : allNamed(child, name)));
