import { findJsonMistake } from './find-json-mistake.ts';
import { ImportRefused, type Problem } from './problem.ts';
import type { RawRow, RawTable } from './raw-table.ts';

/**
 * Reads an array of flat objects, whose property names are the columns. Throws ImportRefused for anything else. Without `showsText`, no
 * message quotes text of the file.
 */
export function readJson(text: string, file: string, showsText: boolean): RawTable {
  const items = itemsOf(text, file, showsText);
  const lines = linesOfItems(text);
  const lineOfTitle = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    for (const title of Object.keys(item)) {
      if (!lineOfTitle.has(title)) lineOfTitle.set(title, lines[index] ?? 1);
    }
  }
  const titles = [...lineOfTitle.keys()];
  const problems: Problem[] = [];
  const rows = items.flatMap((item, index): RawRow[] => {
    const line = lines[index] ?? 1;
    const values = titles.map((title) => (Object.hasOwn(item, title) ? item[title] : undefined));
    const before = problems.length;
    for (const [at, value] of values.entries()) {
      const message = mistakeOf(value);
      if (message !== undefined) {
        const shown = showsText ? JSON.stringify(value) : undefined;
        problems.push({ file, line, column: titles[at], value: shown, message });
      }
    }
    if (problems.length > before) return [];
    return [{ line, cells: values.map(cellOf) }];
  });
  return { titles, titleLine: undefined, titleLines: [...lineOfTitle.values()], rows, problems };
}

function itemsOf(text: string, file: string, showsText: boolean): readonly Readonly<Record<string, unknown>>[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { line, column, found, expected } = findJsonMistake(text);
    const seen = showsText || (found?.length ?? 0) === 1 ? JSON.stringify(found) : 'something else';
    const what = found === undefined ? 'the file ends' : `${seen} appears`;
    const message = `is not JSON: ${what} at character ${column} of the line; expected ${expected}`;
    throw new ImportRefused([{ file, line, message }]);
  }
  const isItem = (item: unknown): boolean => typeof item === 'object' && item !== null && !Array.isArray(item);
  const expected = 'expected [{…}, {…}]';
  if (!Array.isArray(value)) throw new ImportRefused([{ file, message: `is not an array of objects; ${expected}` }]);
  const strange = value.findIndex((item) => !isItem(item));
  if (strange !== -1) {
    throw new ImportRefused([{ file, message: `item ${strange + 1} of the array is not an object; ${expected}` }]);
  }
  return value;
}

function cellOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return value === null ? '' : String(value);
}

function mistakeOf(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) return 'expected a string, a number, true, false or null';
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return 'is too long for a number; expected it as a string, in quotes';
  }
  return undefined;
}

/**
 * The line on which each object of the array begins. The text is known to be JSON. No pattern matches a whole string, because a long one
 * would overflow the stack.
 */
function linesOfItems(text: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  let inString = false;
  // An escape is a token of its own, so that an escaped quote does not end a string.
  for (const [token] of text.matchAll(/\\.|["{}[\]\n]/g)) {
    if (token === '"') inString = !inString;
    else if (inString) continue;
    else if (token === '\n') line++;
    else if (token === '{' || token === '[') {
      if (depth === 1) lines.push(line);
      depth++;
    } else if (token === '}' || token === ']') depth--;
  }
  return lines;
}
