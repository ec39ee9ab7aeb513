import { CHECKS } from '../../src/doctor/finding.ts';
import { table } from './markdown.ts';

const BEGIN = '<!-- The table of checks is written by npm run generate. -->\n\n';

/** The document with its table of checks: what each looks at, and what a start does about a flaw. */
export function checksDoc(document: string): string {
  const begin = document.indexOf(BEGIN) + BEGIN.length;
  const end = document.indexOf('\n\n', begin);
  if (begin < BEGIN.length || end === -1) throw new Error(`a document has no line ${BEGIN}`);
  const rows = Object.entries(CHECKS).map(([subject, [looksAt, atStart = '']]) => [subject, looksAt, atStart]);
  return document.slice(0, begin) + table(['Subject', 'What is looked at', 'At a start'], rows) + document.slice(end);
}
