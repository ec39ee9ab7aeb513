import { expect } from 'chai';
import { WriterReferenceCache } from '../../../../src/store/queries/reference-cache.ts';

describe('WriterReferenceCache', () => {
  let version: number;
  let asked: number;
  let cache: WriterReferenceCache;
  beforeEach(() => {
    version = 1;
    asked = 0;
    cache = new WriterReferenceCache(async () => {
      asked++;
      return version;
    });
    cache.onBegin();
  });

  it('asks for the version once per transaction, even if several queries need it at the same moment', async () => {
    await Promise.all([cache.data(), cache.data()]);
    await cache.data();
    expect(asked).to.equal(1);
    cache.onBegin();
    await cache.data();
    expect(asked).to.equal(2);
  });

  it('ignores a version that arrives after the end of the transaction that asked for it', async () => {
    const late = cache.data();
    cache.onBegin();
    await late;
    version = 2;
    expect(await cache.data()).to.have.property('version', 2);
  });
});
