import { expect } from 'chai';
import { ResultCode, type ResultCodeName } from '../../../src/vocabulary/result-codes.ts';
import { BOOKING, type Given, type Hospital, openHospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';

const OTHER_PATIENT: Given = { ...BOOKING, ...patient(2) };
const CHANGE: Given = { AppointmentID: 1, type: 1, appdate: '2027-01-19', apptime: '10:15', centerid: 1 };
const UNSET = '0001-01-01T00:00:00';
const MESSAGE: Given = { Mobileno: '9845012345', Message: 'Your appointment is at 10:15.', tempid: 0, SMSmode: 1 };
const FEEDBACK: Given = { ipno: 'IP-7', roomno: '12' };
const DAY: Given = { doctorid: 101, appdate: '2027-01-18', centerid: 1 };

const reschedule = (given: Given) => (hospital: Hospital) =>
  hospital.call('Appointment_Status_Updates', { ...CHANGE, ...given });
const send = (given: Given) => (hospital: Hospital) => hospital.call('Sent_SMS', { ...MESSAGE, ...given });
const book = (given: Given) => (hospital: Hospital) => hospital.call('Fetch_Details', { ...BOOKING, ...given });

type Answers = Partial<Record<ResultCodeName, (hospital: Hospital) => ReturnType<Hospital['call']>>>;

/** One call per operation and ResultCode. Appointment 1 exists: doctor 102, 18 January 2027, 10:15, patient R-1. */
const ANSWERS: Readonly<Record<string, Answers>> = {
  Fetch_Details: {
    OK: book({ app_time: '11:15' }),
    Duplicate: book({}),
    InvalidInput: book({ Name: '' }),
    UnknownCenter: book({ centerid: 99 }),
    UnknownDoctor: book({ DoctorID: 999 }),
    DoctorNotAvailable: book({ DoctorID: 101, app_time: '07:00' }),
    SlotTaken: book(OTHER_PATIENT),
    PastTime: book({ app_date: '2026-11-19' }),
    BeyondHorizon: book({ app_date: '2028-06-01' }),
    PatientOverlap: book({ DoctorID: 103 }),
  },
  Appointment_Status_Updates: {
    OK: reschedule({}),
    InvalidInput: reschedule({ appdate: UNSET }),
    UnknownDoctor: async (hospital) => {
      await hospital.store.write(async ({ referenceTables }) => {
        const doctor = (await referenceTables.rows('doctor')).find(({ id }) => id === BOOKING.DoctorID);
        if (doctor !== undefined) await referenceTables.put('doctor', { ...doctor, active: 0 });
      });
      return reschedule({})(hospital);
    },
    DoctorNotAvailable: async (hospital) => {
      await hospital.store.write(({ referenceTables }) =>
        referenceTables.put('doctor_leave', { centerId: 1, doctorId: 102, from: 0, to: 99_999_999 }),
      );
      return reschedule({})(hospital);
    },
    SlotTaken: async (hospital) => {
      await hospital.book({ ...OTHER_PATIENT, app_time: '12:00' });
      return reschedule({ appdate: '2027-01-18', apptime: '12:00' })(hospital);
    },
    PastTime: reschedule({ appdate: '2026-11-19' }),
    BeyondHorizon: reschedule({ appdate: '2028-06-01' }),
    PatientOverlap: async (hospital) => {
      await hospital.book({ DoctorID: 103, app_time: '12:00' });
      return reschedule({ appdate: '2027-01-18', apptime: '12:00' })(hospital);
    },
    AppointmentNotFound: reschedule({ AppointmentID: 999 }),
    MoveNotAllowed: reschedule({ type: 7 }),
    UnknownType: reschedule({ type: 99 }),
  },
  FB_Push_Details: {
    OK: (hospital) => hospital.call('FB_Push_Details', FEEDBACK),
    Duplicate: async (hospital) => {
      await hospital.ok('FB_Push_Details', FEEDBACK);
      return hospital.call('FB_Push_Details', FEEDBACK);
    },
    InvalidInput: (hospital) => hospital.call('FB_Push_Details', { ...FEEDBACK, ipno: '' }),
  },
  OPAppointmentdetail: {
    OK: (hospital) => hospital.call('OPAppointmentdetail', DAY),
    InvalidInput: (hospital) => hospital.call('OPAppointmentdetail', { ...DAY, appdate: UNSET }),
    UnknownCenter: (hospital) => hospital.call('OPAppointmentdetail', { ...DAY, centerid: 99 }),
    UnknownDoctor: (hospital) => hospital.call('OPAppointmentdetail', { ...DAY, doctorid: 999 }),
  },
  Appointment_Status: {
    OK: (hospital) => hospital.call('Appointment_Status', { AppointmentID: 1, centerid: 1 }),
    AppointmentNotFound: (hospital) => hospital.call('Appointment_Status', { AppointmentID: 999, centerid: 1 }),
  },
  Sent_SMS: {
    OK: send({}),
    Duplicate: async (hospital) => {
      await hospital.ok('Sent_SMS', MESSAGE);
      return send({})(hospital);
    },
    InvalidInput: send({ Message: '' }),
    InvalidMobile: send({ Mobileno: '12' }),
    UnknownTemplate: send({ tempid: 77 }),
    TemplateMismatch: async (hospital) => {
      await hospital.store.write(({ referenceTables }) =>
        referenceTables.put('message_template', {
          tempid: 7,
          dltTemplateId: '1107160000000000001',
          principalEntityId: '1101000000000000001',
          header: 'HOSPTL',
          category: 'service-implicit',
          text: 'Your visit is on {#var#}.',
          active: 1,
        }),
      );
      return send({ tempid: 7 })(hospital);
    },
    UnknownMode: send({ SMSmode: 9 }),
    MessageTooLong: send({ Message: 'a'.repeat(766) }),
    TooManyMessages: async (hospital) => {
      for (let n = 0; n < 10; n++) await hospital.ok('Sent_SMS', { ...MESSAGE, Message: `Text ${n}` });
      return send({})(hospital);
    },
  },
  GetDoctor: {
    OK: (hospital) => hospital.call('GetDoctor', { centerid: 1 }),
    UnknownCenter: (hospital) => hospital.call('GetDoctor', { centerid: 99 }),
  },
};

describe('The ResultCodes that the contract lists for an operation', () => {
  const hospital = perTest(() => openHospital());
  beforeEach(() => hospital.book());

  for (const { name, resultCodes } of ownContract.operations) {
    it(`${name}: this test has one call for each, and no other`, () => {
      expect(Object.keys(ANSWERS[name] ?? {})).to.deep.equal(resultCodes);
    });

    for (const [code, call] of Object.entries(ANSWERS[name] ?? {})) {
      it(`${name} answers ${code}`, async () => {
        const { record } = await call(hospital);
        expect(record.ResultCode, String(record.ResultText)).to.equal(ResultCode[code as ResultCodeName]);
      });
    }
  }
});
