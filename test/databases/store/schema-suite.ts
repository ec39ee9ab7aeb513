import { expect } from 'chai';
import { type Queries, StoreConflict } from '../../../src/store/store.ts';
import {
  FEEDBACK_FIELDS,
  PATIENT_FIELDS,
  type StoredAppointment,
  type StoredPatient,
} from '../../../src/vocabulary/stored-records.ts';
import { auditEntry } from '../../support/database/audit-entry.ts';
import { NO_DETAILS, STORED_PATIENT } from '../../support/database/whole-patient.ts';
import { perTest } from '../../support/prepared.ts';
import { newMessage } from '../../unit/messages/new-message.ts';
import { addDoctors, appointment, failure, TEN_FIFTEEN, type TestDatabase } from './store-suite.ts';

const NOW = Date.UTC(2026, 10, 20, 3);

/** What every database's schema guarantees, whatever the service asks of it. */
export function schemaSuite(name: string, newDatabase: () => Promise<TestDatabase>): void {
  describe(`The schema of ${name}`, () => {
    const database = perTest(() => newDatabase());
    const store = perTest(() => database.open());
    beforeEach(() => addDoctors(store));

    describe('refuses', () => {
      let stored: StoredAppointment;
      beforeEach(async () => {
        const { id } = await store.write(({ appointments }) => appointments.insert(appointment(STORED_PATIENT)));
        const found = await store.read(({ imports }) => imports.appointments(1, [id]));
        stored = { ...(found[0] as StoredAppointment), id: 99, startsAt: 0, endsAt: 15 };
      });

      const leave = (from: number, to: number) => (queries: Queries) =>
        queries.referenceTables.put('doctor_leave', { centerId: 1, doctorId: 1, from, to });
      const hours = (values: object) => (queries: Queries) =>
        queries.referenceTables.put('opening_hours', {
          centerId: 1,
          ...{ doctorId: 1, weekday: 1, from: 0, to: 60, validFrom: null, validTo: null },
          ...values,
        });
      const imported = (values: Partial<StoredAppointment>) => (queries: Queries) =>
        queries.imports.addAppointments([{ ...stored, ...values }]);
      const message = (values: object) => (queries: Queries) => queries.messages.insert(newMessage(NOW, values));
      const audited = (values: object) => (queries: Queries) => queries.audit.add(auditEntry(values));
      const doctor = (values: object) => async (queries: Queries) => {
        const [first] = await queries.referenceTables.rows('doctor');
        if (first !== undefined) await queries.referenceTables.put('doctor', { ...first, ...values });
      };

      const refused: Readonly<Record<string, (queries: Queries) => Promise<unknown>>> = {
        'leave that ends before it begins': leave(100, 100),
        'hours on an eighth day': hours({ weekday: 8 }),
        'hours that end before they begin': hours({ from: 60, to: 60 }),
        'hours after midnight': hours({ to: 1441 }),
        'hours whose last day is before the first': hours({ validFrom: '2027-01-02', validTo: '2027-01-01' }),
        'hours from a day that is not ISO text': hours({ validFrom: '1.1.2027' }),
        'hours from a day of letters': hours({ validFrom: 'yyyy-mm-dd' }),
        'a doctor who is half active': doctor({ active: 2 }),
        'a doctor without a place in a slot': doctor({ capacity: 0 }),
        'a doctor with more than 1,000 places in a slot': doctor({ capacity: 1001 }),
        'a slot of four minutes': doctor({ slotMinutes: 4 }),
        'a slot of over four hours': doctor({ slotMinutes: 241 }),
        'an unknown status': imported({ status: 8 }),
        'an unknown sex': imported({ sex: 'Q' }),
        'an unknown unit of age': imported({ ageUnit: 'H' }),
        'an age without a unit': imported({ ageUnit: null }),
        'half an identity': imported({ nameKey: null }),
        'an appointment without length': imported({ endsAt: 0 }),
        'an appointment of more than six hours': imported({ endsAt: 361 }),
        'the number 0': imported({ id: 0 }),
        'the token 0': imported({ tokenNo: 0 }),
        'the seat 0': imported({ seat: 0 }),
        'an appointment of no doctor': imported({ doctorId: 9 }),
        'a token of no doctor': ({ imports }) =>
          imports.putDayToken({ centerId: 1, doctorId: 9, day: '2027-01-18', lastToken: 1 }),
        'an age of more than 150 years': imported({ ageValue: 54_788, ageUnit: 'D' }),
        'an unknown mode': message({ mode: 5 }),
        'an unknown priority': message({ priority: 2 }),
        'an unknown encoding': message({ encoding: 'UTF-8' }),
        'a message without a segment': message({ segments: 0 }),
        'a message that is being sent for an unlimited time': message({ status: 2 }),
        'an unknown status of a message': message({ status: 9 }),
        'an unknown action': audited({ action: 'X' }),
        'an unknown outcome': audited({ outcome: 5 }),
        'an unknown transport': audited({ transport: 'fax' }),
      };
      const remainders = Object.entries(PATIENT_FIELDS).flatMap(([field, facts]) =>
        'personal' in facts ? [field as keyof StoredPatient] : [],
      );
      const ofErased = remainders.map(
        (field) =>
          [
            `the ${field} of a patient whose data was erased`,
            imported({ ...NO_DETAILS, sex: 'F', [field]: STORED_PATIENT[field] }),
          ] as const,
      );
      for (const [what, write] of [...Object.entries(refused), ...ofErased]) {
        it(what, async () => {
          const error = await failure(store.write(write));
          expect(error).to.be.instanceOf(Error).and.not.instanceOf(StoreConflict);
          expect(`${(error as Error).message}`).to.match(/check|foreign key|CHECK|FOREIGN KEY/);
        });
      }

      it('nothing of the same rows when they are right', async () => {
        const right: readonly ((queries: Queries) => Promise<unknown>)[] = [
          leave(100, 101),
          hours({ validFrom: '2027-01-01', validTo: '2027-01-01' }),
          imported({}),
          imported({ ...NO_DETAILS, sex: 'F', id: 98, startsAt: 15, endsAt: 30 }),
        ];
        for (const write of [...right, message({}), audited({}), doctor({})]) await store.write(write);
      });
    });

    describe('keeps nothing that identifies a person once it is erased:', () => {
      /** Texts of a row that are not null, by column. */
      const texts = (row: object | undefined) =>
        Object.entries(row ?? {}).flatMap(([column, value]) => (typeof value === 'string' ? [column] : []));

      it('of an appointment, only the sex stays', async () => {
        const { id } = await store.write(({ appointments }) => appointments.insert(appointment(STORED_PATIENT)));
        const row = () => store.read(({ patients }) => patients.appointment({ centerId: 1, id }));
        const stored = Object.entries(PATIENT_FIELDS).filter(([field]) => field !== 'ageValue');
        expect(texts(await row())).to.have.members(stored.map(([, { column }]) => column));
        await store.write(({ patients }) => patients.eraseAppointment({ centerId: 1, id, now: NOW }));
        expect(texts(await row())).to.deep.equal(['sex']);
        expect(await row()).to.include({ age_value: null, start_wall_minute: TEN_FIFTEEN, updated_on: NOW });
      });

      it('of feedback, only who sent it', async () => {
        const values = Object.fromEntries(Object.keys(FEEDBACK_FIELDS).map((field) => [field, 'x']));
        const id = await store.write(({ feedback }) =>
          feedback.insert({ ...(values as unknown as Parameters<typeof feedback.insert>[0]), receivedOn: NOW }),
        );
        await store.write(({ patients }) => patients.eraseFeedback({ id, now: NOW }));
        expect(texts(await store.read(({ patients }) => patients.feedback({ id })))).to.deep.equal(['client']);
      });

      it('of a message, only who queued it and how it was sent', async () => {
        const id = await store.write(({ messages }) => messages.insert(newMessage(NOW)));
        await store.write(({ patients }) => patients.eraseMessage({ id, now: NOW }));
        const kept = texts(await store.read(({ messageList }) => messageList.show({ id })));
        expect(kept).to.have.members(['encoding', 'last_code', 'client', 'correlation_id']);
      });

      it('two erased appointments of one time are not one patient’s', async () => {
        const insert = (values: object) => store.write(({ appointments }) => appointments.insert(appointment(values)));
        const ids = [await insert({}), await insert({ doctorId: 2, nameKey: 'b' })].map(({ id }) => id);
        for (const id of ids)
          await store.write(({ patients }) => patients.eraseAppointment({ centerId: 1, id, now: NOW }));
        for (const id of ids) {
          await store.write(({ appointments }) => appointments.setStatus({ centerId: 1, id, status: 3, now: NOW }));
        }
      });
    });
  });
}
