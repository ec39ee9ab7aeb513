import { expect } from 'chai';
import type { NewAppointment } from '../../../src/store/queries/appointment-queries.ts';
import type { Doctor } from '../../../src/store/queries/reference-rows.ts';
import { type Queries, type Store, StoreConflict } from '../../../src/store/store.ts';
import { LONGEST_SPAN_MINUTES } from '../../../src/vocabulary/appointments.ts';
import type { ServiceError } from '../../../src/vocabulary/errors.ts';
import { NO_DETAILS } from '../../support/database/whole-patient.ts';
import { newMessage } from '../../unit/messages/new-message.ts';

/** A database that is used by only one test. */
export interface TestDatabase {
  /** A store on the database, as another process would open it. Closed by `dispose` unless the test closes it. */
  open(): Promise<Store>;
  dispose(): Promise<void>;
}

/** 18 January 2027, 10:15, in minutes since 1970 in local time. */
export const TEN_FIFTEEN = Date.UTC(2027, 0, 18, 10, 15) / 60_000;
const DAY = '2027-01-18';
const MIDNIGHT = TEN_FIFTEEN - (TEN_FIFTEEN % 1440);
const NOW = Date.UTC(2026, 10, 20, 3);

/** Centers 1 and 2, each with doctors 1 and 2. */
export const addDoctors = (store: Store): Promise<void> =>
  store.write(async ({ referenceTables }) => {
    for (const centerId of [1, 2]) {
      await referenceTables.put('center', {
        id: centerId,
        name: `Center ${centerId}`,
        timeZone: 'Asia/Kolkata',
        phoneRegion: null,
      });
      for (const id of [1, 2]) await referenceTables.put('doctor', { active: 1, ...DOCTOR, centerId, id });
    }
  });

const DOCTOR = {
  name: 'Dr. Asha Rao',
  department: null,
  specialization: null,
  qualification: null,
  slotMinutes: 15,
  capacity: 1,
};

const renameDoctor = (tables: Queries['referenceTables'], centerId: number, id: number, name: string): Promise<void> =>
  tables.put('doctor', { ...DOCTOR, centerId, id, name, active: 1 });

/** Doctor 1 of center 1 at 10:15 for patient A, with the given values replaced. */
export const appointment = (values: Partial<NewAppointment> = {}): NewAppointment => ({
  centerId: 1,
  doctorId: 1,
  day: DAY,
  startsAt: TEN_FIFTEEN,
  endsAt: (values.startsAt ?? TEN_FIFTEEN) + 15,
  minutes: null,
  seat: 1,
  overlapping: 0,
  status: 2,
  ...NO_DETAILS,
  nameKey: 'a',
  name: 'Asha',
  sex: 'F',
  phone: '+919845012345',
  now: NOW,
  ...values,
});

export const failure = (promise: Promise<unknown>): Promise<ServiceError> =>
  promise.then(
    () => expect.fail('it was expected to fail'),
    (error) => error,
  );

/** What every Store promises, tested on a real database. */
export function storeSuite(name: string, newDatabase: () => Promise<TestDatabase>): void {
  describe(name, () => {
    let database: TestDatabase;
    let store: Store;
    beforeEach(async () => {
      database = await newDatabase();
      store = await database.open();
    });
    afterEach(() => database.dispose());

    const insert = (values: Partial<NewAppointment> = {}, into = store) =>
      into.write(async ({ appointments }) => (await appointments.insert(appointment(values))).id);
    const dayOf = (from = store) =>
      from.read(async ({ appointments }) => (await appointments.ofDay(1, 1, MIDNIGHT)).rows);

    describe('a new database', () => {
      it('is empty', async () => {
        expect(await store.read(({ facts }) => facts.isEmpty())).to.equal(true);
      });

      const kinds: Readonly<Record<string, (queries: Queries) => Promise<unknown>>> = {
        'a center': ({ referenceTables }) =>
          referenceTables.put('center', { id: 1, name: 'A', timeZone: 'Asia/Kolkata', phoneRegion: null }),
        feedback: ({ feedback }) =>
          feedback.insert({
            client: 'anonymous',
            inpatientNumber: '1',
            room: '1',
            mobile: null,
            department: null,
            comment: null,
            receivedOn: NOW,
          }),
        'a message': ({ messages }) => messages.insert(newMessage(NOW)),
      };
      for (const [kind, add] of Object.entries(kinds)) {
        it(`is no longer empty with ${kind}`, async () => {
          await store.write(add);
          expect(await store.read(({ facts }) => facts.isEmpty())).to.equal(false);
        });
      }
    });

    describe('the schema', () => {
      it('is migrated once: a second start changes nothing', async () => {
        await addDoctors(store);
        const second = await database.open();
        expect(await second.reference().then((reference) => reference.doctors(1))).to.have.length(2);
      });

      it('may be migrated by several processes at the same moment', async () => {
        const fresh = await newDatabase();
        try {
          const stores = await Promise.all([fresh.open(), fresh.open(), fresh.open()]);
          for (const each of stores) {
            expect(await each.read(({ facts }) => facts.isEmpty())).to.equal(true);
          }
        } finally {
          await fresh.dispose();
        }
      });
    });

    describe('a write', () => {
      beforeEach(() => addDoctors(store));

      it('is still there after the store is closed and opened again', async () => {
        await insert();
        await store.close();
        store = await database.open();
        expect(await dayOf()).to.have.length(1);
      });

      it('is visible to another process when it resolves', async () => {
        const other = await database.open();
        await Promise.all(
          Array.from({ length: 20 }, async (_, n) => {
            const id = await insert({ nameKey: `P${n}`, startsAt: TEN_FIFTEEN + n * 15 });
            const seen = await other.read(({ appointments }) => appointments.byId({ id, centerId: 1 }));
            expect(seen?.nameKey).to.equal(`P${n}`);
          }),
        );
      });

      it('is not visible to another process earlier', async () => {
        const other = await database.open();
        await store.write(async ({ appointments }) => {
          await appointments.insert(appointment());
          expect(await dayOf(other)).to.deep.equal([]);
        });
        // Another process reads in another turn of its event loop.
        await new Promise(setImmediate);
        expect(await dayOf(other)).to.have.length(1);
      });

      it('is visible to its writer at once, even if others read in that turn', async () => {
        const id = await insert();
        const reads = Promise.all([dayOf(), dayOf()]);
        await store.write(({ appointments }) => appointments.setStatus({ centerId: 1, id, status: 3, now: 1 }));
        expect((await store.read(({ appointments }) => appointments.byId({ id, centerId: 1 })))?.status).to.equal(3);
        await reads;
      });

      it('is stored unchanged: any letter, any length, quotes and SQL', async () => {
        for (const name of [
          "Robert'); DROP TABLE appointment;--",
          'आशा 😀 \u0301',
          ' a\r\n\tb ',
          '?',
          '$1',
          'x'.repeat(5000),
        ]) {
          const id = await insert({ name, nameKey: name, startsAt: TEN_FIFTEEN + (await dayOf()).length * 15 });
          expect((await dayOf()).find((row) => row.id === id)?.name).to.equal(name);
        }
      });

      it('stores an instant to the millisecond', async () => {
        const id = await insert({ now: NOW + 1 });
        expect((await store.read(({ appointments }) => appointments.byId({ id, centerId: 1 })))?.updatedOn).to.equal(
          NOW + 1,
        );
      });

      it('resolves with the result of its callback', async () => {
        expect(await store.write(async () => 'value')).to.equal('value');
        expect(await store.read(async () => 'value')).to.equal('value');
      });

      it('runs in the order in which it was requested', async () => {
        const order: number[] = [];
        await Promise.all(
          Array.from({ length: 200 }, (_, n) =>
            store.write(async ({ appointments }) => {
              order.push(n);
              expect(await appointments.takeToken({ centerId: 1, doctorId: 1, day: DAY })).to.equal(n + 1);
            }),
          ),
        );
        expect(order).to.deep.equal(Array.from({ length: 200 }, (_, n) => n));
      });

      it('is finished before the store closes', async () => {
        const writes = Array.from({ length: 50 }, (_, n) =>
          insert({ nameKey: `P${n}`, startsAt: TEN_FIFTEEN + n * 15 }),
        );
        await store.close();
        await Promise.all(writes);
        expect(await dayOf(await database.open())).to.have.length(50);
      });
    });

    describe('a callback that throws', () => {
      beforeEach(() => addDoctors(store));

      it('rejects with its own error, and none of its changes stay', async () => {
        const error = new Error('no');
        const thrown = failure(
          store.write(async ({ appointments }) => {
            await appointments.insert(appointment());
            throw error;
          }),
        );
        expect(await thrown).to.equal(error);
        expect(await dayOf()).to.deep.equal([]);
      });

      it('leaves its neighbors unaffected', async () => {
        const results = await Promise.allSettled(
          Array.from({ length: 30 }, (_, n) =>
            store.write(async ({ appointments }) => {
              const { id } = await appointments.insert(
                appointment({ nameKey: `P${n}`, startsAt: TEN_FIFTEEN + n * 15 }),
              );
              if (n % 3 === 0) throw new Error('no');
              return id;
            }),
          ),
        );
        expect(results.map(({ status }) => status)).to.deep.equal(
          results.map((_, n) => (n % 3 === 0 ? 'rejected' : 'fulfilled')),
        );
        expect((await dayOf()).map(({ startsAt }) => (startsAt - TEN_FIFTEEN) / 15)).to.deep.equal(
          results.map((_, n) => n).filter((n) => n % 3 !== 0),
        );
      });

      it('leaves the store usable when it throws before it writes, or when all throw', async () => {
        const none = () => Promise.reject(new Error('no'));
        await Promise.allSettled([store.write(none), store.write(none), store.read(none)]);
        await insert();
        expect(await dayOf()).to.have.length(1);
      });

      it('rejects with its own error in a read', async () => {
        const error = new Error('no');
        expect(await failure(store.read(() => Promise.reject(error)))).to.equal(error);
      });
    });

    describe('keys', () => {
      it('refuse a doctor without a center, and an appointment without a doctor', async () => {
        await failure(
          store.write(({ referenceTables }) =>
            referenceTables.put('doctor', { active: 1, ...DOCTOR, id: 1, centerId: 7 }),
          ),
        );
        await failure(insert());
      });

      it('identify a center, and a doctor of a center, which are changed instead of added again', async () => {
        await addDoctors(store);
        const { centers, doctors } = await store.write(async ({ referenceTables }) => {
          const [doctor] = await referenceTables.rows('doctor');
          await referenceTables.put('center', { id: 1, name: 'A', timeZone: 'Asia/Kolkata', phoneRegion: null });
          await referenceTables.put('doctor', { ...(doctor as Doctor), name: 'Dr. Other' });
          return { centers: await referenceTables.rows('center'), doctors: await referenceTables.rows('doctor') };
        });
        expect(centers.filter(({ id }) => id === 1)).to.deep.equal([
          { id: 1, name: 'A', timeZone: 'Asia/Kolkata', phoneRegion: null },
        ]);
        expect(doctors.filter(({ name }) => name === 'Dr. Other')).to.have.length(1);
      });

      it('of appointments are ascending', async () => {
        await addDoctors(store);
        const first = await insert();
        expect(await insert({ nameKey: 'B', startsAt: TEN_FIFTEEN + 60 })).to.be.greaterThan(first);
      });
    });

    describe('the guard against overbooking', () => {
      beforeEach(async () => {
        await addDoctors(store);
        await insert();
      });

      const B = { nameKey: 'B' };
      const conflicts: Readonly<Record<string, Partial<NewAppointment>>> = {
        'a second patient on a seat': {},
        'a second patient who waits for confirmation': { status: 1 },
        'a second patient in consultation': { status: 4 },
        'a second patient who comes a minute before the first is done': { startsAt: TEN_FIFTEEN + 14 },
        'a second patient whose slot ends a minute into the first': { startsAt: TEN_FIFTEEN - 14 },
        'a second patient around the first': { startsAt: TEN_FIFTEEN - 60, endsAt: TEN_FIFTEEN + 60 },
        'a second patient within the first': { startsAt: TEN_FIFTEEN + 5, endsAt: TEN_FIFTEEN + 6 },
      };
      for (const [what, values] of Object.entries(conflicts)) {
        it(`refuses ${what}`, async () => {
          expect(await failure(insert({ ...B, ...values }))).to.be.instanceOf(StoreConflict);
          expect(await dayOf()).to.have.length(1);
        });
      }

      it('refuses a second patient in the last minute of the longest visit', async () => {
        const startsAt = TEN_FIFTEEN + 15;
        await insert({ ...B, startsAt, endsAt: startsAt + LONGEST_SPAN_MINUTES });
        const last = insert({ nameKey: 'C', startsAt: startsAt + LONGEST_SPAN_MINUTES - 1 });
        expect(await failure(last)).to.be.instanceOf(StoreConflict);
      });

      const free: Readonly<Record<string, Partial<NewAppointment>>> = {
        'a patient just after': { startsAt: TEN_FIFTEEN + 15 },
        'a patient just before': { startsAt: TEN_FIFTEEN - 15 },
        'another patient on another seat': { ...B, seat: 2 },
        'another patient with another doctor': { ...B, doctorId: 2 },
        'the same patient with another doctor, which only the operations refuse': { doctorId: 2 },
        'an appointment that holds no slot': { status: 6 },
      };
      for (const [what, values] of Object.entries(free)) {
        it(`accepts ${what}`, async () => {
          await insert(values);
        });
      }

      for (const status of [5, 6, 7]) {
        it(`accepts a second appointment once the first has status ${status}`, async () => {
          const [first] = await dayOf();
          await store.write(({ appointments }) =>
            appointments.setStatus({ centerId: 1, id: first?.id ?? 0, status, now: NOW }),
          );
          await insert(B);
        });

        it(`refuses to return an appointment from status ${status} to a slot that is taken`, async () => {
          const id = await insert({ ...B, status });
          const error = await failure(
            store.write(({ appointments }) => appointments.setStatus({ centerId: 1, id, status: 2, now: NOW })),
          );
          expect(error).to.be.instanceOf(StoreConflict);
        });
      }

      it('refuses to move an appointment into a slot that is taken', async () => {
        const id = await insert({ ...B, startsAt: TEN_FIFTEEN + 60 });
        const to = {
          startsAt: TEN_FIFTEEN + 10,
          endsAt: TEN_FIFTEEN + 25,
          minutes: null,
          seat: 1,
          overlapping: 0,
          tokenNo: 1,
          status: 2,
          now: NOW,
        };
        const error = await failure(store.write(({ appointments }) => appointments.move({ ...to, centerId: 1, id })));
        expect(error).to.be.instanceOf(StoreConflict);
        expect((await dayOf()).map(({ startsAt }) => startsAt)).to.deep.equal([TEN_FIFTEEN, TEN_FIFTEEN + 60]);
      });

      it('lets an appointment move to a slot that overlaps its own old one', async () => {
        const id = (await dayOf())[0]?.id ?? 0;
        const to = {
          startsAt: TEN_FIFTEEN + 5,
          endsAt: TEN_FIFTEEN + 20,
          minutes: null,
          seat: 1,
          overlapping: 0,
          tokenNo: 1,
          status: 2,
          now: NOW,
        };
        await store.write(({ appointments }) => appointments.move({ ...to, centerId: 1, id }));
      });

      it('lets the status change while the appointment holds its slot', async () => {
        const id = (await dayOf())[0]?.id ?? 0;
        for (const status of [3, 4, 1, 2]) {
          await store.write(({ appointments }) => appointments.setStatus({ centerId: 1, id, status, now: NOW }));
        }
      });

      it('holds between processes: of 40 concurrent bookings through two of them, one succeeds', async () => {
        const other = await database.open();
        const at = { startsAt: TEN_FIFTEEN + 120 };
        const results = await Promise.allSettled(
          Array.from({ length: 40 }, (_, n) => insert({ ...at, nameKey: `P${n}` }, n % 2 ? store : other)),
        );
        expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
        for (const result of results) {
          if (result.status === 'rejected') expect(result.reason).to.be.instanceOf(StoreConflict);
        }
      });
    });

    describe('tokens', () => {
      it('are given out once each, however many processes there are', async () => {
        await addDoctors(store);
        const other = await database.open();
        const tokens = await Promise.all(
          Array.from({ length: 40 }, (_, n) =>
            (n % 2 ? store : other).write(({ appointments }) =>
              appointments.takeToken({ centerId: 1, doctorId: 1, day: DAY }),
            ),
          ),
        );
        expect(tokens.toSorted((a, b) => a - b)).to.deep.equal(Array.from({ length: 40 }, (_, n) => n + 1));
      });
    });

    describe('the version of the reference data', () => {
      it('changes with each change of that data, by any process', async () => {
        const other = await database.open();
        const seen = [(await store.reference()).version];
        await addDoctors(store);
        seen.push((await store.reference()).version);
        await other.write(({ referenceTables }) =>
          referenceTables.put('doctor_leave', { centerId: 1, doctorId: 1, from: 0, to: 1 }),
        );
        await new Promise(setImmediate);
        // Another read of the turn must not hide that the version has not been read yet.
        await dayOf();
        seen.push((await store.reference()).version);
        const hours = { doctorId: 1, weekday: 1, from: 0, to: 60, validFrom: null, validTo: null };
        await other.write(({ referenceTables }) => referenceTables.put('opening_hours', { ...hours, centerId: 1 }));
        await new Promise(setImmediate);
        seen.push((await store.reference()).version);
        const template = { dltTemplateId: null, principalEntityId: null, header: null, category: null, active: 1 };
        await other.write(({ referenceTables }) =>
          referenceTables.put('message_template', { ...template, tempid: 7, text: 'Token {#var#}' }),
        );
        await new Promise(setImmediate);
        seen.push((await store.reference()).version);
        expect(new Set(seen)).to.have.property('size', 5);
      });

      it('stays the same when appointments are booked, and when a change fails', async () => {
        await addDoctors(store);
        const before = (await store.reference()).version;
        await insert();
        await failure(
          store.write(async ({ referenceTables }) => {
            await referenceTables.put('doctor_leave', { centerId: 1, doctorId: 1, from: 0, to: 1 });
            throw new Error('no');
          }),
        );
        expect((await store.reference()).version).to.equal(before);
      });
    });

    describe('a read', () => {
      beforeEach(() => addDoctors(store));
      const namesOf = (...keys: readonly (readonly [id: number, centerId: number])[]) =>
        Promise.all(
          keys.map(async ([id, centerId]) => {
            const found = await store.read(({ appointments }) => appointments.stateById({ id, centerId }));
            return found && [found.doctorId, found.doctorName, found.timeZone];
          }),
        );

      it('of an appointment returns the names of its own doctor and center, and none for another center', async () => {
        await store.write(({ referenceTables }) => renameDoctor(referenceTables, 1, 2, 'Dr. B'));
        await store.write(({ referenceTables }) =>
          referenceTables.put('center', { id: 2, name: 'Center 2', timeZone: 'Europe/Paris', phoneRegion: null }),
        );
        const keys = [
          [await insert(), 1],
          [await insert({ doctorId: 2, nameKey: 'b' }), 1],
          [await insert({ centerId: 2 }), 2],
        ] as const;
        const expected = [
          [1, DOCTOR.name, 'Asia/Kolkata'],
          [2, 'Dr. B', 'Asia/Kolkata'],
          [1, DOCTOR.name, 'Europe/Paris'],
        ];
        expect(await namesOf(...keys)).to.deep.equal(expected);
        expect(await namesOf([99, 1])).to.deep.equal([undefined]);
      });

      it('of what changed since an instant has each appointment once, by the time of its last change up to an instant', async () => {
        for (const [index, now] of [NOW + 2, NOW, NOW + 1, NOW + 3].entries()) {
          await insert({ now, startsAt: TEN_FIFTEEN + 60 * index });
        }
        await store.write(({ appointments }) =>
          appointments.setStatus({ id: 2, centerId: 1, status: 6, now: NOW + 2 }),
        );
        const { ids, last } = await store.read(async ({ exports }) => ({
          ids: (await exports.changedAfter({ updatedOn: NOW + 1, centerId: 1, id: 0, until: NOW + 2 })).map(
            ({ id }) => id,
          ),
          last: await exports.lastChange('appointment'),
        }));
        expect([ids, last]).to.deep.equal([[3, 1, 2], NOW + 3]);
      });

      it('by a writer sees what its transaction, and another unit of work in the same commit, have changed', async () => {
        const nameBy = async ({ reference }: Queries) => (await reference()).doctor(1, 1)?.name;
        expect(await store.write(nameBy)).to.equal(DOCTOR.name);
        const rename = async (queries: Queries) => {
          const before = await nameBy(queries);
          await renameDoctor(queries.referenceTables, 1, 1, 'Dr. New');
          return [before, await nameBy(queries)];
        };
        const names = await Promise.all([store.write(nameBy), store.write(rename), store.write(nameBy)]);
        expect(names).to.deep.equal([DOCTOR.name, [DOCTOR.name, 'Dr. New'], 'Dr. New']);
      });

      it('by a writer sees what another process has changed since the transaction before', async () => {
        const other = await database.open();
        const nameBy = async ({ reference }: Queries) => (await reference()).doctor(1, 1)?.name;
        expect(await other.write(nameBy)).to.equal(DOCTOR.name);
        await store.write(({ referenceTables }) => renameDoctor(referenceTables, 1, 1, 'Dr. New'));
        expect(await other.write(nameBy)).to.equal('Dr. New');
      });

      it('by a writer sees nothing of a change that was rolled back', async () => {
        const nameBy = async ({ reference }: Queries) => (await reference()).doctor(1, 1)?.name;
        const changing = store.write(async (queries) => {
          await renameDoctor(queries.referenceTables, 1, 1, 'Dr. New');
          await nameBy(queries);
          throw new Error('undo');
        });
        const [name] = await Promise.all([store.write(nameBy), changing.catch(() => undefined)]);
        expect([name, await store.write(nameBy)]).to.deep.equal([DOCTOR.name, DOCTOR.name]);
      });

      it('sees what another process has changed in doctors and centers since the previous read', async () => {
        const other = await database.open();
        const id = await insert();
        const read = () =>
          store.reference().then((reference) => [reference.doctor(1, 1)?.name, reference.center(1)?.name]);
        expect(await namesOf([id, 1])).to.deep.equal([[1, DOCTOR.name, 'Asia/Kolkata']]);
        expect(await read()).to.deep.equal([DOCTOR.name, 'Center 1']);
        await other.write(({ referenceTables }) => renameDoctor(referenceTables, 1, 1, 'Dr. New'));
        await new Promise(setImmediate);
        expect(await read()).to.deep.equal(['Dr. New', 'Center 1']);
        await other.write(({ referenceTables }) =>
          referenceTables.put('center', { id: 1, name: 'New', timeZone: 'Europe/Paris', phoneRegion: null }),
        );
        await new Promise(setImmediate);
        expect(await namesOf([id, 1])).to.deep.equal([[1, 'Dr. New', 'Europe/Paris']]);
        expect(await read()).to.deep.equal(['Dr. New', 'New']);
      });
    });

    describe('nonces', () => {
      const take = (hash: string, expiresOn: number, now: number, from = store) =>
        from.write(({ nonces }) => nonces.take(hash, expiresOn, now));

      it('are accepted once each, across processes', async () => {
        const other = await database.open();
        expect(await take('a', 1000, 0)).to.equal(true);
        expect(await take('a', 1000, 0)).to.equal(false);
        expect(await take('a', 5000, 0, other)).to.equal(false);
        expect(await take('b', 1000, 0, other)).to.equal(true);
        const all = Array.from({ length: 20 }, (_, i) => take('c', 1000, 0, i % 2 === 0 ? store : other));
        expect((await Promise.all(all)).filter(Boolean)).to.have.length(1);
      });

      it('are forgotten when they expire', async () => {
        await take('a', 1000, 0);
        await take('b', 2000, 0);
        expect(await take('b', 3000, 1000)).to.equal(false);
        expect(await take('a', 3000, 1000)).to.equal(true);
      });
    });

    it('stores marks, and returns the newest of a name', async () => {
      expect(await store.read(({ facts }) => facts.get('m'))).to.equal(undefined);
      await store.write(({ facts }) => facts.set({ name: 'm', value: '1' }));
      await store.write(({ facts }) => facts.set({ name: 'm', value: '2' }));
      expect(await store.read(({ facts }) => facts.get('m'))).to.equal('2');
    });
  });
}
