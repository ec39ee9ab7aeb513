import { readFileSync } from 'node:fs';
import { readContract } from '../../src/contract/read-contract.ts';
import { databaseDoc } from './database-doc.ts';
import { withFieldLists } from './field-lists.ts';
import { operationsDoc } from './operations-doc.ts';
import { settingsDoc } from './settings-doc.ts';
import { soapUiProject } from './soapui/soapui-project.ts';
import { generatedTypes } from './types.ts';

const root = new URL('../../', import.meta.url);

/** The text of a file of this project, by its path. */
export const projectFile = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const wsdl = () => projectFile('wsdl/TPWebServices.wsdl');
const OPERATIONS = 'docs/operations.md';
const WITH_FIELD_LISTS = ['docs/access.md', 'docs/moving.md', 'docs/privacy.md'];

/** What each generated file must contain, by its path. */
export const GENERATED_FILES: Readonly<Record<string, () => string>> = {
  'src/contract/generated-types.ts': () => generatedTypes(readContract(wsdl())),
  [OPERATIONS]: () => operationsDoc(readContract(wsdl()), projectFile(OPERATIONS)),
  'docs/settings.md': settingsDoc,
  'docs/database.md': databaseDoc,
  'docs/TPWebServices-soapui-project.xml': () => soapUiProject(wsdl()),
  ...Object.fromEntries(
    WITH_FIELD_LISTS.map((path) => [path, () => withFieldLists(readContract(wsdl()), projectFile(path))]),
  ),
};

/** The first line in which two texts differ, as a sentence. `undefined` if they are the same. */
export function firstDifference(expected: string, actual: string): string | undefined {
  if (expected === actual) return undefined;
  const wanted = expected.split('\n');
  const found = actual.split('\n');
  const line = wanted.findIndex((text, index) => text !== found[index]);
  const index = line < 0 ? wanted.length : line;
  const at = (lines: readonly string[]) => (lines[index] === undefined ? 'nothing' : `"${lines[index]}"`);
  return `Line ${index + 1} is ${at(found)}; expected ${at(wanted)}.`;
}
