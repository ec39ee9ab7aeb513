/** What one proxy reports in a `Forwarded` header. Source: RFC 7239, 4. */
export interface ForwardedElement {
  /** Undefined if it is not reported. */
  readonly for: string | undefined;
  readonly proto: string | undefined;
}

/** Finds where an element of a list begins, reading from the right. */
export type ElementStart = (list: string, end: number) => number;

/** Where the last element before `end` begins, in a list whose elements contain no quotes. */
export const plainElementStart: ElementStart = (list, end) => list.lastIndexOf(',', end - 1) + 1;

/**
 * The same for a list whose elements may contain quoted strings: a comma within quotes is part of the string. The list is read from the
 * right, because the right-most element is the proxy's own: quotes that a caller leaves open further left cannot swallow that element.
 */
export const quotedElementStart: ElementStart = (list, end) => {
  let isQuoted = false;
  for (let at = end - 1; at >= 0; at--) {
    const character = list[at];
    if (character === '"') isQuoted = isQuoted ? isEscaped(list, at) : true;
    else if (character === ',' && !isQuoted) return at + 1;
  }
  return 0;
};

/** Whether an odd number of backslashes precedes a position. Source: RFC 9110, 5.6.4. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

// Sticky: it matches at one position only, so that the time is linear.
const PARAMETER = /[ \t]*([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))[ \t]*(?:;|$)/y;

/** Reads one element. If it violates the grammar, both fields are undefined. */
export function readForwardedElement(element: string): ForwardedElement {
  const found = new Map<string, string>();
  for (PARAMETER.lastIndex = 0; PARAMETER.lastIndex < element.length; ) {
    const match = PARAMETER.exec(element);
    if (match === null) return { for: undefined, proto: undefined };
    const [, name = '', quoted, plain = ''] = match;
    found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain);
  }
  return { for: found.get('for'), proto: found.get('proto') };
}
