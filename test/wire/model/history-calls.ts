import type { Random } from '../../support/random/random.ts';
import { MADE_UP, minuteText, wallMinute } from './hospital-model.ts';
import { MODEL_CENTERS } from './model-hospital.ts';
import type { Call, ModelDoctor, Patient } from './model-types.ts';

/** What a client may know when it chooses a call. */
export interface Known {
  /** Instant, ms. */
  readonly now: number;
  readonly doctors: readonly ModelDoctor[];
  /** Bookings that most clients of a round want, so that they conflict with each other. */
  readonly wanted: readonly Wanted[];
  /** Every other call of the round sends a message, to one number: more than it may get. */
  readonly isRushOfMessages: boolean;
  /** Appointments that some client knows from an answer, the newest last, with their centers. */
  readonly appointments: readonly { readonly id: number; readonly centerId: number }[];
}

export interface Wanted {
  readonly doctor: ModelDoctor;
  readonly start: number;
  readonly patient: Patient;
}

const UNSET = '0001-01-01T00:00:00';

/**
 * Six names, each shared by several people: some have a number of their own, some one of a family, some none; some have the same phone, and
 * their sexes and ages tell some of them apart.
 */
const PATIENTS: readonly Patient[] = Array.from({ length: 36 }, (_, n) => ({
  registrationNumber: n < 12 ? `Reg-${n}` : n < 24 ? `Card-${n % 2}` : undefined,
  name: n === 7 || n === 13 ? 'Unknown' : `Patient ${'ABCDEF'.charAt(n % 6)}`,
  title: [undefined, 'Mr', 'Mrs', 'Baby', undefined][n % 5],
  phone: `98450123${10 + (Math.floor(n / 6) % 3)}`,
  sex: 'MFMOU'.charAt(n % 5),
  age: n % 4 === 0 ? undefined : `${20 + (n % 7)}`,
}));

const MOBILES = ['9845067810', '9845067811', '9845067812', '9845067813', '9845067814', '9845067815'] as const;
const TEXTS = ['Your appointment is tomorrow.', 'Please come at ten.', 'कल मिलते हैं', 'Bring your reports.'];

/** Any patient with any doctor at one of the usual times. */
export function chooseWanted(random: Random, now: number, doctors: readonly ModelDoctor[]): Wanted {
  const doctor = random.pick(doctors);
  return { doctor, start: chooseStart(random, now, doctor), patient: random.pick(PATIENTS) };
}

/** A call of any operation. */
export function chooseCall(random: Random, known: Known): Call {
  if (known.isRushOfMessages && random.oneIn(2)) return message(random, MOBILES[0]);
  const n = random.below(100);
  if (n < 34) return book(random, known);
  if (n < 70) return change(random, known);
  if (n < 82) return read(random, known);
  if (n < 90) return list(random, known);
  if (n < 92) return doctors(random);
  return n < 96 ? feedback(random) : message(random, random.oneIn(10) ? '12345' : random.pick(MOBILES));
}

function book(random: Random, known: Known): Call {
  const wanted = random.oneIn(4) ? chooseWanted(random, known.now, known.doctors) : random.pick(known.wanted);
  const { doctor, start } = wanted;
  const patient = spelledAnew(random, random.oneIn(3) ? wanted.patient : random.pick(PATIENTS));
  // In a few cases for another center, and for none.
  const centerId = random.oneIn(40) ? random.pick([...MODEL_CENTERS, 9]) : doctor.centerId;
  const [app_date, app_time] = spellStart(random, start);
  return {
    operation: 'Fetch_Details',
    meaning: { patient, centerId, doctorId: doctor.id, start, isDesk: random.oneIn(15) },
    parameters: {
      DoctorID: doctor.id,
      RegistrationNumber: patient.registrationNumber ?? '',
      app_date,
      app_time,
      title: patient.title ?? '',
      Name: patient.name,
      Sex: patient.sex,
      Age: patient.age ?? '',
      area: '',
      contactnumber: patient.phone ?? 'NA',
      email: '',
      centerid: centerId,
    },
  };
}

/** The same patient, in another spelling, with another age or phone, or with less than was sent before. */
const spelledAnew = (random: Random, patient: Patient): Patient => {
  switch (random.below(10)) {
    case 0:
      return {
        ...patient,
        name: patient.name.toUpperCase(),
        registrationNumber: patient.registrationNumber?.toUpperCase().replace('-', ''),
      };
    case 1:
      return { ...patient, age: `${20 + random.below(8)}` };
    case 2:
      return { ...patient, phone: '9845012399', sex: 'U' };
    case 3:
      return { ...patient, registrationNumber: undefined, age: undefined, title: undefined };
    case 4:
      return { ...patient, phone: random.oneIn(2) ? undefined : MADE_UP };
    case 5:
      return { ...patient, age: '0', title: 'Baby' };
    default:
      return patient;
  }
};

function change(random: Random, known: Known): Call {
  const { id, centerId } = chooseAppointment(random, known);
  const type = random.oneIn(30) ? random.pick([0, 8, -1]) : random.pick([1, 1, 1, 2, 3, 3, 4, 5, 6, 6, 7, 7]);
  const wanted = random.oneIn(2) ? chooseWanted(random, known.now, known.doctors) : random.pick(known.wanted);
  const start = random.oneIn(20) ? undefined : wanted.start;
  const [appdate, apptime] = start === undefined ? [UNSET, UNSET] : spellStart(random, start);
  return {
    operation: 'Appointment_Status_Updates',
    meaning: { id, centerId, type, start, isDesk: random.oneIn(15) },
    parameters: { AppointmentID: id, type, appdate, apptime, centerid: centerId },
  };
}

function read(random: Random, known: Known): Call {
  const { id, centerId } = chooseAppointment(random, known);
  return readCall(id, centerId);
}

function list(random: Random, { now, doctors }: Known): Call {
  const { id, centerId } = random.pick(doctors);
  const day = Math.floor(wallMinute(now) / 1440) + random.below(3);
  return listCall(random.oneIn(20) ? 999 : id, day, random.oneIn(20) ? 9 : centerId);
}

/** OPAppointmentdetail; `day` counts from 1970. */
export const listCall = (doctorId: number, day: number, centerId: number): Call => ({
  operation: 'OPAppointmentdetail',
  meaning: { doctorId, day, centerId },
  parameters: { doctorid: doctorId, appdate: minuteText(day * 1440), centerid: centerId },
});

/** Appointment_Status. */
export const readCall = (id: number, centerId: number): Call => ({
  operation: 'Appointment_Status',
  meaning: { id, centerId },
  parameters: { AppointmentID: id, centerid: centerId },
});

function doctors(random: Random): Call {
  const centerId = random.pick([...MODEL_CENTERS, 9]);
  return { operation: 'GetDoctor', meaning: { centerId }, parameters: { centerid: centerId } };
}

function feedback(random: Random): Call {
  const ipno = `IP-${random.below(40)}`;
  const comment = random.pick(['Warm tea', 'Less noise', 'More light']);
  return {
    operation: 'FB_Push_Details',
    meaning: { ipno, comment },
    parameters: { ipno, roomno: '12', moblieno: '', dept: 'Nursing', needsimprovementcommit: comment },
  };
}

function message(random: Random, digits: string): Call {
  const text = random.pick(TEXTS);
  const mode = random.pick([0, 1, 1, 2, 3, 4, 5]);
  const tempid = random.oneIn(20) ? 7 : 0;
  return {
    operation: 'Sent_SMS',
    meaning: { mobile: digits.length === 10 ? `+91${digits}` : undefined, text, tempid, mode },
    parameters: { Mobileno: digits, Message: text, tempid, SMSmode: mode },
  };
}

/** Usually one of the newest eight; otherwise any, one of another center, or one that does not exist. */
function chooseAppointment(
  random: Random,
  { appointments }: Known,
): { readonly id: number; readonly centerId: number } {
  if (appointments.length === 0 || random.oneIn(50)) return { id: 1_000_000, centerId: 11 };
  const newest = random.oneIn(5) ? appointments.length : Math.min(appointments.length, 8);
  const { id, centerId } = random.pick(appointments.slice(-newest));
  return { id, centerId: random.oneIn(40) ? otherThan(centerId) : centerId };
}

const otherThan = (centerId: number): number => MODEL_CENTERS.find((other) => other !== centerId) ?? 0;

/** Today or on the following two days, at one of a few times; sometimes off the slots, long past or far ahead. */
function chooseStart(random: Random, now: number, { slotMinutes }: ModelDoctor): number {
  const today = Math.floor(wallMinute(now) / 1440);
  if (random.oneIn(40)) return (today + random.pick([-1, 364, 365, 366, 400])) * 1440 + 600;
  const day = today + random.pick([0, 1, 1, 2, 2]);
  const hour = random.pick([9, 10, 12, 17]);
  const minute = random.below(4) * slotMinutes + (random.oneIn(8) ? 5 : 0);
  return day * 1440 + hour * 60 + minute;
}

/** A date and a time for the given minute: in local time, in UTC, or with another offset. */
function spellStart(random: Random, minute: number): readonly [date: string, time: string] {
  switch (random.below(4)) {
    case 0: {
      const text = withOffset(minute, 0, 'Z');
      return [text, text];
    }
    case 1: {
      const text = withOffset(minute, -570, '-09:30');
      return [text, text];
    }
    case 2:
      return [minuteText(minute), withOffset(minute, 330, '+05:30')];
    default:
      return [`${minuteText(minute).slice(0, 10)}T00:00:00`, `1899-12-30T${minuteText(minute).slice(11)}`];
  }
}

const withOffset = (minute: number, east: number, suffix: string): string =>
  `${minuteText(minute - wallMinute(0) + east)}${suffix}`;
