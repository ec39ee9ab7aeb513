import { expect } from 'chai';
import { WriterReferenceCache } from '../../../src/store/records/reference-cache.ts';

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
    cache.begin();
  });

  it('asks for the version once per transaction, even if several queries need it at the same moment', async () => {
    await Promise.all([cache.current(), cache.current()]);
    await cache.current();
    expect(asked).to.equal(1);
    cache.begin();
    await cache.current();
    expect(asked).to.equal(2);
  });

  it('does not ask for the version in a transaction that needs no reference data', () => {
    expect(asked).to.equal(0);
  });

  it('keeps its contents from one transaction to the next', async () => {
    const kept = await cache.current();
    cache.begin();
    expect(await cache.current()).to.equal(kept);
  });

  it('starts empty when the version has changed', async () => {
    const kept = await cache.current();
    version = 2;
    cache.begin();
    expect(await cache.current()).not.to.equal(kept);
  });

  it('is not used in the rest of a transaction that has changed reference data', async () => {
    await cache.current();
    cache.changed();
    expect(cache.current()).to.equal(undefined);
    cache.begin();
    expect(await cache.current()).not.to.equal(undefined);
  });

  it('ignores a version that arrives after the end of the transaction that asked for it', async () => {
    const late = cache.current();
    cache.begin();
    await late;
    version = 2;
    expect(await cache.current()).to.have.property('version', 2);
  });
});
