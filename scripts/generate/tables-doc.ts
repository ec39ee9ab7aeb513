import { CHECKS } from '../../src/doctor/finding.ts';
import { tagOf, VARIABLES, valueText } from '../../src/vocabulary/template-variables.ts';
import { table, withTable } from './markdown.ts';

/** The document with its table of checks: what each looks at, and what a start does about a flaw. */
export function checksDoc(document: string): string {
  const rows = Object.entries(CHECKS).map(([subject, [looksAt, atStart = '']]) => [subject, looksAt, atStart]);
  return withTable(document, 'checks', table(['Subject', 'What is looked at', 'At a start'], rows));
}

/** The document with its table of variables of templates. */
export function variablesDoc(document: string): string {
  const rows = Object.entries(VARIABLES).map(([word, variable]) => [`\`${tagOf(word)}\``, valueText(variable)]);
  return withTable(document, 'variables', table(['Variable', 'Stands for'], rows));
}
