import type {
  Appointment,
  Booking,
  Call,
  Change,
  Expectation,
  ExpectedRecord,
  Feedback,
  Message,
  ModelDoctor,
  Patient,
  Undo,
} from './model-types.ts';

/** Every ResultCode that the model can answer. */
export const MODEL_CODES = [0, 1, 10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 22, 30, 31, 33, 35] as const;
type ModelCode = (typeof MODEL_CODES)[number];

/**
 * The hospital in maps and arrays: what each operation must answer, and what it changes. Written from the documents, not from `src/`, and
 * as simply as possible: every search goes through everything.
 *
 * Every center of the model uses Asia/Kolkata time, which is UTC+5:30 all year.
 */
export class HospitalModel {
  /** Instant, ms. */
  now = 0;
  readonly doctors: readonly ModelDoctor[];
  readonly appointments = new Map<number, Appointment>();
  readonly messages = new Map<number, Message>();
  readonly feedback = new Map<number, Feedback>();
  /** The last token number given out, by center, doctor and day. */
  readonly tokens = new Map<string, number>();

  /** Refused bookings that named the patient of an appointment with another phone or number. */
  readonly guesses: { readonly id: number; readonly at: number }[] = [];

  constructor(doctors: readonly ModelDoctor[]) {
    this.doctors = doctors;
  }

  /** The answer that the call must get at this moment, and how to make its change. */
  expect(call: Call): Expectation {
    switch (call.operation) {
      case 'Fetch_Details':
        return this.#book(call.meaning);
      case 'Appointment_Status_Updates':
        return this.#change(call.meaning);
      case 'Appointment_Status':
        return this.#read(call.meaning.id, call.meaning.centerId);
      case 'OPAppointmentdetail':
        return this.#list(call.meaning.doctorId, call.meaning.day, call.meaning.centerId);
      case 'GetDoctor':
        return this.#doctorsOf(call.meaning.centerId);
      case 'FB_Push_Details':
        return this.#keepFeedback(call.meaning);
      case 'Sent_SMS':
        return this.#queue(call.meaning);
    }
  }

  /** The appointments of a doctor on a day, by time, token and id. */
  dayOf(centerId: number, doctorId: number, day: number): readonly Appointment[] {
    return [...this.appointments.values()]
      .filter((a) => a.centerId === centerId && a.doctorId === doctorId && dayOf(a.start) === day)
      .sort((a, b) => a.start - b.start || a.token - b.token || a.id - b.id);
  }

  #book({ patient, centerId, doctorId, start: sent, isDesk }: Booking): Expectation {
    if (!this.doctors.some((d) => d.centerId === centerId)) return refusal(11);
    const doctor = this.#doctor(centerId, doctorId);
    if (doctor === undefined) return refusal(12);
    const start = this.#meant(doctor, sent);
    const answer = (a: Omit<Appointment, 'id'>, id: number | NewId, code: number): ExpectedRecord => ({
      ResultCode: code,
      AppointmentID: id,
      Status: a.status,
      StatusText: STATUS_TEXTS[a.status],
      DoctorID: doctorId,
      DoctorName: doctor.name,
      RegistrationNumber: a.patient.registrationNumber,
      app_date: dayText(a.start),
      app_time: minuteText(a.start),
      TokenNo: a.token,
      centerid: centerId,
    });
    const there = this.#holding().filter(
      (a) =>
        a.centerId === centerId &&
        a.doctorId === doctorId &&
        (a.start === start ||
          (!isOpen(doctor, sent) && sent <= wallMinute(this.now) && a.start < sent && sent < a.end)) &&
        isNamedAlike(a.patient, patient),
    );
    const named = there.length === 0 ? undefined : Math.min(...there.map(({ id }) => id));
    // Five wrong ones within an hour, then nobody is told which is right.
    const isGuessed = this.guesses.filter(({ id, at }) => id === named && at > this.now - 60 * MINUTE).length >= 5;
    const meant = there.filter((a) => isSamePatient(a.patient, patient));
    const [standing] = meant;
    // If it may be either of two, nobody is told anything about them.
    if (standing !== undefined && meant.length === 1 && !isGuessed) {
      // A number is told only to those who sent it, and nothing is changed.
      const RegistrationNumber =
        patient.registrationNumber === undefined ? undefined : standing.patient.registrationNumber;
      return { record: { ...answer(standing, standing.id, 1), RegistrationNumber } };
    }
    const noPlace = this.#noPlace(doctor, start, doctor.slotMinutes, patient, isDesk);
    const code = isGuessed && (noPlace === undefined || noPlace === 17) ? 14 : noPlace;
    if (code !== undefined) {
      if (standing !== undefined || named === undefined || isGuessed) return refusal(code);
      return {
        ...refusal(code),
        change: () => {
          this.guesses.push({ id: named, at: this.now });
          return () => this.guesses.pop();
        },
      };
    }
    const key = tokenKey(centerId, doctorId, dayOf(start));
    const before = this.tokens.get(key) ?? 0;
    const created = {
      centerId,
      doctorId,
      doctorName: doctor.name,
      patient,
      start,
      end: start + doctor.slotMinutes,
      token: before + 1,
      status: BOOKED,
      reschedules: 0,
      updatedOn: this.now,
    };
    return {
      record: answer(created, NEW_ID, 0),
      change: (id) => {
        this.appointments.set(id, { ...created, id });
        this.tokens.set(key, before + 1);
        return () => {
          this.appointments.delete(id);
          this.tokens.set(key, before);
        };
      },
      isTaken: (id) => this.appointments.has(id),
    };
  }

  #change({ id, centerId, type, start: sent, isDesk }: Change): Expectation {
    const move = MOVES[type];
    if (move === undefined) return refusal(22);
    const before = this.#appointment(id, centerId);
    if (before === undefined) return refusal(20);
    const answer = (after: Appointment, changed: boolean) => ({
      ResultCode: 0,
      AppointmentID: id,
      type,
      PreviousStatus: before.status,
      Status: after.status,
      StatusText: STATUS_TEXTS[after.status],
      appdate: dayText(after.start),
      apptime: minuteText(after.start),
      Changed: changed,
      centerid: centerId,
      TokenNo: after.token,
    });
    const isAllowed = move.from.includes(before.status);
    if (type !== RESCHEDULE) {
      if (before.status === move.to) return { record: answer(before, false) };
      if (!isAllowed) return refusal(21);
      const takesBack = type === CONFIRM && before.status !== PENDING;
      if (takesBack && dayOf(wallMinute(this.now)) > dayOf(before.start)) return refusal(21);
      if ((ON_ITS_DAY.includes(type) || takesBack) && dayOf(wallMinute(this.now)) < dayOf(before.start))
        return refusal(21);
      const doctor = this.#doctor(centerId, before.doctorId);
      const ofSession = doctor !== undefined && isSession(doctor);
      if (type === NO_SHOW && wallMinute(this.now) < (ofSession ? before.end : before.start + 15)) return refusal(21);
      const isBack = before.status > 4 && move.to <= 4 && doctor !== undefined;
      const noRoom = isBack
        ? this.#noRoom(doctor, before.start, before.end - before.start, before.patient, isDesk, id)
        : undefined;
      if (noRoom !== undefined) return refusal(noRoom);
      const after = { ...before, status: move.to, updatedOn: this.now };
      return { record: answer(after, true), change: () => this.#replace(before, after) };
    }
    if (sent === undefined) return refusal(10);
    if (!isAllowed) return refusal(21);
    const status = before.status === PENDING ? PENDING : BOOKED;
    const doctor = this.#doctor(centerId, before.doctorId);
    const start = doctor === undefined ? sent : this.#meant(doctor, sent);
    if (start === before.start && before.status === status) return { record: answer(before, false) };
    if (doctor === undefined) return refusal(12);
    const minutes = before.end - before.start;
    const noPlace = this.#noPlace(doctor, start, minutes, before.patient, isDesk, id);
    if (noPlace !== undefined) return refusal(noPlace);
    const key = tokenKey(centerId, doctor.id, dayOf(start));
    const lastToken = this.tokens.get(key) ?? 0;
    const staysThatDay = dayOf(start) === dayOf(before.start);
    const after = {
      ...before,
      start,
      end: start + minutes,
      token: staysThatDay ? before.token : lastToken + 1,
      status,
      reschedules: before.reschedules + 1,
      updatedOn: this.now,
    };
    return {
      record: answer(after, true),
      change: () => {
        const undo = this.#replace(before, after);
        if (!staysThatDay) this.tokens.set(key, lastToken + 1);
        return () => {
          undo();
          if (!staysThatDay) this.tokens.set(key, lastToken);
        };
      },
    };
  }

  #read(id: number, centerId: number): Expectation {
    const a = this.#appointment(id, centerId);
    if (a === undefined) return refusal(20);
    return {
      record: {
        ResultCode: 0,
        AppointmentID: id,
        DoctorID: a.doctorId,
        DoctorName: a.doctorName,
        appdate: dayText(a.start),
        apptime: minuteText(a.start),
        Status: a.status,
        StatusText: STATUS_TEXTS[a.status],
        RescheduleCount: a.reschedules,
        UpdatedOn: secondText(a.updatedOn),
        centerid: centerId,
        TokenNo: a.token,
      },
    };
  }

  #list(doctorId: number, day: number, centerId: number): Expectation {
    if (!this.doctors.some((d) => d.centerId === centerId)) return refusal(11);
    if (this.#doctor(centerId, doctorId) === undefined) return refusal(12);
    const rows = this.dayOf(centerId, doctorId, day).filter((a) => a.status !== CANCELLED);
    return {
      record: {
        ResultCode: 0,
        TotalCount: rows.length,
        Appointments: rows.map((a) => ({
          TokenNo: a.token,
          AppointmentID: a.id,
          RegistrationNumber: a.patient.registrationNumber,
          title: a.patient.title,
          Name: a.patient.name,
          Sex: a.patient.sex,
          Age: a.patient.age,
          area: undefined,
          contactnumber: a.patient.phone === undefined ? '' : `+********${a.patient.phone.slice(-4)}`,
          appdate: dayText(a.start),
          apptime: minuteText(a.start),
          Status: a.status,
          StatusText: STATUS_TEXTS[a.status],
        })),
      },
    };
  }

  #doctorsOf(centerId: number): Expectation {
    const doctors = this.doctors.filter((d) => d.centerId === centerId);
    if (doctors.length === 0) return refusal(11);
    // Names are compared by code units here and by bytes in the database: the result is the same for the model's names.
    const byName = doctors.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return {
      record: {
        ResultCode: 0,
        Doctors: byName.map((d) => ({
          DoctorID: d.id,
          DoctorName: d.name,
          SlotMinutes: d.slotMinutes,
          centerid: centerId,
        })),
      },
    };
  }

  #keepFeedback({ ipno, comment }: Omit<Feedback, 'receivedOn'>): Expectation {
    const answer = (id: number | NewId, receivedOn: number, code: number): ExpectedRecord => ({
      ResultCode: code,
      FeedbackID: id,
      ReceivedOn: secondText(receivedOn),
    });
    const same = [...this.feedback].find(
      ([, f]) => f.ipno === ipno && f.comment === comment && f.receivedOn > this.now - DAY,
    );
    if (same !== undefined) return { record: answer(same[0], same[1].receivedOn, 1) };
    return {
      record: answer(NEW_ID, this.now, 0),
      change: (id) => {
        this.feedback.set(id, { ipno, comment, receivedOn: this.now });
        return () => this.feedback.delete(id);
      },
      isTaken: (id) => this.feedback.has(id),
    };
  }

  #queue({ mobile, text, tempid, mode }: Omit<Message, 'queuedOn'>): Expectation {
    if (mobile === undefined) return refusal(30);
    if (mode > 4) return refusal(33);
    if (tempid !== 0) return refusal(31);
    const answer = (id: number | NewId, code: number): ExpectedRecord => ({
      ResultCode: code,
      SMSID: id,
      Mobileno: mobile,
      Segments: 1,
      // The texts of the histories are ASCII, or contain a Devanagari letter.
      Encoding: /^[\x20-\x7e]*$/.test(text) ? 'GSM-7' : 'UCS-2',
      Status: 1,
      StatusText: 'Queued',
    });
    const sentAs = mode === 0 ? 1 : mode;
    const same = [...this.messages].find(
      ([, m]) => m.mobile === mobile && m.text === text && m.mode === sentAs && m.queuedOn > this.now - MINUTE,
    );
    if (same !== undefined) return { record: answer(same[0], 1) };
    const recent = [...this.messages.values()].filter(
      (m) => m.mobile === mobile && m.queuedOn > this.now - 10 * MINUTE,
    );
    if (recent.length >= 10) return refusal(35);
    return {
      record: answer(NEW_ID, 0),
      change: (id) => {
        this.messages.set(id, { mobile, text, tempid, mode: sentAs, queuedOn: this.now });
        return () => this.messages.delete(id);
      },
      isTaken: (id) => this.messages.has(id),
    };
  }

  /** The start of the slot that is running, for a time in it; otherwise the time. */
  #meant(doctor: ModelDoctor, time: number): number {
    for (let slot = time; doctor.hours !== undefined && slot > time - doctor.slotMinutes; slot--) {
      if (!isOpen(doctor, slot)) continue;
      const now = wallMinute(this.now);
      return slot <= now && now < slot + doctor.slotMinutes ? slot : time;
    }
    return time;
  }

  /** The ResultCode of the refusal; undefined if there is none. */
  #noPlace(doctor: ModelDoctor, start: number, minutes: number, patient: Patient, isDesk: boolean, movingId?: number) {
    const end = start + minutes;
    const now = wallMinute(this.now);
    if (start + doctor.slotMinutes <= now) return 15;
    if (dayOf(start) > dayOf(now) + 365) return 16;
    if (!isOpen(doctor, start)) return 13;
    if (doctor.leave !== undefined && doctor.leave.from < end && doctor.leave.to > start) return 13;
    return this.#noRoom(doctor, start, minutes, patient, isDesk, movingId);
  }

  /** The same, regardless of the doctor's hours and the time. */
  #noRoom(doctor: ModelDoctor, start: number, minutes: number, patient: Patient, isDesk: boolean, movingId?: number) {
    const end = start + minutes;
    const others = this.#holding().filter(
      (a) => a.id !== movingId && a.centerId === doctor.centerId && a.start < end && a.end > start,
    );
    const ofDoctor = others.filter((a) => a.doctorId === doctor.id);
    for (let minute = start; minute < end && !isDesk; minute++) {
      if (ofDoctor.filter((a) => a.start <= minute && minute < a.end).length >= doctor.capacity) return 14;
    }
    return others.some((a) => {
      const other = this.#doctor(a.centerId, a.doctorId);
      const isApart = a.doctorId !== doctor.id && (isSession(doctor) || (other !== undefined && isSession(other)));
      return isSamePatient(a.patient, patient) && !isApart;
    })
      ? 17
      : undefined;
  }

  #doctor(centerId: number, doctorId: number): ModelDoctor | undefined {
    return this.doctors.find((d) => d.centerId === centerId && d.id === doctorId);
  }

  #appointment(id: number, centerId: number): Appointment | undefined {
    const appointment = this.appointments.get(id);
    return appointment?.centerId === centerId ? appointment : undefined;
  }

  /** Statuses that keep other appointments out of their time: Pending, Booked, Arrived and InConsultation. */
  #holding(): readonly Appointment[] {
    return [...this.appointments.values()].filter((a) => a.status <= 4);
  }

  #replace(before: Appointment, after: Appointment): Undo {
    this.appointments.set(before.id, after);
    return () => this.appointments.set(before.id, before);
  }
}

/** The placeholder in a record for the id that the service chooses. */
export const NEW_ID = Symbol('an id that nothing has had before');
export type NewId = typeof NEW_ID;

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const PENDING = 1;
const BOOKED = 2;
const RESCHEDULE = 1;
const CONFIRM = 2;
const CANCELLED = 6;
const NO_SHOW = 7;
/** UTC+5:30, in minutes. */
const EAST = 330;

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  1: 'Pending',
  2: 'Booked',
  3: 'Arrived',
  4: 'InConsultation',
  5: 'Completed',
  6: 'Cancelled',
  7: 'NoShow',
};

/** By `type`: the status afterwards, and the statuses that allow it. */
const MOVES: Readonly<Record<number, { readonly to: number; readonly from: readonly number[] }>> = {
  1: { to: 2, from: [1, 2, 7] },
  2: { to: 2, from: [1, 3, 4, 5] },
  3: { to: 3, from: [1, 2, 7] },
  4: { to: 4, from: [2, 3] },
  5: { to: 5, from: [2, 3, 4] },
  6: { to: 6, from: [1, 2, 3, 7] },
  7: { to: 7, from: [1, 2] },
};

/** The types for which the patient must be present. */
const ON_ITS_DAY: readonly number[] = [3, 4, 5];

const refusal = (code: ModelCode): Expectation => ({ record: { ResultCode: code } });

const tokenKey = (centerId: number, doctorId: number, day: number): string => `${centerId}/${doctorId}/${day}`;

/** The days since 1970 of a minute of local time. */
export const dayOf = (minute: number): number => Math.floor(minute / 1440);

/** The minute of local time at the centers. */
export const wallMinute = (instant: number): number => Math.floor(instant / MINUTE) + EAST;

const isoText = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
export const minuteText = (minute: number): string => isoText(minute * MINUTE);
const dayText = (minute: number): string => isoText(dayOf(minute) * DAY);
const secondText = (instant: number): string => isoText(instant + EAST * MINUTE);

function isNamedAlike(a: Patient, b: Patient): boolean {
  if (a.name.toLowerCase() !== b.name.toLowerCase()) return false;
  const saysOf = ({ sex, title }: Patient) => (sex === 'U' ? ({ Mr: 'M', Mrs: 'F' }[title ?? ''] ?? 'U') : sex);
  if (new Set([saysOf(a), saysOf(b), 'M', 'F']).size === 2 && saysOf(a) !== saysOf(b)) return false;
  if (a.title !== undefined && b.title !== undefined && a.title !== b.title) return false;
  if (a.age !== undefined && b.age !== undefined && Math.abs(Number(a.age) - Number(b.age)) > 2) return false;
  return true;
}

function isSamePatient(a: Patient, b: Patient): boolean {
  if (!isNamedAlike(a, b)) return false;
  if (a.registrationNumber !== undefined && b.registrationNumber !== undefined)
    return numberOf(a.registrationNumber) === numberOf(b.registrationNumber);
  return a.phone !== undefined && a.phone === b.phone && a.phone !== MADE_UP && a.name.toLowerCase() !== 'unknown';
}

const numberOf = (text: string): string => text.toUpperCase().replace('-', '');

/** A number that identifies nobody. */
export const MADE_UP = '9999999999';

/** An hour or more for several patients: it says when to come, not how long one is there. */
const isSession = ({ slotMinutes, capacity }: ModelDoctor): boolean => slotMinutes >= 60 && capacity > 1;

/** Doctors with hours see nobody on Sundays, and patients only in their slots. */
function isOpen({ hours, slotMinutes }: ModelDoctor, start: number): boolean {
  if (hours === undefined) return true;
  const isSunday = new Date(start * MINUTE).getUTCDay() === 0;
  const minute = start % 1440;
  return (
    !isSunday &&
    hours.some(([from, to]) => {
      for (let slot = from; slot + slotMinutes <= to; slot += slotMinutes) if (slot === minute) return true;
      return false;
    })
  );
}
