import { expect } from 'chai';
import { readBasicCredentials } from '../../../src/access/access.ts';

const header = (text: string, encoding: BufferEncoding = 'utf8') =>
  `Basic ${Buffer.from(text, encoding).toString('base64')}`;

describe('HTTP Basic credentials', () => {
  it('are a user name up to the first colon, and a password', () => {
    expect(readBasicCredentials(header('desk:a:b'))).to.deep.equal({ username: 'desk', password: 'a:b' });
    expect(readBasicCredentials(header(':'))).to.deep.equal({ username: '', password: '' });
    expect(readBasicCredentials(header('desk:x').replace('Basic', 'bAsIc '))).to.deep.equal({
      username: 'desk',
      password: 'x',
    });
  });

  it('are UTF-8, or Latin-1 from old programs', () => {
    expect(readBasicCredentials(header('müller:ß'))).to.deep.equal({ username: 'müller', password: 'ß' });
    expect(readBasicCredentials(header('müller:ß', 'latin1'))).to.deep.equal({ username: 'müller', password: 'ß' });
  });

  it('are absent if the scheme is a different one', () => {
    for (const other of [undefined, '', 'Bearer abc', 'Basically abc', 'Digest a=b']) {
      expect(readBasicCredentials(other)).to.equal(undefined);
    }
  });

  it('are empty without base64 or a colon', () => {
    for (const wrong of ['Basic', 'Basic ', 'Basic ???', 'Basic a b', header('desk')]) {
      expect(readBasicCredentials(wrong), wrong).to.deep.equal({ username: '', password: '' });
    }
  });
});
