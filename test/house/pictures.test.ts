import { expect } from 'chai';
import { projectFile } from '../../scripts/generate/generated-files.ts';
import { roomsPicture } from '../../scripts/generate/rooms-picture.ts';
import { speedPicture } from '../../scripts/generate/speed-picture.ts';
import { sourceFile, sourceFiles } from './source-files.ts';

describe('The pictures in the documents', () => {
  for (const path of ['docs/images/rooms.svg', 'docs/images/speed.svg']) {
    it(`${path} has a text alternative, and colors for dark pages`, () => {
      const picture = projectFile(path);
      expect(picture).to.match(/<title id="title">.+<\/title>\n<desc id="description">.+<\/desc>/);
      expect(picture).to.include('prefers-color-scheme: dark');
    });
  }

  it('show a room as soon as it is imported', () => {
    const newRoom = sourceFile('rules/new.ts', "import { a } from '../attic/a.ts';");
    const attic = sourceFile('attic/a.ts', '');
    expect(roomsPicture([...sourceFiles(), newRoom, attic])).to.include('>attic</text>');
  });

  it('cannot be drawn if no file imports the next room of the request path', () => {
    const withoutStore = sourceFiles().filter(({ path }) => !path.startsWith('operations/'));
    expect(() => roomsPicture(withoutStore)).to.throw('No file of operations imports rules');
  });

  const tableWith = (ratios: string) =>
    [
      '| Operation | Transport | Server | of bare node:http |',
      '|---|---|---|---:|',
      `| GetDoctor | SOAP 1.1 | TPWebServices | ${ratios} |`,
      '| GetDoctor | SOAP 1.1 | bare node:http | 1.00 |',
    ].join('\n');

  it('show the median of several rounds', () => {
    const picture = speedPicture(tableWith('0.40 / 0.50 / 0.70'));
    expect(picture).to.include('GetDoctor over SOAP 1.1, TPWebServices: 0.50.');
  });

  it('have room for a bar that is longer than that of bare node:http', () => {
    const [, bar] = /<rect class="own" x="250" y="\d+" width="([\d.]+)"/.exec(speedPicture(tableWith('2.00'))) ?? [];
    expect(Number(bar)).to.equal(400);
  });
});
