// Writes docs/images/rooms.svg from the imports of src/, and docs/images/speed.svg from the table in
// docs/performance.md, which `npm run bench -- --write` writes. With --check it writes nothing, and
// exits 1 if one of them is out of date.
import { readFileSync } from 'node:fs';
import { sourceFiles } from '../test/house/source-files.ts';
import { roomsPicture } from './pictures/rooms-picture.ts';
import { speedPicture } from './pictures/speed-picture.ts';
import { writeGenerated } from './write-generated.ts';

const root = new URL('../', import.meta.url);

/** Every picture that is drawn, by its path. */
export const pictures = (): Readonly<Record<string, string>> => ({
  'docs/images/rooms.svg': roomsPicture(sourceFiles()),
  'docs/images/speed.svg': speedPicture(readFileSync(new URL('docs/performance.md', root), 'utf8')),
});

if (process.argv[1] === import.meta.filename) {
  for (const [path, picture] of Object.entries(pictures())) {
    writeGenerated(new URL(path, root), 'generate:pictures', picture);
  }
}
