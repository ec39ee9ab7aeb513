// Ends a process that runs on an older Node with a sentence that says what to do. Written in JavaScript that old versions of Node can read,
// and imported first by every entry point: any other file of the project would end there in a SyntaxError.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The oldest major version of Node that runs the service. */
const OLDEST_NODE = Number(/\d+/.exec(engines.node)[0]);

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  process.stderr.write(
    `TPWebServices needs Node ${OLDEST_NODE} or later, and ${process.execPath} is Node ${process.versions.node}: ` +
      `run it with npm (npm start, npx tpws, npm run …) after npm ci, which installs Node ${OLDEST_NODE}, ` +
      `or install Node ${OLDEST_NODE} from https://nodejs.org/en/download.\n`,
  );
  process.exit(1);
}
