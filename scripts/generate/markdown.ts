type Cell = string | number;

export const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');

const escapeCell = (cell: Cell): string => String(cell).replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** A paragraph in lines of up to 120 characters. */
export const paragraph = (text: string): string => text.replaceAll(/(.{1,120})(?: |$)/g, '$1\n').trimEnd();

/** The document with the table of that name replaced. */
export function withTable(document: string, name: string, rows: string): string {
  const line = `<!-- The table of ${name} is written by npm run generate. -->\n\n`;
  const begin = document.indexOf(line) + line.length;
  const end = document.indexOf('\n\n', begin);
  if (begin < line.length || end === -1) throw new Error(`a document has no line ${line}`);
  return document.slice(0, begin) + rows + document.slice(end);
}

const BEGIN = '<!-- Generated from here on by npm run generate. Edit only the part above. -->';

/** The document with its handwritten part kept and everything below it replaced by these blocks. */
export function regenerated(document: string, blocks: readonly string[]): string {
  const end = document.indexOf(BEGIN);
  if (end === -1) throw new Error(`a document has no line ${BEGIN}`);
  return `${document.slice(0, end)}${[BEGIN, ...blocks].join('\n\n')}\n`;
}
