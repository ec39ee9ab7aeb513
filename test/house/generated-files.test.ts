import { expect } from 'chai';
import { firstDifference, GENERATED_FILES, projectFile } from '../../scripts/generate/generated-files.ts';

describe('Generated files', () => {
  for (const [path, generate] of Object.entries(GENERATED_FILES)) {
    it(`are up to date with npm run generate: ${path}`, () => {
      expect(firstDifference(generate(), projectFile(path))).to.equal(undefined);
    });
  }
});

describe('firstDifference', () => {
  it('names the first line that differs', () => {
    expect(firstDifference('a\nb\nc', 'a\nx\ny')).to.equal('Line 2 is "x"; expected "b".');
  });

  it('names a line that is missing, or one too many', () => {
    expect(firstDifference('a\nb', 'a')).to.equal('Line 2 is nothing; expected "b".');
    expect(firstDifference('a', 'a\nb')).to.equal('Line 2 is "b"; expected nothing.');
  });
});
