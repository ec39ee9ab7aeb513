import type { SourceFile } from './source-files.ts';

/**
 * The order of the rooms: each may import those in later lines, and no others. Rooms in one line do not import each other.
 * Source: the drawing in docs/developers/request-path.md.
 */
export const ROOM_ORDER: readonly (readonly string[])[] = [
  ['start.js', 'tpws.js'],
  ['main.ts', 'commands'],
  ['service'],
  ['doctor'],
  ['http'],
  ['transports/pages'],
  ['transports/soap', 'transports/forms'],
  ['transports'],
  ['messages', 'reference'],
  ['appointments'],
  ['calls'],
  ['access'],
  ['settings'],
  ['contract'],
  ['xml', 'store'],
  ['log'],
  ['vocabulary'],
];

/** The first folder of a path; for the transports, which have rooms of their own, the first two. A file at the root is a room, too. */
export function roomOf(path: string): string {
  const [room = path, ...rest] = path.split('/');
  return room === 'transports' && rest.length > 1 ? `${room}/${rest[0]}` : room;
}

/** Arrows between rooms, including type imports, each with one of the imports that cause it. */
export const arrowsBetweenRooms = (files: readonly SourceFile[]): ReadonlyMap<string, ReadonlyMap<string, string>> =>
  new Map(
    [...new Set(files.map(({ path }) => roomOf(path)))].map((room) => [
      room,
      new Map(
        files
          .filter(({ path }) => roomOf(path) === room)
          .flatMap(({ path, imports }) =>
            imports
              .filter(({ isFile, target }) => isFile && roomOf(target) !== room)
              .map(({ target }) => [roomOf(target), `${path} imports ${target}`] as const),
          ),
      ),
    ]),
  );
