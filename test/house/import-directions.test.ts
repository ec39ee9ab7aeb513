import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { arrowsBetweenRooms, ROOM_ORDER } from './rooms.ts';
import { root, sourceFile, sourceFiles } from './source-files.ts';

const files = sourceFiles();

/** By library: the rooms that may import it. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  'body-parser': ['transports'],
  'content-type': ['vocabulary'],
  commander: ['commands'],
  'csv-parse': ['reference'],
  express: ['http', 'doctor/operating-pages.ts', 'service/open-service.ts', 'transports'],
  kysely: ['store', 'commands/copies', 'doctor'],
  'libphonenumber-js': ['vocabulary'],
  pg: ['store/postgres', 'commands/copies', 'doctor'],
  pino: ['log'],
  'ipaddr.js': ['vocabulary'],
  leven: ['settings', 'transports/forms'],
  'lru-cache': ['access', 'vocabulary', 'messages/gateways', 'transports'],
  'node:sqlite': ['store/sqlite', 'commands/copies', 'doctor'],
  'prom-client': ['doctor', 'service'],
  smpp: ['messages/gateways'],
  soap: ['transports/soap'],
  xml2js: ['contract'],
  zod: ['settings', 'access', 'messages/gateways'],
};

const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

const arrows = arrowsBetweenRooms(files);

/** One circle of each group of places that reach each other, from a place back to itself. */
function circlesIn(targets: ReadonlyMap<string, Iterable<string>>): readonly string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (place: string, way: readonly string[]): void => {
    if (way.includes(place)) circles.push([...way.slice(way.indexOf(place)), place].join(' → '));
    else if (!done.has(place)) for (const next of targets.get(place) ?? []) walk(next, [...way, place]);
    done.add(place);
  };
  for (const place of targets.keys()) walk(place, []);
  return circles;
}

const floorOf = (room: string): number => ROOM_ORDER.findIndex((rooms) => rooms.includes(room));

describe('The directions of imports', () => {
  it('give every room a place in the order', () => {
    expect([...arrows.keys(), 'start.js', 'tpws.js']).to.have.members(ROOM_ORDER.flat());
  });

  it('have no circle between rooms', () => {
    expect(circlesIn(new Map([...arrows].map(([room, targets]) => [room, targets.keys()])))).to.deep.equal([]);
  });

  it('have no circle between files, not even of types', () => {
    const targets = files.map(
      ({ path, imports }) => [path, imports.filter(({ isFile }) => isFile).map(({ target }) => target)] as const,
    );
    expect(circlesIn(new Map(targets))).to.deep.equal([]);
  });

  it('would find a circle', () => {
    const arrows = new Map(Object.entries({ a: ['b', 'c'], b: ['c'], c: ['b'] }));
    expect(circlesIn(arrows)).to.deep.equal(['b → c → b']);
  });

  it('never run against the order of the rooms', () => {
    const wrong = [...arrows].flatMap(([room, targets]) =>
      [...targets].filter(([target]) => floorOf(target) <= floorOf(room)).map(([, why]) => why),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('let the vocabulary import nothing of another room', () => {
    expect([...(arrows.get('vocabulary') ?? [])]).to.deep.equal([]);
  });

  it('allow every library only in its place', () => {
    const wrong = files.flatMap(({ path, imports }) =>
      imports
        .filter(({ isFile, target }) => !isFile && (target in LIBRARIES || !target.startsWith('node:')))
        .filter(({ target }) => !(LIBRARIES[target] ?? []).some((place) => isIn(path, place)))
        .map(({ target }) => `${path} imports ${target}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('leave no dependency of package.json unused', () => {
    const { dependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    const used = new Set(files.flatMap(({ imports }) => imports.map(({ target }) => target)));
    const unused = Object.keys(dependencies).filter((name) => !used.has(name));
    expect(unused).to.deep.equal([]);
  });

  it('keep appointments free of the host: they import nothing from Node', () => {
    const wrong = files.filter(
      ({ path, imports }) => isIn(path, 'appointments') && imports.some(({ target }) => target.startsWith('node:')),
    );
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });

  it('are found in every form of import that the project uses', () => {
    const { imports } = sourceFile(
      'store/a.ts',
      [
        "import { b } from './b.ts';",
        "import type { C } from '../errors.ts';",
        'import {',
        '  d,',
        "} from '@scope/d/deep';",
        "import 'e';",
        "export { f } from './sqlite/f.ts';",
        "const g = await import('g/sub');",
        "// import { h } from 'h';",
        "/** import { i } from 'i'; */",
      ].join('\n'),
    );
    expect(imports.map(({ target, typesOnly }) => `${typesOnly ? 'type ' : ''}${target}`)).to.deep.equal([
      'store/b.ts',
      'type errors.ts',
      '@scope/d',
      'e',
      'store/sqlite/f.ts',
      'g',
    ]);
  });
});
