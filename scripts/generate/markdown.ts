type Cell = string | number;

export const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');

const escapeCell = (cell: Cell): string => String(cell).replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** A paragraph in lines of up to 120 characters. */
export const paragraph = (text: string): string => text.replaceAll(/(.{1,120})(?: |$)/g, '$1\n').trimEnd();
