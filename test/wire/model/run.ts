/**
 * Random histories of sixteen clients against the model of test/wire/model:
 * `npm run ci -- model -- [--seed N] [--operations N] [--services N] [--database URL] [--all-codes]`. A database that is given must be empty.
 * With --all-codes, fails if a ResultCode that the model can answer never occurs: then nobody knows whether the service agrees with it.
 */
import { readArguments, refuseArguments } from '../../../scripts/ci/read-arguments.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { MODEL_CODES } from './hospital-model.ts';
import { runHistory } from './run-history.ts';

const COMMAND = 'npm run ci -- model --';
const { values } = readArguments(COMMAND, {
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    operations: { type: 'string', default: '10000' },
    services: { type: 'string', default: '2' },
    database: { type: 'string' },
    'all-codes': { type: 'boolean', default: false },
  },
});
const [seed = 0, operations = 0, services = 0] = [values.seed, values.operations, values.services].map(Number);
if (operations < 1 || services < 1) {
  refuseArguments(COMMAND, "Options '--operations' and '--services' must be at least 1");
}

const folder = temporaryFolder();
const began = Date.now();
console.log(`seed ${seed}, ${operations} operations, ${services} services`);
try {
  const databaseUrl = values.database ?? `sqlite:${folder.path}/model.db`;
  const result = await runHistory({ seed, operations, services, databaseUrl });
  for (const [what, n] of [...result.answers].sort(([a], [b]) => (a < b ? -1 : 1))) console.log(`${n} × ${what}`);
  for (const reason of result.skipped) console.log(reason);
  const occurred = new Set([...result.answers.keys()].map((what) => Number(what.split(' ')[1])));
  const missing = MODEL_CODES.filter((code) => !occurred.has(code));
  if (values['all-codes'] && missing.length > 0) throw new Error(`These ResultCodes never occurred: ${missing.join()}`);
  console.log(`As the model, in ${result.rounds} rounds, ${((Date.now() - began) / 1000).toFixed(1)} s`);
} finally {
  folder.remove();
}
