import { lineAt } from './line-at.ts';

/** The position at which a text ceases to be JSON. */
export interface JsonMistake {
  /** From 1. */
  readonly line: number;
  /** Column in the line, from 1, in UTF-16 units. */
  readonly column: number;
  /** The text at that position, truncated; undefined for the end of the text. */
  readonly found: string | undefined;
  readonly expected: string;
}

/** What may come next. The open brackets determine what may follow a value. */
type State = 'value' | 'item' | 'field' | 'name' | 'colon' | 'afterValue';

const EXPECTED: Readonly<Record<State, string>> = {
  value: 'a value',
  item: 'a value or ]',
  field: 'a name in double quotes or }',
  name: 'a name in double quotes; no comma may come before }',
  colon: 'a colon',
  afterValue: 'a comma or the closing bracket',
};

const SPACE = /[ \t\r\n]*/y;
const BARE = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const WORD = /[\w.+-]+|./suy;
const LONGEST_SHOWN = 20;

/**
 * The first position at which a text that JSON.parse rejects is wrong. For some mistakes, the engine reports no position, and it uses
 * wording of its own.
 */
export function findJsonMistake(text: string): JsonMistake {
  const open: string[] = [];
  let state = 'value' as State;
  let at = 0;
  const mistake = (position: number, expected: string): JsonMistake => ({
    line: lineAt(text, position),
    column: position - text.lastIndexOf('\n', position - 1),
    found: matchAt(WORD, text, position)?.slice(0, LONGEST_SHOWN),
    expected,
  });
  for (;;) {
    at += matchAt(SPACE, text, at)?.length ?? 0;
    const char = text[at] ?? '';
    const mayClose = state === 'afterValue' || state === 'item' || state === 'field';
    if (mayClose && char === open.at(-1)) {
      open.pop();
      state = 'afterValue';
      at++;
    } else if (state === 'afterValue' && char === ',' && open.length > 0) {
      state = open.at(-1) === '}' ? 'name' : 'value';
      at++;
    } else if (state === 'colon' && char === ':') {
      state = 'value';
      at++;
    } else if (char === '"' && state !== 'colon' && state !== 'afterValue') {
      const end = stringEnd(text, at);
      if (typeof end !== 'number') return mistake(end.position, end.expected);
      state = state === 'name' || state === 'field' ? 'colon' : 'afterValue';
      at = end;
    } else if ((state === 'value' || state === 'item') && (char === '{' || char === '[')) {
      open.push(char === '{' ? '}' : ']');
      state = char === '{' ? 'field' : 'item';
      at++;
    } else {
      const bare = state === 'value' || state === 'item' ? matchAt(BARE, text, at) : undefined;
      if (bare === undefined) {
        return mistake(at, state === 'afterValue' && open.length === 0 ? 'the end of the file' : EXPECTED[state]);
      }
      state = 'afterValue';
      at += bare.length;
    }
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

/** The position after the string that begins at `at`, or where it is wrong: for a string that is not closed, its beginning. */
function stringEnd(text: string, at: number): number | { readonly position: number; readonly expected: string } {
  for (let place = at + 1; place < text.length; place++) {
    const char = text[place] ?? '';
    if (char === '"') return place + 1;
    if (char === '\n') break;
    if (char < ' ') return { position: place, expected: 'control characters in a string as \\u and four digits' };
    if (char !== '\\') continue;
    const escaped = matchAt(ESCAPE, text, place);
    if (escaped === undefined) return { position: place, expected: 'a backslash doubled, or an escape such as \\n' };
    place += escaped.length - 1;
  }
  return { position: at, expected: 'a string that is closed on its line' };
}
