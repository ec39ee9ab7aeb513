import { expect } from 'chai';
import { ANONYMOUS } from '../../../src/access/client.ts';
import { ResultCode } from '../../../src/vocabulary/result-codes.ts';
import { BOOKING, changeDoctor, HOUR, MINUTE, openHospital } from '../../support/database/hospital.ts';
import { perTest } from '../../support/prepared.ts';

/** What is booked, and what somebody sees of it in a list: the name, and the end of the phone. */
const STANDING = { ...BOOKING, RegistrationNumber: 'REG-2741', contactnumber: '9812345678' };
const GUESS = { ...STANDING, RegistrationNumber: '', Sex: '', Age: '', title: '' };

describe('Who guesses the phone or number of a booked patient', () => {
  const hospital = perTest(() => openHospital());
  beforeEach(() => hospital.book(STANDING));

  const code = async (given: object, ...more: [key?: string, client?: typeof ANONYMOUS]) =>
    (await hospital.call('Fetch_Details', { ...GUESS, ...given }, ...more)).record.ResultCode;
  const wrong = (n: number) => code({ contactnumber: `98${n}05678` });
  const guess = async (times: number) => {
    for (let n = 0; n < times; n++) expect(await wrong(100 + n)).to.equal(ResultCode.SlotTaken);
  };

  it('is told that the right one is booked after four wrong ones, and nothing after five', async () => {
    await guess(4);
    expect(await code({})).to.equal(ResultCode.Duplicate);
    await guess(1);
    const refused = await hospital.refused('Fetch_Details', GUESS, ResultCode.SlotTaken);
    const other = await hospital.refused(
      'Fetch_Details',
      { ...GUESS, contactnumber: '9800000000' },
      ResultCode.SlotTaken,
    );
    expect(refused).to.deep.equal(other);
  });

  it('is told nothing after five wrong ones that were sent at the same time', async () => {
    const guesses = [...Array.from({ length: 5 }, (_, n) => wrong(100 + n)), code({})];
    expect(new Set(await Promise.all(guesses))).to.deep.equal(new Set([ResultCode.SlotTaken]));
  });

  it('is told nothing by a registration number either, nor as a client that sees no patient data', async () => {
    for (let n = 0; n < 5; n++) await code({ contactnumber: '', RegistrationNumber: `REG-274${n + 2}` });
    const minimal = { ...ANONYMOUS, fields: 'minimal' } as const;
    expect(await code({ contactnumber: '', RegistrationNumber: 'REG-2741' }, undefined, minimal)).to.equal(
      ResultCode.SlotTaken,
    );
  });

  it('is told nothing about a visit that is over, whose wrong namings are in the past', async () => {
    hospital.clock.now = Date.UTC(2027, 0, 19);
    for (let n = 0; n < 5; n++) expect(await wrong(100 + n)).to.equal(ResultCode.PastTime);
    expect(await code({})).to.equal(ResultCode.PastTime);
  });

  it('is told nothing where other places of the slot are free, and books none of them', async () => {
    await guess(5);
    await changeDoctor(hospital.store, { capacity: 3 });
    expect(await code({})).to.equal(ResultCode.SlotTaken);
    expect(await wrong(105)).to.equal(ResultCode.SlotTaken);
    expect(await hospital.dayOf(102, '2027-01-18')).to.have.length(1);
  });

  it('is told nothing behind a flood of other refusals, which are not recorded individually', async () => {
    for (let n = 0; n < 700; n++) await code({ Name: `Patient ${n}x` });
    await guess(5);
    expect(await code({})).to.equal(ResultCode.SlotTaken);
  });

  it('adds no more than five rows an hour to the audit trail that name the appointment', async () => {
    await guess(30);
    const rows = await hospital.store.read(({ audit }) => audit.page({ appointmentId: 1 }));
    expect(rows).to.have.length(1 + 5);
  });

  it('may ask again after an hour', async () => {
    await guess(5);
    hospital.clock.now += HOUR - MINUTE;
    expect(await code({})).to.equal(ResultCode.SlotTaken);
    hospital.clock.now += MINUTE;
    expect(await code({})).to.equal(ResultCode.Duplicate);
  });

  it('does not keep the first answer from its Idempotency-Key', async () => {
    const later = { ...BOOKING, app_time: '12:00' };
    const first = await hospital.call('Fetch_Details', later, 'key-1');
    for (let n = 0; n < 5; n++) await code({ app_time: '12:00', contactnumber: `98${100 + n}05678` });
    expect(await code({ ...later })).to.equal(ResultCode.SlotTaken);
    expect(await hospital.call('Fetch_Details', later, 'key-1')).to.deep.equal(first);
  });

  it('is who names that patient: others who want the seat, and honest repetitions, count for nothing', async () => {
    for (let n = 0; n < 20; n++) {
      expect(await code({ Name: `Patient ${n}x`, contactnumber: `98450${n + 10000}` })).to.equal(ResultCode.SlotTaken);
      expect(await code({ Sex: 'M' })).to.equal(ResultCode.SlotTaken);
      expect(await code({})).to.equal(ResultCode.Duplicate);
    }
  });

  it('is found in the audit trail by the appointment', async () => {
    await guess(2);
    const rows = await hospital.store.read(({ audit }) => audit.page({ appointmentId: 1 }));
    expect(rows.map(({ operation, resultCode }) => [operation, resultCode])).to.deep.equal([
      ['Fetch_Details', ResultCode.OK],
      ['Fetch_Details', ResultCode.SlotTaken],
      ['Fetch_Details', ResultCode.SlotTaken],
    ]);
  });
});
