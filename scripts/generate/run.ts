// npm run generate [-- --check]: writes all generated files: TypeScript types from the WSDL, parts of documents and the SoapUI
// project. With --check, it writes nothing, says which of them are out of date, and exits 1 if any is.
import { writeFileSync } from 'node:fs';
import { readArguments } from '../ci/read-arguments.ts';
import { firstDifference, GENERATED_FILES, projectFile } from './generated-files.ts';

const { values } = readArguments('npm run generate --', { options: { check: { type: 'boolean' } } });

for (const [path, generate] of Object.entries(GENERATED_FILES)) {
  const expected = generate();
  const difference = firstDifference(expected, projectFile(path));
  if (difference === undefined) continue;
  if (values.check) {
    console.error(`${path} is out of date; run npm run generate. ${difference}`);
    process.exitCode = 1;
  } else {
    writeFileSync(new URL(`../../${path}`, import.meta.url), expected);
    console.log(`${path}: written`);
  }
}
