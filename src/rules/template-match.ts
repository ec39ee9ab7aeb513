import { shown } from '../vocabulary/errors.ts';

/** Stands in a template for a value. Source: TRAI's DLT registers of templates. */
export const VARIABLE = '{#var#}';
/** Characters that a variable stands for at most. Source: TRAI's DLT registers of templates. */
const VARIABLE_LENGTH = 30;

/**
 * Line ends as templates are compared and messages by template are sent: a form's text area sends CR LF where the template was
 * registered with LF.
 */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n');

/** Where a text stops to be one of a template. */
export interface TemplateMismatch {
  /** 1 for the first character; one more than the text has if it ends too early. Characters are Unicode code points. */
  readonly position: number;
  /** The character there; undefined if the text ends. */
  readonly found: string | undefined;
  /** What the template has there, up to its next variable; undefined for its end. */
  readonly expected: string | undefined;
  /** A variable stands right before: it would have to be longer than it may be. */
  readonly variableFull: boolean;
}

/**
 * Undefined if the text is the template's, each `{#var#}` standing for 0 to 30 characters. Otherwise the furthest place that any
 * distribution of the text among the variables reaches: whatever stands before it fits. Both have line ends LF.
 *
 * Takes time in proportion to the product of the two lengths, whatever they hold: it keeps all places of the text that the
 * template so far can end at, and never goes back.
 */
export function templateMismatch(template: string, text: string): TemplateMismatch | undefined {
  const characters = Array.from(text);
  const literals = template.split(VARIABLE).map((literal) => Array.from(literal));
  /** 1 at each place that the template so far can end at. */
  let ends = new Uint8Array(characters.length + 1);
  ends[0] = 1;
  let last = 0;
  let furthest: TemplateMismatch | undefined;
  const stop = (at: number, expected: string | undefined, variableFull: boolean) => {
    // Of several reasons at one place, the one that comes last in the template explains most of the text.
    if (furthest !== undefined && at + 1 < furthest.position) return;
    furthest = { position: at + 1, found: characters[at], expected, variableFull };
  };

  for (const [number, literal] of literals.entries()) {
    if (number > 0) {
      ends = afterVariable(ends);
      last = Math.min(last + VARIABLE_LENGTH, characters.length);
    }
    for (const [index, expected] of literal.entries()) {
      const next = new Uint8Array(ends.length);
      let reached = -1;
      for (let at = 0; at <= last; at++) {
        if (ends[at] === 0) continue;
        if (characters[at] === expected) {
          next[at + 1] = 1;
          reached = at + 1;
        } else
          stop(at, literal.slice(index).join(''), number > 0 && index === 0 && at === last && at < characters.length);
      }
      if (reached === -1) return furthest;
      ends = next;
      last = reached;
    }
  }
  if (ends[characters.length] === 1) return undefined;
  stop(last, undefined, literals.length > 1 && literals.at(-1)?.length === 0);
  return furthest;
}

/** Places that a variable can end at, given those where it can begin. */
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
  const wanted = expected === undefined ? 'its end' : `"${shown(expected)}"`;
  const rest = variableFull
    ? `a variable has at most ${VARIABLE_LENGTH} characters, then comes ${wanted}`
    : `expected ${wanted}`;
  return found === undefined
    ? ` ends after character ${position - 1}, too early for template ${tempid}; ${rest}.`
    : `: character ${position} "${shown(found)}" does not fit template ${tempid}; ${rest}.`;
}
