import { expect } from 'chai';
import type { Transport } from '../../../src/contract/contract.ts';
import { FULL_BOOKING_PARAMETERS, patient } from '../../support/http/booking-parameters.ts';
import { callOver, type Parameters, resultCodeOf, TRANSPORTS } from '../../support/http/four-transports.ts';
import { type ReadyService, startReady } from '../../support/process/service-process.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const BOOKING: Parameters = { ...FULL_BOOKING_PARAMETERS, Name: 'Asha & <Pai> आशा' };

/** The date n days from today, as XSD dateTime. */
const inDays = (days: number): string =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T00:00:00`;

describe('a service started from the shell', () => {
  const folder = temporaryFolder();
  let service: ReadyService;
  before(async () => {
    service = await startReady(folder.path);
  });

  for (const [index, transport] of TRANSPORTS.entries()) {
    it(`books an appointment over ${transport}, and lists it in the doctor's day`, async () => {
      const day = inDays(10 + index);
      const call = async (operation: string, parameters: Parameters) => {
        const answer = await callOver(transport, service.endpoint, operation, parameters);
        expect(answer.status, answer.text).to.equal(200);
        return answer.record;
      };
      const { AppointmentID } = await call('Fetch_Details', {
        ...BOOKING,
        contactnumber: patient(index).contactnumber,
        app_date: day,
      });
      const { TotalCount, Appointments } = await call('OPAppointmentdetail', {
        doctorid: 102,
        appdate: day,
        centerid: 1,
      });
      expect(TotalCount).to.equal('1');
      expect(Appointments.Appointment).to.include({
        AppointmentID,
        Name: 'Asha & <Pai> आशा',
        apptime: day.replace('T00:00', 'T10:15'),
      });
    });
  }
});

describe('one appointment over all transports', () => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });

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

    const transportOf = (n: number): Transport => TRANSPORTS[n % 4] ?? 'soap11';

    it('get the slot once out of 200 calls, and the other 199 are told that it is taken', async () => {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          callOver(transportOf(n), service.endpoint, 'Fetch_Details', { ...BOOKING, ...patient(n) }),
        ),
      );
      const codes = answers.map(resultCodeOf);
      expect(codes.filter((code) => code === 0)).to.have.length(1);
      expect(codes.filter((code) => code === 14)).to.have.length(199);
      const expected = { fault: { soap11: 500, soap12: 500, httpGet: 409, httpPost: 409 }, result: undefined }[
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
      const booking = { ...BOOKING, ...patient(50), app_time: '2027-01-18T15:00:00' };
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
          const booking = { ...BOOKING, DoctorID: 102 + n, ...patient(9), app_time: '2027-01-18T16:00:00' };
          return resultCodeOf(await callOver(transportOf(n), service.endpoint, 'Fetch_Details', booking));
        }),
      );
      expect(codes.toSorted((a, b) => a - b)).to.deep.equal([0, 17, 17, 17, 17, 17, 17, 17, 17]);
    });
  });
}
