import { quoted } from '../vocabulary/text.ts';

/** The placeholder for a value in a template. Source: TRAI's DLT registers of templates. */
export const VARIABLE = '{#var#}';

/** The maximum number of characters that a variable can stand for. Source: TRAI's DLT registers of templates. */
const VARIABLE_LENGTH = 30;

/** Where a text stops matching a template. */
export interface TemplateMismatch {
  /** 1 for the first character; one more than the length of the text if it ends too early. Characters are Unicode code points. */
  readonly position: number;
  /** The character there; undefined if the text ends. */
  readonly found: string | undefined;
  /** What the template has there, up to its next variable; undefined for its end. */
  readonly expected: string | undefined;
  /** Whether there is a variable just before this position, whose value would exceed the maximum length. */
  readonly variableFull: boolean;
}

/**
 * Returns undefined if the text matches the template, with each `{#var#}` standing for 0 to 30 characters. Otherwise returns where the text
 * stops matching, for the assignment of the text to the variables that matches longest. Both use LF as line break.
 *
 * It compares each literal between two variables as a whole, only at the positions where it can begin, and never backtracks.
 */
export function templateMismatch(template: string, text: string): TemplateMismatch | undefined {
  const characters = Array.from(text);
  const literals = template.split(VARIABLE).map((literal) => Array.from(literal));
  /** 1 at each position where the part of the template read so far can end. */
  let ends = new Uint8Array(characters.length + 1);
  ends[0] = 1;
  const stopAt = (at: number, expected: string | undefined, afterVariable: boolean): TemplateMismatch => {
    const found = characters[at];
    return { position: at + 1, found, expected, variableFull: afterVariable && found !== undefined };
  };
  let before = ends;
  /** Where the value before a literal has its maximum length, if the literal follows only beyond that. */
  const fullAt = (literal: readonly string[], isLast: boolean): number | undefined => {
    const full = before.lastIndexOf(1) + VARIABLE_LENGTH;
    const last = characters.length - literal.length;
    for (let at = isLast ? Math.max(last, full + 1) : full + 1; at <= last; at++) {
      if (literal.every((one, n) => characters[at + n] === one)) return full;
    }
    return undefined;
  };
  for (const [number, literal] of literals.entries()) {
    before = ends;
    const begins = number === 0 ? ends : afterVariable(ends);
    ends = new Uint8Array(begins.length);
    let longest = { at: 0, matched: 0 };
    for (let at = 0; at < begins.length; at++) {
      if (begins[at] !== 1) continue;
      let matched = 0;
      while (matched < literal.length && characters[at + matched] === literal[matched]) matched++;
      if (matched === literal.length) ends[at + matched] = 1;
      if (matched >= longest.matched) longest = { at, matched };
    }
    const isLast = number === literals.length - 1;
    const isUnmatched = longest.matched < literal.length;
    if (!isUnmatched && (!isLast || ends[characters.length] === 1)) continue;
    const full = number > 0 ? fullAt(literal, isLast) : undefined;
    if (full !== undefined) return stopAt(full, literal.join('') || undefined, true);
    if (!isUnmatched) return stopAt(ends.lastIndexOf(1), undefined, false);
    const { at, matched } = longest;
    return stopAt(at + matched, literal.slice(matched).join(''), number > 0 && matched === 0);
  }
  return undefined;
}

/** The positions where a variable can end, given those where it can begin. */
function afterVariable(begins: Uint8Array): Uint8Array<ArrayBuffer> {
  const ends = new Uint8Array(begins.length);
  let lastBegin = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < begins.length; at++) {
    if (begins[at] === 1) lastBegin = at;
    if (at - lastBegin <= VARIABLE_LENGTH) ends[at] = 1;
  }
  return ends;
}

/** The mismatch as the end of a sentence whose subject is the text: `: character 17 "x" does not fit template 5; …`. */
export function mismatchText(tempid: number, { position, found, expected, variableFull }: TemplateMismatch): string {
  const wanted = expected === undefined ? 'the end of the text' : `"${visible(expected)}"`;
  const rest = variableFull
    ? `a variable has at most ${VARIABLE_LENGTH} characters and must be followed by ${wanted}`
    : `expected ${wanted}`;
  return found === undefined
    ? `the text ends after character ${position - 1}, too early for template ${tempid}; ${rest}.`
    : `character ${position} "${visible(found)}" does not fit template ${tempid}; ${rest}.`;
}

/** With `\\n` for each line feed. */
const visible = (text: string): string => quoted(text.replaceAll('\n', '\\n'));
