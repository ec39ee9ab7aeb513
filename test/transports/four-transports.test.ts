import { expect } from 'chai';
import type { Transport } from '../../src/contract/contract.ts';
import { FULL_BOOKING_PARAMETERS } from '../support/http/booking-parameters.ts';
import { callOver, type Parameters, resultCodeOf, TRANSPORTS } from '../support/http/four-transports.ts';
import { type ReadyService, startReady } from '../support/process/service-process.ts';
import { type RunningService, startService } from '../support/process/start-service.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

const BOOKING: Parameters = {
  ...FULL_BOOKING_PARAMETERS,
  Name: 'Asha & <Pai> आशा',
};

/** The date n days from today, as XSD dateTime. */
const inDays = (days: number): string =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T00:00:00`;

describe('a service started from the shell', () => {
  const folder = temporaryFolder();
  let service: ReadyService;
  before(async () => {
    service = await startReady(folder.path);
  });
  after(async () => {
    await service.stop();
    folder.remove();
  });

  for (const [index, transport] of TRANSPORTS.entries()) {
    describe(`over ${transport}`, () => {
      const day = inDays(10 + index);
      let appointmentId = 0;
      const call = async (operation: string, parameters: Parameters) => {
        const answer = await callOver(transport, service.endpoint, operation, parameters);
        expect(answer.status, answer.text).to.equal(200);
        expect(resultCodeOf(answer)).to.equal(0);
        return answer.record;
      };

      it('lists the doctors of a center', async () => {
        const { Doctors } = await call('GetDoctor', { centerid: 2 });
        expect(Doctors.Doctor).to.have.length(5);
        expect(Doctors.Doctor[0]).to.include({ DoctorID: '201', DoctorName: 'Dr. Anita Urs', SlotMinutes: '15' });
      });

      it('books an appointment', async () => {
        const record = await call('Fetch_Details', { ...BOOKING, app_date: day });
        expect(record).to.include({ Status: '2', app_time: day.replace('T00:00', 'T10:15'), TokenNo: '1' });
        appointmentId = Number(record.AppointmentID);
      });

      it('reads the appointment', async () => {
        const record = await call('Appointment_Status', { AppointmentID: appointmentId, centerid: 1 });
        expect(record).to.include({ DoctorName: 'Dr. Vikram Shetty', apptime: day.replace('T00:00', 'T10:15') });
      });

      it('moves the appointment', async () => {
        const to = { appdate: day, apptime: '2027-01-18T12:00:00' };
        const record = await call('Appointment_Status_Updates', {
          AppointmentID: appointmentId,
          type: 1,
          ...to,
          centerid: 1,
        });
        expect(record).to.include({ Changed: 'true', apptime: day.replace('T00:00', 'T12:00') });
      });

      it("lists the appointment in the doctor's day", async () => {
        const { TotalCount, Appointments } = await call('OPAppointmentdetail', {
          doctorid: 102,
          appdate: day,
          centerid: 1,
        });
        expect(TotalCount).to.equal('1');
        expect(Appointments.Appointment).to.include({
          AppointmentID: String(appointmentId),
          Name: 'Asha & <Pai> आशा',
          contactnumber: '+********2345',
        });
      });

      it('stores feedback', async () => {
        const record = await call('FB_Push_Details', {
          ipno: `IP-${index}`,
          roomno: '12',
          moblieno: '',
          dept: 'Nursing',
          needsimprovementcommit: 'Tea & toast',
        });
        expect(Number(record.FeedbackID)).to.be.greaterThan(0);
        expect(record.ReceivedOn).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      });

      it('queues a text message', async () => {
        const record = await call('Sent_SMS', {
          Mobileno: '9845012345',
          Message: `Hello ${transport}`,
          tempid: 0,
          SMSmode: 1,
        });
        expect(record).to.include({
          Mobileno: '+919845012345',
          Segments: '1',
          Encoding: 'GSM-7',
          StatusText: 'Queued',
        });
      });
    });
  }
});

describe('one appointment over all transports', () => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('is booked by SOAP 1.2, read by GET, changed by SOAP 1.1, and listed by POST', async () => {
    const over = async (transport: Transport, operation: string, parameters: Parameters) => {
      const answer = await callOver(transport, service.endpoint, operation, parameters);
      expect(answer.status, answer.text).to.equal(200);
      return answer.record;
    };
    const { AppointmentID } = await over('soap12', 'Fetch_Details', BOOKING);
    expect(await over('httpGet', 'Appointment_Status', { AppointmentID, centerid: 1 })).to.include({ Status: '2' });
    service.clock.now = Date.UTC(2027, 0, 18, 3, 0);
    const move = {
      AppointmentID,
      type: 3,
      appdate: '0001-01-01T00:00:00',
      apptime: '0001-01-01T00:00:00',
      centerid: 1,
    };
    expect(await over('soap11', 'Appointment_Status_Updates', move)).to.include({ Changed: 'true', Status: '3' });
    const day = { doctorid: 102, appdate: '2027-01-18', centerid: 1 };
    const { Appointments } = await over('httpPost', 'OPAppointmentdetail', day);
    expect(Appointments.Appointment).to.include({ AppointmentID, StatusText: 'Arrived' });
  });
});

for (const refusals of ['fault', 'result'] as const) {
  describe(`many clients at the same moment, with REFUSALS=${refusals}`, () => {
    const folder = temporaryFolder();
    let service: RunningService;
    before(async () => {
      service = await startService({
        environment: { DATABASE_URL: `sqlite:${folder.path}/hospital.db`, REFUSALS: refusals },
      });
    });
    after(async () => {
      await service.close();
      folder.remove();
    });

    const transportOf = (n: number): Transport => TRANSPORTS[n % 4] ?? 'soap11';

    it('get the slot once out of 200 calls, and the other 199 are told that it is taken', async () => {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          callOver(transportOf(n), service.endpoint, 'Fetch_Details', { ...BOOKING, RegistrationNumber: `P-${n}` }),
        ),
      );
      const codes = answers.map(resultCodeOf);
      expect(codes.filter((code) => code === 0)).to.have.length(1);
      expect(codes.filter((code) => code === 14)).to.have.length(199);
      const expected = { fault: { soap11: 500, soap12: 400, httpGet: 409, httpPost: 409 }, result: undefined }[
        refusals
      ];
      for (const [n, { status, fault }] of answers.entries()) {
        const refused = codes[n] === 14;
        const transport = transportOf(n);
        expect(status).to.equal(refused && expected !== undefined ? expected[transport] : 200);
        expect(fault).to.equal(refused && refusals === 'fault' && transport.startsWith('soap'));
      }
      const { rows } = await service.store.read(({ appointments }) =>
        appointments.ofDay(1, 102, Date.UTC(2027, 0, 18) / 60_000),
      );
      expect(rows).to.have.length(1);
    });

    it('get one appointment for one booking that is sent 50 times', async () => {
      const booking = { ...BOOKING, RegistrationNumber: 'R-50', app_time: '2027-01-18T15:00:00' };
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => callOver(transportOf(n), service.endpoint, 'Fetch_Details', booking)),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(50).fill(200));
      const codes = answers.map(resultCodeOf);
      expect(codes.filter((code) => code === 0)).to.have.length(1);
      expect(codes.filter((code) => code === 1)).to.have.length(49);
      expect(new Set(answers.map(({ record }) => record.AppointmentID))).to.have.property('size', 1);
      expect(new Set(answers.map(({ record }) => record.TokenNo))).to.have.property('size', 1);
    });

    it('never get two doctors for one patient at the same time', async () => {
      const codes = await Promise.all(
        Array.from({ length: 9 }, async (_, n) => {
          const booking = { ...BOOKING, DoctorID: 102 + n, RegistrationNumber: 'R-9', app_time: '2027-01-18T16:00:00' };
          return resultCodeOf(await callOver(transportOf(n), service.endpoint, 'Fetch_Details', booking));
        }),
      );
      expect(codes.toSorted((a, b) => a - b)).to.deep.equal([0, 17, 17, 17, 17, 17, 17, 17, 17]);
    });
  });
}
