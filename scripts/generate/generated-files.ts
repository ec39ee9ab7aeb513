import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readContract } from '../../src/contract/read-contract.ts';
import { databaseDoc } from './database-doc.ts';
import { withFieldLists } from './field-lists.ts';
import { regenerated } from './markdown.ts';
import { operationsDoc } from './operations-doc.ts';
import { settingsDoc } from './settings-doc.ts';
import { soapUiProject } from './soapui/soapui-project.ts';
import { checksDoc, variablesDoc } from './tables-doc.ts';
import { generatedTypes } from './types.ts';

const root = new URL('../../', import.meta.url);

/** The text of a file of this project, by its path. */
export const projectFile = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const wsdl = () => projectFile('wsdl/TPWebServices.wsdl');
const contract = () => readContract(wsdl());
const withLists = (document: string): string => withFieldLists(contract(), document);

/** In a process of its own, because what this one has run already would count, too. */
const filesOfCalls = (): string =>
  execFileSync(process.execPath, [fileURLToPath(new URL('files-of-calls.ts', import.meta.url))], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** Documents that are generated in part, from what they are. */
const DOCUMENTS: Readonly<Record<string, (document: string) => string>> = {
  'docs/callers/operations.md': (document) => operationsDoc(contract(), document),
  'docs/developers/request-path.md': (document) => regenerated(document, [filesOfCalls()]),
  'docs/operators/settings.md': settingsDoc,
  'docs/operators/database.md': databaseDoc,
  'docs/operators/operating.md': checksDoc,
  'docs/operators/access.md': withLists,
  'docs/operators/importing.md': withLists,
  'docs/operators/privacy.md': withLists,
  'docs/operators/text-messages.md': variablesDoc,
};

/** What each generated file must contain, by its path. */
export const GENERATED_FILES: Readonly<Record<string, () => string>> = {
  'src/contract/generated-types.ts': () => generatedTypes(contract()),
  ...Object.fromEntries(Object.entries(DOCUMENTS).map(([path, generate]) => [path, () => generate(projectFile(path))])),
  'docs/callers/TPWebServices-soapui-project.xml': () => soapUiProject(wsdl()),
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
