import { expect } from 'chai';
import { ANONYMOUS, type Client } from '../../../src/access/client.ts';
import type { Call } from '../../../src/calls/call.ts';
import { createAuditRefusal } from '../../../src/calls/call.ts';
import { SumReads } from '../../../src/calls/sum-reads.ts';
import type { Transport } from '../../../src/contract/contract.ts';
import { Budgets } from '../../../src/log/budgets.ts';
import { auditQueries } from '../../../src/store/queries/audit-queries.ts';
import type { Store } from '../../../src/store/store.ts';
import { BOOKING, type Given, type Hospital, openHospital } from '../../support/database/hospital.ts';
import { openTestStore } from '../../support/database/open-test-store.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { callOver, TRANSPORTS } from '../../support/http/four-transports.ts';
import { USUAL_CALLS } from '../../support/one-call-of-each.ts';
import { perTest } from '../../support/prepared.ts';
import { startService } from '../../support/process/start-service.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';

const SMS = { Mobileno: '9845012345', Message: 'Hello', tempid: 0, SMSmode: 1 };
const FEEDBACK = { ipno: 'IP-7', roomno: '12', moblieno: '', dept: 'Cardiology', needsimprovementcommit: 'Tea' };
const silent = () => {};
const SILENT = { error: silent, warn: silent, info: silent, debug: silent, writesDebug: false };
const trailOf = (store: Store) => store.read(({ audit }) => audit.page({}));

describe('The audit', () => {
  let hospital: Hospital;
  beforeEach(async () => {
    hospital = await openHospital();
  });
  afterEach(() => hospital.close());

  const trail = () => trailOf(hospital.store);
  const last = async () => (await trail()).at(-1);
  const move = (AppointmentID: number, type: number): Given => ({
    AppointmentID,
    type,
    appdate: '2027-01-18',
    apptime: '10:15',
    centerid: 1,
  });

  it('has a row for a booking, feedback and a message, with their new ids', async () => {
    const { AppointmentID } = await hospital.book();
    expect(await last()).to.include({
      operation: 'Fetch_Details',
      action: 'C',
      outcome: 0,
      resultCode: 0,
      errorCode: null,
      centerId: 1,
      appointmentId: AppointmentID,
      doctorId: 102,
    });
    const { FeedbackID } = await hospital.ok('FB_Push_Details', FEEDBACK);
    expect(await last()).to.include({
      operation: 'FB_Push_Details',
      action: 'C',
      feedbackId: FeedbackID,
      centerId: null,
    });
    const { SMSID } = await hospital.ok('Sent_SMS', SMS);
    expect(await last()).to.include({ operation: 'Sent_SMS', action: 'C', messageId: SMSID, feedbackId: null });
    expect(await trail()).to.have.length(3);
  });

  it('has a row for a list of patients, with doctor, day and appointments, and none at once for a call that shows no patient', async () => {
    await hospital.ok('GetDoctor', { centerid: 1 });
    const { AppointmentID = 0 } = await hospital.book();
    await hospital.ok('Appointment_Status', { AppointmentID: Number(AppointmentID), centerid: 1 });
    await hospital.dayOf(102, '2027-01-18');
    const rows = await trail();
    expect(rows.map(({ operation }) => operation)).to.deep.equal(['Fetch_Details', 'OPAppointmentdetail']);
    expect(rows[1]).to.include({
      action: 'R',
      outcome: 0,
      centerId: 1,
      doctorId: 102,
      day: '2027-01-18',
      shown: `1/${AppointmentID}`,
      moveName: null,
    });
  });

  describe('of reads of single appointments', () => {
    const KIOSK = { name: 'kiosk' };
    const read = (AppointmentID: number, centerid = 1, client: Client = KIOSK) =>
      hospital.call('Appointment_Status', { AppointmentID, centerid }, undefined, client);
    const sums = async () => {
      await hospital.minuteOver();
      const rows = (await trail()).filter(({ operation }) => operation === 'Appointment_Status');
      return rows.map(({ client, address, centerId, outcome, errorCode, shown }) =>
        [client, address, centerId, outcome, errorCode, shown].join(),
      );
    };

    it('has one row for each client, center and minute, with the appointments', async () => {
      await hospital.book();
      await hospital.book({ app_time: '11:15' });
      const there = { centerid: 2, DoctorID: 201 };
      const { AppointmentID = 0 } = await hospital.book(there);
      for (const id of [1, 2, 1, 1]) await read(id);
      await read(Number(AppointmentID), 2);
      await read(2, 1, ANONYMOUS);
      expect((await trail()).filter(({ action }) => action === 'R')).to.deep.equal([]);
      expect(await sums()).to.have.members([
        'kiosk,,1,0,4 reads,1/1 1/2',
        `kiosk,,2,0,1 read,2/${AppointmentID}`,
        'anonymous,192.0.2.1,1,0,1 read,1/2',
      ]);
      await read(1);
      expect(await sums())
        .to.have.length(4)
        .and.include('kiosk,,1,0,1 read,1/1');
      const who = await hospital.store.read(({ audit }) => audit.ofRecords([{ centerId: 1, appointmentId: 2 }], {}));
      expect(who.map(({ operation, client }) => `${operation} ${client}`)).to.have.members([
        'Fetch_Details anonymous',
        'Appointment_Status kiosk',
        'Appointment_Status anonymous',
      ]);
    });

    it('has one row for unknown ids of any center, and a hundred in a minute are logged', async () => {
      for (let id = 1; id <= 99; id++) await read(id, id);
      expect(await hospital.minuteOver()).to.deep.equal([]);
      for (let id = 1; id <= 100; id++) await read(id, id);
      expect(await hospital.minuteOver()).to.deep.equal(['many unknown appointments asked for: 100']);
      expect(await sums()).to.have.members(['kiosk,,,4,99 unknown ids,', 'kiosk,,,4,100 unknown ids,']);
    });

    it('is written later if the database is away, with what was read meanwhile', async () => {
      await hospital.book();
      await hospital.book({ app_time: '11:15' });
      const { add } = auditQueries;
      auditQueries.add = () => Promise.reject(new TypeError('away'));
      try {
        for (const id of [1, 999]) await read(id);
        expect(await sums()).to.deep.equal([]);
        await read(2);
        expect(await sums()).to.deep.equal([]);
      } finally {
        auditQueries.add = add;
      }
      expect(await sums()).to.have.members(['kiosk,,1,0,2 reads,1/1 1/2', 'kiosk,,,4,1 unknown id,']);
      expect(await sums()).to.have.length(2);
    });

    it('names a thousand appointments in a row, and counts the others', async () => {
      const reads = new SumReads({ ...hospital, log: SILENT, clock: () => 0, budgets: hospital.budgets });
      const operation = ownContract.operations.find(({ name }) => name === 'Appointment_Status');
      const call = { operation, client: KIOSK, network: '', correlationId: 'id' } as unknown as Call;
      for (let id = 1; id <= 1005; id++) {
        const read = { call, subject: { centerId: 1, appointmentId: id } };
        reads.count({ operation, transport: 'soap12', read });
      }
      const [row = ''] = await sums();
      expect(row).to.match(/^kiosk,,1,0,1005 reads,1\/1 /);
      expect(row.split(' 1/')).to.have.length(1000);
    });
  });

  describe('of lists of patients', () => {
    const KIOSK = { name: 'kiosk' };
    const list = (doctorid = 102, client: Client = KIOSK) =>
      hospital.call('OPAppointmentdetail', { doctorid, appdate: '2027-01-18', centerid: 1 }, undefined, client);
    const rowsOfLists = async () => (await trail()).filter(({ operation }) => operation === 'OPAppointmentdetail');
    const rows = async () =>
      (await rowsOfLists()).map(({ client, doctorId, errorCode, shown }) =>
        [client, doctorId, errorCode, shown].join(),
      );

    it('has a row at once for whom a caller has not been shown in the minute, and one at its end that counts the others', async () => {
      await hospital.book();
      await list();
      await list();
      await list(102, ANONYMOUS);
      expect(await rows()).to.deep.equal(['kiosk,102,,1/1', 'anonymous,102,,1/1']);
      await hospital.book({ app_time: '11:15' });
      await list();
      await list();
      const atOnce = ['kiosk,102,,1/1', 'anonymous,102,,1/1', 'kiosk,102,,1/1 1/2'];
      expect(await rows()).to.deep.equal(atOnce);
      await hospital.minuteOver();
      expect(await rows()).to.deep.equal([...atOnce, 'kiosk,,2 reads,']);
      const [sum] = (await rowsOfLists()).slice(-1);
      expect(sum).to.include({ centerId: 1, outcome: 0, resultCode: 0, address: null, transport: null, day: null });
      await list();
      expect(await rows()).to.have.length(5);
    });

    it('tells every reader of an appointment', async () => {
      await hospital.book();
      for (const client of [KIOSK, { name: 'his' }, KIOSK, ANONYMOUS]) await list(102, client);
      await hospital.minuteOver();
      const who = await hospital.store.read(({ audit }) => audit.ofRecords([{ centerId: 1, appointmentId: 1 }], {}));
      expect(who.map(({ operation, client }) => `${operation} ${client}`)).to.deep.equal([
        'Fetch_Details anonymous',
        'OPAppointmentdetail kiosk',
        'OPAppointmentdetail his',
        'OPAppointmentdetail anonymous',
      ]);
    });

    it('only counts those that show nobody', async () => {
      for (const doctor of [101, 102, 102]) await list(doctor);
      expect(await rows()).to.deep.equal([]);
      await hospital.minuteOver();
      expect(await rows()).to.deep.equal(['kiosk,,3 reads,']);
    });

    it('has one row for lists that are read at the same time, of which none is answered before it is written', async () => {
      await hospital.book();
      const answered: number[] = [];
      const reads = Array.from({ length: 50 }, async () => {
        await list();
        answered.push((await rows()).length);
      });
      await Promise.all(reads);
      expect(new Set(answered)).to.deep.equal(new Set([1]));
    });

    it('has 101 rows for 6000 reads of a hundred lists in a minute', async () => {
      const days = Array.from({ length: 100 }, (_, day) =>
        new Date(Date.UTC(2027, 0, 18 + day)).toISOString().slice(0, 10),
      );
      for (const [index, day] of days.entries()) await hospital.book({ app_date: day, ...patient(index) });
      const before = (await trail()).length;
      for (let index = 0; index < 6000; index++) await hospital.dayOf(102, days[index % days.length] ?? '');
      await hospital.minuteOver();
      expect((await trail()).slice(before)).to.have.length(101);
    });
  });

  it('records a repeated booking, and a change without effect, as a read', async () => {
    const { AppointmentID } = await hospital.book();
    await hospital.book();
    expect(await last()).to.include({ action: 'R', resultCode: 1, appointmentId: AppointmentID, moveName: null });
    const id = Number(AppointmentID);
    await hospital.ok('Appointment_Status_Updates', move(id, 6));
    await hospital.ok('Appointment_Status_Updates', move(id, 6));
    expect(await last()).to.include({ action: 'R', resultCode: 0, appointmentId: id, moveName: null });
  });

  it('records a call answered from its Idempotency-Key as a read', async () => {
    const { record } = await hospital.call('Fetch_Details', BOOKING, 'key');
    await hospital.call('Fetch_Details', BOOKING, 'key');
    const rows = await trail();
    expect(rows.map(({ action }) => action)).to.deep.equal(['C', 'R']);
    expect(rows[1]).to.include({ outcome: 0, resultCode: 0, appointmentId: record.AppointmentID, doctorId: 102 });
  });

  it('has the refusals, with the requested ids', async () => {
    await hospital.book();
    await hospital.refused('Fetch_Details', { ...BOOKING, ...patient(2) }, 14);
    expect(await last()).to.include({ action: 'C', outcome: 4, resultCode: 14, centerId: 1, doctorId: 102 });
    await hospital.refused('Appointment_Status_Updates', move(999, 6), 20);
    expect(await last()).to.include({ action: 'U', outcome: 4, resultCode: 20, centerId: 1, appointmentId: 999 });
    await hospital.refused('Sent_SMS', { ...SMS, Mobileno: '12' }, 30);
    expect(await last()).to.include({ action: 'C', outcome: 4, resultCode: 30, messageId: null });
    await hospital.refused('OPAppointmentdetail', { doctorid: 999, appdate: '2027-01-18', centerid: 1 }, 12);
    expect(await last()).to.include({ action: 'R', outcome: 4, resultCode: 12, doctorId: 999, day: null });
  });

  it("has the caller's faults, with their code", async () => {
    await hospital.call('Fetch_Details', BOOKING, 'key');
    await hospital.call('Sent_SMS', SMS, 'key').catch(() => {});
    expect(await last()).to.include({
      operation: 'Sent_SMS',
      outcome: 4,
      errorCode: 'IdempotencyKeyReused',
      resultCode: null,
    });
  });

  describe('whose row cannot be written', () => {
    const { add } = auditQueries;
    beforeEach(() => {
      auditQueries.add = () => Promise.reject(new TypeError('no room for it'));
    });
    afterEach(() => {
      auditQueries.add = add;
    });
    const failureOf = (call: Promise<unknown>) =>
      call.then(
        () => expect.fail('it succeeded'),
        (error: Error) => error.message,
      );

    it('undoes a booking, and frees its slot and token', async () => {
      expect(await failureOf(hospital.book())).to.equal('no room for it');
      auditQueries.add = add;
      expect(await hospital.dayOf(102, '2027-01-18')).to.deep.equal([]);
      expect((await hospital.book(patient(2))).TokenNo).to.equal(1);
    });

    it('withholds a list of patients, until it can be written', async () => {
      auditQueries.add = add;
      await hospital.book();
      auditQueries.add = () => Promise.reject(new TypeError('no room for it'));
      for (let attempt = 0; attempt < 3; attempt++) {
        expect(await failureOf(hospital.dayOf(102, '2027-01-18'))).to.equal('no room for it');
      }
      auditQueries.add = add;
      expect(await hospital.dayOf(102, '2027-01-18')).to.have.length(1);
      expect(await last()).to.include({ operation: 'OPAppointmentdetail', outcome: 0 });
    });

    it('still refuses what must be refused', async () => {
      await hospital.refused('Appointment_Status_Updates', move(999, 6), 20);
    });
  });

  it('has no success for a booking that was rolled back', async () => {
    const inner = hospital.store;
    let isBreaking = false;
    const store: Store = {
      description: '',
      read: (work) => inner.read(work),
      clock: inner.clock,
      reference: () => inner.reference(),
      flaw: () => inner.flaw(),
      purge: () => store.purge(),
      size: () => inner.size(),
      close: () => inner.close(),
      write: (work, keys) =>
        inner.write(async (queries) => {
          const value = await work(queries);
          if (!isBreaking) return value;
          isBreaking = false;
          throw new TypeError('the disk broke');
        }, keys),
    };
    const other = await openHospital({}, store);
    isBreaking = true;
    const failed = await other.call('Fetch_Details', BOOKING).catch((error: Error) => error.message);
    expect(failed).to.equal('the disk broke');
    expect(await hospital.dayOf(102, '2027-01-18')).to.deep.equal([]);
    expect((await trail())[0]).to.include({ outcome: 8, errorCode: 'Internal', appointmentId: null, moveName: null });
  });
});

describe('The audit of the four transports', () => {
  const service = perTest(() => startService());

  for (const transport of TRANSPORTS) {
    it(`has a row for each call over ${transport} that changes something or shows patients`, async () => {
      for (const { operation, given, isAudited } of USUAL_CALLS) {
        const before = (await trailOf(service.store)).length;
        const { status, text } = await callOver(transport as Transport, service.endpoint, operation.name, given);
        expect(status, text).to.equal(200);
        const rows = (await trailOf(service.store)).slice(before);
        expect(rows, operation.name).to.have.length(isAudited ? 1 : 0);
        for (const row of rows) {
          expect(row).to.include({
            operation: operation.name,
            transport,
            client: 'anonymous',
            outcome: 0,
            recordedOn: service.clock.now,
          });
          if (!operation.safe) expect(row.action).not.to.equal('R');
          expect(row.correlationId).to.match(/^[0-9a-f-]{36}$/);
        }
      }
    });
  }
});

describe('The audit of refused access', () => {
  const call = { client: ANONYMOUS, address: '10.0.0.7', code: 'NotFound', correlationId: 'id-1' } as const;
  const errors: string[] = [];
  const silent = () => {};
  const log = {
    error: (event: string) => void errors.push(event),
    warn: silent,
    info: silent,
    debug: silent,
    writesDebug: false,
  };
  beforeEach(() => {
    errors.length = 0;
  });

  it('has a row, whether or not the call was read', async () => {
    const store = await openTestStore();
    const auditRefusal = createAuditRefusal({ store, log, clock: () => 5, budgets: new Budgets(log, () => 0) });
    await auditRefusal(call);
    const [operation] = ownContract.operations;
    await auditRefusal({ ...call, operation, transport: 'soap12' });
    const rows = await trailOf(store);
    const same = {
      action: 'E',
      outcome: 4,
      errorCode: 'NotFound',
      client: 'anonymous',
      address: '10.0.0.7',
      recordedOn: 5,
    };
    expect(rows).to.have.length(2);
    expect(rows[0]).to.include({ ...same, operation: null, transport: null });
    expect(rows[1]).to.include({ ...same, operation: operation?.name, transport: 'soap12' });
    expect(errors).to.deep.equal([]);
    await store.close();
  });

  it('fails no call if the database is away, and logs the rejection instead', async () => {
    const store = await openTestStore();
    await store.close();
    await createAuditRefusal({ store, log, clock: () => 5, budgets: new Budgets(log, () => 0) })(call);
    expect(errors).to.deep.equal(['audit row not written']);
  });
});
