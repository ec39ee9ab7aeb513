import { expect } from 'chai';
import { sourceFiles } from './source-files.ts';

const files = sourceFiles();

/** The service, `tpws`, and the trial instance of a rehearsal. */
const PROCESSES = ['main.ts', 'commands/this-process.ts', 'commands/rehearse/trial-process.ts'];
const MACHINE = ['service/this-machine.ts'];

/** Where some code is allowed, and why nowhere else. */
const HABITS: readonly {
  readonly title: string;
  readonly pattern: RegExp;
  readonly allowedIn: readonly string[];
}[] = [
  { title: 'only processes read the environment', pattern: /\bprocess\.env\b/, allowedIn: [...PROCESSES, ...MACHINE] },
  { title: 'only processes touch the process', pattern: /\bprocess\.\w/, allowedIn: [...PROCESSES, ...MACHINE] },
  {
    title: 'only the machine and the stores have a clock',
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/,
    allowedIn: [...MACHINE, 'store/postgres/server-clock.ts', 'store/sqlite/sqlite-store.ts'],
  },
  // `new Date(text)` reads local time in the zone of the host, and turns 30 February into March. Of a number of days, it gives year, month and day.
  {
    title: 'only wall minutes create a Date',
    pattern: /\bnew Date\(\s*[^\s)]|\bDate\.parse\b/,
    allowedIn: ['vocabulary/wall-minute.ts'],
  },
  { title: 'only the machine uses Math.random', pattern: /\bMath\.random\b/, allowedIn: MACHINE },
  {
    title: 'only the machine, processes and the correlation id use random numbers',
    pattern: /\brandom(?:UUID|Bytes|Int)\b/,
    allowedIn: [...MACHINE, ...PROCESSES, 'transports/request-ids.ts'],
  },
  { title: 'nothing writes to the console', pattern: /\bconsole\./, allowedIn: [] },
  { title: 'nothing depends on the locale', pattern: /\.toLocale\w*\(|\.localeCompare\(/, allowedIn: [] },
  { title: 'there are no barrels', pattern: /^export \*|^export \{[^}]*\} from/m, allowedIn: [] },
  { title: 'exports have names', pattern: /^export default\b/m, allowedIn: [] },
  { title: 'no code is created from text', pattern: /\beval\(|\bnew Function\(/, allowedIn: [] },
];

/** Longer than the rest, each with its reason. */
const LONG_FILES: Readonly<Record<string, number>> = {
  // Generated from the WSDL.
  'contract/generated-types.ts': 1000,
  // One grammar, read from its first production to its last; separate parts would share all their state.
  'xml/xml-scanner.ts': 700,
  // One message, from the Envelope to a parameter.
  'transports/soap/message-reader.ts': 450,
};
const LONGEST = 300;

describe('The coding conventions', () => {
  for (const { title, pattern, allowedIn } of HABITS) {
    it(`hold: ${title}`, () => {
      const wrong = files.filter(({ path, code }) => pattern.test(code) && !allowedIn.includes(path));
      expect(wrong.map(({ path }) => path)).to.deep.equal([]);
    });
  }

  it(`limit a file to ${LONGEST} lines, with justified exceptions`, () => {
    const wrong = files.filter(({ path, lineCount }) => lineCount > (LONG_FILES[path] ?? LONGEST));
    expect(wrong.map(({ path, lineCount }) => `${path}: ${lineCount}`)).to.deep.equal([]);
  });

  it('require file names in kebab-case', () => {
    const wrong = files.filter(
      ({ path }) => !/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(path),
    );
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });
});
