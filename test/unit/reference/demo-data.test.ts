import { expect } from 'chai';
import { DEMO_FACT, loadDemoData } from '../../../src/reference/demo-data.ts';
import { openTestStore } from '../../support/database/open-test-store.ts';
import { perTest } from '../../support/prepared.ts';
import { newMessage } from '../messages/new-message.ts';

describe('loadDemoData', () => {
  const store = perTest(openTestStore);

  const doctorsOf = (centerId: number) => store.reference().then((reference) => reference.doctors(centerId));
  const mark = () => store.read(({ facts }) => facts.get(DEMO_FACT));

  it('fills an empty database: two centers with ten and five doctors', async () => {
    expect(await loadDemoData(store, 'Asia/Kolkata')).to.equal(true);
    expect(await doctorsOf(1)).to.have.length(10);
    expect(await doctorsOf(2)).to.have.length(5);
  });

  it('marks the database as holding demo data', async () => {
    expect(await mark()).to.equal(undefined);
    await loadDemoData(store, 'Asia/Kolkata');
    expect(await mark()).to.equal('loaded');
  });

  it('puts its centers into the given time zone', async () => {
    await loadDemoData(store, 'Europe/Berlin');
    expect((await store.reference().then((reference) => reference.center(2)))?.timeZone).to.equal('Europe/Berlin');
  });

  it('loads once', async () => {
    await loadDemoData(store, 'Asia/Kolkata');
    expect(await loadDemoData(store, 'Asia/Kolkata')).to.equal(false);
    expect(await doctorsOf(1)).to.have.length(10);
  });

  it('loads once when several processes start at the same moment', async () => {
    const loaded = await Promise.all([1, 2, 3].map(() => loadDemoData(store, 'Asia/Kolkata')));
    expect(loaded).to.deep.equal([true, false, false]);
  });

  // What else makes a database not empty is tested with the store.
  it('does nothing to a database that already has a message', async () => {
    await store.write(({ messages }) => messages.insert(newMessage(0)));
    expect(await loadDemoData(store, 'Asia/Kolkata')).to.equal(false);
    expect(await doctorsOf(1)).to.deep.equal([]);
    expect(await mark()).to.equal(undefined);
  });
});
