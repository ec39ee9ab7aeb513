import { readFileSync, writeFileSync } from 'node:fs';
import { speedPicture } from '../generate/speed-picture.ts';

/** Lines of docs/performance.md; `npm run bench -- --write` replaces the text between them. */
const BEGIN = '<!-- Written by npm run bench -- --write -->';
const END = '<!-- Written by hand from here on -->';

const DOCUMENT = new URL('../../docs/performance.md', import.meta.url);
const PICTURE = new URL('../../docs/images/speed.svg', import.meta.url);

/** The document with this run instead of the previous one: a sentence on how it was measured, the table, and the picture of the table. */
export function withFigures(markdown: string, measured: string, table: string): string {
  const [begin, end] = [markdown.indexOf(`${BEGIN}\n`), markdown.indexOf(`${END}\n`)];
  if (begin === -1 || end < begin) throw new Error(`The document has no lines "${BEGIN}" and "${END}".`);
  const picture =
    '![The ratios of this table as bars, with bare node:http as 1. The table above has the same figures.](images/speed.svg)';
  return `${markdown.slice(0, begin)}${BEGIN}\n${measured}\n\n${table}\n\n${picture}\n${markdown.slice(end)}`;
}

/** Writes a run into docs/performance.md, and draws docs/images/speed.svg from it. */
export function writeFigures(measured: string, table: string): void {
  const markdown = withFigures(readFileSync(DOCUMENT, 'utf8'), measured, table);
  const picture = speedPicture(markdown);
  writeFileSync(DOCUMENT, markdown);
  writeFileSync(PICTURE, picture);
}
