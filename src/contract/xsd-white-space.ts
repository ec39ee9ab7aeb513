/** True for the four characters that XSD calls white space. Source: XML Schema Part 2, 4.3.6 whiteSpace. */
const isXsdSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/**
 * The text without white space at its ends, as whiteSpace="collapse" leaves a value whose lexical forms hold none inside.
 * Not `trim()`, which also removes characters that XSD does not call white space.
 */
export function trimXsdSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isXsdSpace(text.charCodeAt(start))) start++;
  while (end > start && isXsdSpace(text.charCodeAt(end - 1))) end--;
  return end - start === text.length ? text : text.substring(start, end);
}
