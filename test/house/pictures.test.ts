import { expect } from 'chai';
import { projectFile } from '../../scripts/generate/generated-files.ts';
import { roomsPicture } from '../../scripts/generate/rooms-picture.ts';
import { sourceFile, sourceFiles } from './source-files.ts';

describe('The pictures in the documents', () => {
  for (const path of ['docs/images/rooms.svg']) {
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
});
