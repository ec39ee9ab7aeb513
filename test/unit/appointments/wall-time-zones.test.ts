import { expect } from 'chai';
import type { Transport } from '../../../src/contract/contract.ts';
import { addCenter, addDoctor } from '../../support/database/hospital.ts';
import { BOOKING_PARAMETERS, patient } from '../../support/http/booking-parameters.ts';
import {
  callOver,
  type FourTransportsAnswer,
  type Parameters,
  TRANSPORTS,
} from '../../support/http/four-transports.ts';
import { perTest } from '../../support/prepared.ts';
import { startService, TEST_NOW } from '../../support/process/start-service.ts';

interface ZoneCenter {
  readonly centerid: number;
  readonly zone: string;
  /** The local time at 2027-01-17T18:20:30Z. */
  readonly now: string;
  readonly grace: string;
  readonly tooLate: string;
  /** The local time 365 days later. */
  readonly latest: string;
  readonly tooFar: string;
}

const NEAR_MIDNIGHT = Date.UTC(2027, 0, 17, 18, 20, 30);

/** `now` is on this day; the next two times are the earliest that is accepted then, and a minute before. */
const center = (centerid: number, zone: string, now: string, grace: string, tooLate: string): ZoneCenter => {
  const day = Temporal.PlainDate.from(now.slice(0, 10));
  const latest = `${day.add({ days: 365 })}T23:59:00`;
  return { centerid, zone, now, grace, tooLate, latest, tooFar: `${day.add({ days: 366 })}T00:00:00` };
};

/** In two of them it is already the next day; one is beyond the date line. */
const CENTERS: readonly ZoneCenter[] = [
  center(21, 'Europe/Berlin', '2027-01-17T19:20:30', '2027-01-17T19:06:00', '2027-01-17T19:05:00'),
  center(22, 'America/St_Johns', '2027-01-17T14:50:30', '2027-01-17T14:36:00', '2027-01-17T14:35:00'),
  center(23, 'Asia/Kathmandu', '2027-01-18T00:05:30', '2027-01-17T23:51:00', '2027-01-17T23:50:00'),
  center(24, 'Pacific/Apia', '2027-01-18T07:20:30', '2027-01-18T07:06:00', '2027-01-18T07:05:00'),
];
const [BERLIN, ST_JOHNS, KATHMANDU, APIA] = [21, 22, 23, 24] as const;

const transportOf = (n: number): Transport => TRANSPORTS[n % 4] ?? 'soap11';

/** `Monday 17 January 2028`. */
const spelledDay = (text: string): string => {
  const date = Temporal.PlainDate.from(text.slice(0, 10));
  const weekday = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'][date.dayOfWeek - 1];
  return `${weekday} ${date.day} January ${date.year}`;
};

describe('Local time in centers of different zones', () => {
  const service = perTest(() => startService());
  let patients = 0;

  beforeEach(async () => {
    for (const { centerid, zone } of CENTERS) {
      await addCenter(service.store, centerid, zone);
      for (const id of [1, 2, 3, 4]) await addDoctor(service.store, { id, centerId: centerid });
    }
  });

  const call = (transport: Transport, operation: string, parameters: Parameters) =>
    callOver(transport, service.endpoint, operation, parameters);

  /** For a new patient, at the date and time that one text gives, unless a separate text gives the time. */
  const book = (transport: Transport, centerid: number, date: string, given: Parameters = {}) =>
    call(transport, 'Fetch_Details', {
      ...BOOKING_PARAMETERS,
      DoctorID: 1,
      ...patient(++patients),
      app_date: date,
      app_time: date,
      centerid,
      ...given,
    });

  const read = async (AppointmentID: number, centerid: number) =>
    (await call('httpGet', 'Appointment_Status', { AppointmentID, centerid })).record;

  const expectCode = ({ record, text }: FourTransportsAnswer, code: number) =>
    expect(record.ResultCode, text).to.equal(String(code));
  const told = ({ record }: FourTransportsAnswer): string => record.Message ?? record.ResultText;

  for (const transport of TRANSPORTS) {
    describe(`over ${transport}`, () => {
      it('refuses a slot in the hour that the clocks skip, and says so', async () => {
        for (const time of ['02:00', '02:30', '02:45', '02:59']) {
          const answer = await book(transport, BERLIN, `2027-03-28T${time}:00`);
          expectCode(answer, 13);
          expect(told(answer)).to.equal(
            `Parameter app_time: ${time} on Sunday 28 March 2027 does not exist in Europe/Berlin, because its clocks skip it; expected another time.`,
          );
        }
        expectCode(await book(transport, ST_JOHNS, '2027-03-14T02:30:00'), 13);
      });

      it('refuses to move an appointment into that hour, and does not change it', async () => {
        const { record } = await book(transport, BERLIN, '2027-03-28T10:00:00');
        const to = { appdate: '2027-03-28T00:00:00', apptime: '2027-03-28T02:30:00' };
        const move = { AppointmentID: record.AppointmentID, type: 1, ...to, centerid: BERLIN };
        const answer = await call(transport, 'Appointment_Status_Updates', move);
        expectCode(answer, 13);
        expect(told(answer)).to.match(/^Parameter apptime: 02:30 on Sunday 28 March 2027 does not exist/);
        expect(await read(record.AppointmentID, BERLIN)).to.include({
          apptime: '2027-03-28T10:00:00',
          RescheduleCount: '0',
        });
      });
    });
  }

  it("converts an offset by the center's rules on that day", async () => {
    const cases: readonly (readonly [centerid: number, given: string, wall: string])[] = [
      [BERLIN, '2027-01-18T09:00:00Z', '2027-01-18T10:00:00'],
      [BERLIN, '2027-07-19T09:00:00Z', '2027-07-19T11:00:00'],
      // The last minute before the gap, and the first after it.
      [BERLIN, '2027-03-28T00:59:00Z', '2027-03-28T01:59:00'],
      [BERLIN, '2027-03-28T01:14:00Z', '2027-03-28T03:14:00'],
      [ST_JOHNS, '2027-01-18T09:00:00Z', '2027-01-18T05:30:00'],
      [ST_JOHNS, '2027-07-19T09:00:00Z', '2027-07-19T06:30:00'],
      [ST_JOHNS, '2027-01-18T09:00:00+05:30', '2027-01-18T00:00:00'],
      [KATHMANDU, '2027-01-18T09:00:00Z', '2027-01-18T14:45:00'],
      [KATHMANDU, '2027-01-18T20:00:00-03:30', '2027-01-19T05:15:00'],
      [APIA, '2027-01-18T11:30:00Z', '2027-01-19T00:30:00'],
      [APIA, '2027-01-18T09:00:00+14:00', '2027-01-18T08:00:00'],
      [APIA, '2027-01-18T09:00:00-11:00', '2027-01-19T09:00:00'],
    ];
    for (const [n, [centerid, given, wall]] of cases.entries()) {
      const { record, text } = await book(transportOf(n), centerid, given);
      expect(record, text).to.include({ app_date: `${wall.slice(0, 10)}T00:00:00`, app_time: wall });
      expect(await read(record.AppointmentID, centerid)).to.include({ apptime: wall });
      const day = { doctorid: 1, appdate: given, centerid };
      const list = await call(transportOf(n), 'OPAppointmentdetail', day);
      expect(list.text).to.contain(`<AppointmentID>${record.AppointmentID}</AppointmentID>`);
    }
  });

  it('treats one instant in four offsets as one slot', async () => {
    const spellings = [
      '2027-01-18T04:30:00Z',
      '2027-01-18T10:15:00+05:45',
      '2027-01-17T18:30:00-10:00',
      '2027-01-18T10:15:00',
    ];
    const codes = [];
    for (const [n, spelling] of spellings.entries()) {
      codes.push(Number((await book(transportOf(n), KATHMANDU, spelling)).record.ResultCode));
    }
    expect(codes).to.deep.equal([0, 14, 14, 14]);
  });

  for (const { centerid, zone, now, grace, tooLate, latest, tooFar } of CENTERS) {
    it(`determines the past and the days ahead from the time in ${zone}`, async () => {
      service.clock.now = NEAR_MIDNIGHT;
      for (const [n, transport] of TRANSPORTS.entries()) {
        const doctor = { DoctorID: n + 1 };
        const late = await book(transport, centerid, tooLate, doctor);
        expectCode(late, 15);
        expect(told(late)).to.contain(`expected a slot that ends after ${now.slice(11, 16)} on`);
        const far = await book(transport, centerid, tooFar, doctor);
        expectCode(far, 16);
        expect(told(far)).to.contain(`the last day accepted now is ${spelledDay(latest)}.`);
        expectCode(await book(transport, centerid, latest, doctor), 0);
        const { record, text } = await book(transport, centerid, grace, doctor);
        expect(record.app_time, text).to.equal(grace);
        expect(await read(record.AppointmentID, centerid)).to.include({ UpdatedOn: now, apptime: grace });
      }
    });

    it(`determines a NoShow from the time in ${zone}`, async () => {
      service.clock.now = NEAR_MIDNIGHT;
      const { record } = await book('soap11', centerid, `${now.slice(0, 16)}:00`);
      const missed = { type: 7, appdate: '0001-01-01T00:00:00', apptime: '0001-01-01T00:00:00', centerid };
      const noShow = { AppointmentID: record.AppointmentID, ...missed };
      service.clock.now = NEAR_MIDNIGHT + 14 * 60_000 + 29_000;
      expectCode(await call('soap12', 'Appointment_Status_Updates', noShow), 21);
      service.clock.now += 1000;
      expectCode(await call('soap12', 'Appointment_Status_Updates', noShow), 0);
    });
  }

  it("returns UpdatedOn in the center's local time, before and after a clock change", async () => {
    service.clock.now = TEST_NOW;
    const { record } = await book('soap11', BERLIN, '2027-10-31T12:00:00');
    const AppointmentID = record.AppointmentID;
    const moments: readonly (readonly [now: number, apptime: string, updatedOn: string])[] = [
      [Date.UTC(2027, 2, 28, 0, 59, 59), '12:15', '2027-03-28T01:59:59'],
      [Date.UTC(2027, 2, 28, 1, 0, 0), '12:30', '2027-03-28T03:00:00'],
      [Date.UTC(2027, 9, 31, 1, 0, 0), '12:45', '2027-10-31T02:00:00'],
    ];
    for (const [now, apptime, UpdatedOn] of moments) {
      service.clock.now = now;
      const move = { AppointmentID, type: 1, appdate: '2027-10-31', apptime, centerid: BERLIN };
      expectCode(await call('httpPost', 'Appointment_Status_Updates', move), 0);
      expect(await read(AppointmentID, BERLIN)).to.include({ UpdatedOn });
    }
  });
});
