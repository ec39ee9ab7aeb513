import { trimXmlSpace } from '../xml/xml-characters.ts';

export const INT_MIN = -2147483648;
export const INT_MAX = 2147483647;

/**
 * Reads an `xsd:int` from -2147483648 to 2147483647. White space around it, a sign and leading zeros are allowed. Returns 'lexical' for
 * text that is not an integer, and 'range' for an integer outside these bounds.
 * Source: XML Schema Part 2, 3.3.17 int, and 3.3.13 integer for the lexical form.
 */
export function parseXsdInt(text: string): number | 'lexical' | 'range' {
  const value = trimXmlSpace(text);
  const length = value.length;
  const first = value.charCodeAt(0);
  const negative = first === 0x2d;
  let at = negative || first === 0x2b ? 1 : 0;
  if (at >= length) return 'lexical';
  let magnitude = 0;
  for (; at < length; at++) {
    const digit = value.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return 'lexical';
    // Beyond the bounds, this loses digits or becomes Infinity, but stays beyond the bounds.
    magnitude = magnitude * 10 + digit;
  }
  if (negative) return magnitude === 0 ? 0 : -magnitude >= INT_MIN ? -magnitude : 'range';
  return magnitude <= INT_MAX ? magnitude : 'range';
}
