import { tagOf, VARIABLE, VARIABLES, type Variable, valueText } from '../vocabulary/template-variables.ts';
import { quoted } from '../vocabulary/text.ts';

/** Where a text stops matching a template. */
export interface TemplateMismatch {
  /** 1 for the first character; one more than the length of the text if it ends too early. Characters are Unicode code points. */
  readonly position: number;
  /** The character there; undefined if the text ends. */
  readonly found: string | undefined;
  /** What the template has there, up to its next variable; undefined for its end. */
  readonly expected: string | undefined;
  /** The word of the variable just before this position whose value breaks off there, by its length or by a character. */
  readonly variable: string | undefined;
}

/**
 * Returns undefined if the text matches the template, with each variable standing for what its word allows. Otherwise returns where the text
 * stops matching, for the assignment of the text to the variables that matches longest. Both use LF as line break.
 *
 * It compares each literal between two variables as a whole, only at the positions where it can begin, and never backtracks.
 */
export function templateMismatch(template: string, text: string): TemplateMismatch | undefined {
  const characters = Array.from(text);
  /** Literals, and between them the words of variables. */
  const parts = template.split(VARIABLE);
  /** 1 at each position where the part of the template read so far can end. */
  let ends = new Uint8Array(characters.length + 1);
  ends[0] = 1;
  for (let part = 0; part < parts.length; part += 2) {
    const word = parts[part - 1];
    const literal = Array.from(parts[part] ?? '');
    const isLast = part === parts.length - 1;
    const kind = word === undefined ? undefined : VARIABLES[word];
    const before = ends;
    const begins = kind === undefined ? ends : afterVariable(ends, kind, characters);
    const stopAt = (at: number, expected: string | undefined, variable: string | undefined): TemplateMismatch => {
      return { position: at + 1, found: characters[at], expected, variable };
    };
    ends = new Uint8Array(begins.length);
    let longest = { at: 0, matched: -1 };
    for (let at = 0; at < begins.length; at++) {
      if (begins[at] !== 1) continue;
      let matched = 0;
      while (matched < literal.length && characters[at + matched] === literal[matched]) matched++;
      if (matched === literal.length) ends[at + matched] = 1;
      if (matched >= longest.matched) longest = { at, matched };
    }
    const isUnmatched = longest.matched < literal.length;
    if (!isUnmatched && (!isLast || ends[characters.length] === 1)) continue;
    const breaks = kind && breakOf(before.lastIndexOf(1), kind, characters);
    const isWithout = longest.matched < 0;
    if (breaks !== undefined && (isWithout || follows(literal, characters, breaks + 1, isLast))) {
      return stopAt(breaks, literal.join('') || undefined, word);
    }
    if (!isUnmatched) return stopAt(ends.lastIndexOf(1), undefined, undefined);
    const { at, matched } = longest;
    const isAfterValue = matched === 0 && at < characters.length;
    return stopAt(at + matched, literal.slice(matched).join(''), isAfterValue ? word : undefined);
  }
  return undefined;
}

/** The positions where a variable can end, given those where it can begin. The latest of these leaves most of the variable's length. */
function afterVariable(begins: Uint8Array, { least, most, letter }: Variable, characters: readonly string[]) {
  const ends = new Uint8Array(begins.length);
  let from = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < begins.length; at++) {
    if (least === 0 && begins[at] === 1) from = at;
    if (at - from <= most) ends[at] = 1;
    if (begins[at] === 1) from = at;
    if (!letter.test(characters[at] ?? '')) from = Number.NEGATIVE_INFINITY;
  }
  return ends;
}

/** Where a value that begins at a position has its greatest length, or a character that it may not have, or where the text ends. */
function breakOf(from: number, { most, letter }: Variable, characters: readonly string[]): number {
  const value = characters.slice(from, from + most);
  const wrong = value.findIndex((character) => !letter.test(character));
  return from + (wrong === -1 ? value.length : wrong);
}

/** Whether the text contains the literal at a position or later; if it is the last one, at the end. */
function follows(literal: readonly string[], characters: readonly string[], from: number, isLast: boolean): boolean {
  const last = characters.length - literal.length;
  for (let at = isLast ? Math.max(last, from) : from; at <= last; at++) {
    if (literal.every((one, n) => characters[at + n] === one)) return true;
  }
  return false;
}

/** The mismatch as the end of a sentence whose subject is the text: `: character 17 "x" does not fit template 5; …`. */
export function mismatchText(tempid: number, { position, found, expected, variable }: TemplateMismatch): string {
  const wanted = expected === undefined ? 'the end of the text' : `"${visible(expected)}"`;
  const kind = VARIABLES[variable ?? ''];
  const rest = kind
    ? `${tagOf(variable ?? '')} stands for ${valueText(kind)}, and must be followed by ${wanted}`
    : `expected ${wanted}`;
  return found === undefined
    ? `the text ends after character ${position - 1}, too early for template ${tempid}; ${rest}.`
    : `character ${position} "${visible(found)}" does not fit template ${tempid}; ${rest}.`;
}

/** With `\\n` for each line feed. */
const visible = (text: string): string => quoted(text.replaceAll('\n', '\\n'));
