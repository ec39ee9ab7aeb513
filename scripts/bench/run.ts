// npm run bench -- [WHAT] [OPTION…]: measures the service. Without WHAT, compares it with its peers; see scripts/bench/compare.ts.
import { refuseArguments } from '../ci/read-arguments.ts';

const KINDS: Readonly<Record<string, () => Promise<unknown>>> = {
  compare: () => import('./compare.ts'),
  footprint: () => import('./footprint.ts'),
  growth: () => import('./growth.ts'),
  postgres: () => import('./postgres.ts'),
  replicas: () => import('./replicas.ts'),
  'ten-years': () => import('./ten-years.ts'),
};

const [first = ''] = process.argv.slice(2);
const isNamed = !first.startsWith('-') && first !== '';
if (isNamed) process.argv.splice(2, 1);
const kind = isNamed ? KINDS[first] : KINDS.compare;
if (kind === undefined) {
  refuseArguments('npm run bench --', `There is no '${first}'; expected ${Object.keys(KINDS).join(', ')}`);
}
await kind();
