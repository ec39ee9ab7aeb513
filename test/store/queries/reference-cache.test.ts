import { expect } from 'chai';
import { WriterReferenceCache } from '../../../src/store/queries/reference-cache.ts';

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

  it('does not ask for the version in a transaction that needs no reference data', () => {
    expect(asked).to.equal(0);
  });

  it('keeps its contents from one transaction to the next', async () => {
    const cached = await cache.data();
    cache.onBegin();
    expect(await cache.data()).to.equal(cached);
  });

  it('starts empty when the version has changed', async () => {
    const cached = await cache.data();
    version = 2;
    cache.onBegin();
    expect(await cache.data()).not.to.equal(cached);
  });

  it('is not used in the rest of a transaction that has changed reference data', async () => {
    await cache.data();
    cache.onChange();
    expect(cache.data()).to.equal(undefined);
    cache.onBegin();
    expect(await cache.data()).not.to.equal(undefined);
  });

  it('ignores a version that arrives after the end of the transaction that asked for it', async () => {
    const late = cache.data();
    cache.onBegin();
    await late;
    version = 2;
    expect(await cache.data()).to.have.property('version', 2);
  });
});
