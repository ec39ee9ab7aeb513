/** A value of a parameter; null is the toolkit's own null, and one that is left out is none. */
type Value = string | number | null;
type Values = Readonly<Record<string, Value>>;

/** Of a result or a fault: fields by their paths, such as `Doctors.Doctor.0.DoctorID`. Names are compared without case and underscores. */
type Expected = Readonly<Record<string, string | number | boolean | null>>;

/** What a toolkit is asked to do, and what has to come of it. */
interface Asked {
  readonly operation: string;
  readonly check: string;
  readonly values: Values;
  /** How it logs in; undefined if the service does not require it. */
  readonly logIn?: string;
  /** Of the result. */
  readonly result?: Expected;
  /** Of the typed exception. */
  readonly fault?: Expected;
  /** Of the text of an untyped exception. */
  readonly error?: RegExp;
}

/** What the runner says. */
export interface Circumstances {
  readonly day: string;
  /** A unique name. */
  readonly run: string;
  /** Markup and characters of several bytes. */
  readonly text: string;
  readonly examples: Readonly<Record<string, Values>>;
}

/** Calls one after the other, and returns the field of a result. */
export type Ask = (asked: Asked) => Promise<(path: string) => unknown>;

const CENTER = { centerid: 1 };
const fullBooking = ({ day, text }: Circumstances, number: string) => ({
  DoctorID: 102,
  RegistrationNumber: number,
  app_date: `${day}T00:00:00`,
  app_time: `${day}T00:00:00`,
  title: 'Mrs',
  Name: text,
  Sex: 'F',
  Age: '34',
  area: 'Indiranagar',
  contactnumber: '9845012345',
  email: 'asha@example.org',
  ...CENTER,
});
const refusal = (ResultCode: number, Parameter: string | null) => ({ Code: 'Refused', ResultCode, Parameter });
const invalid = (Code: string, Parameter: string) => ({ Code, Parameter });

/** Every operation, its results, and its refusals as typed exceptions. */
export async function callAll(ask: Ask, circumstances: Circumstances): Promise<void> {
  const { day, run, text, examples } = circumstances;
  const at = (time: string) => `${day}T${time}:00`;
  const full = fullBooking(circumstances, `${run}-1`);
  const feedback = { ipno: run, roomno: '12', moblieno: '', dept: 'Nursing', needsimprovementcommit: text };
  const operations = {
    doctors: 'GetDoctor',
    book: 'Fetch_Details',
    state: 'Appointment_Status',
    move: 'Appointment_Status_Updates',
    list: 'OPAppointmentdetail',
    feedback: 'FB_Push_Details',
    text: 'Sent_SMS',
  } as const;
  const call = (
    name: keyof typeof operations,
    check: string,
    values: Values,
    expected: Pick<Asked, 'result' | 'fault'>,
  ) => ask({ operation: operations[name], check, values, ...expected });

  await call('doctors', 'typed', CENTER, {
    result: {
      ResultCode: 0,
      'Doctors.Doctor.length': 10,
      'Doctors.Doctor.1.DoctorID': 101,
      'Doctors.Doctor.1.DoctorName': 'Dr. Asha Rao',
    },
  });
  await call('doctors', 'refusal', { centerid: 9 }, { fault: refusal(11, 'centerid') });

  await call('book', 'typed', full, {
    result: {
      ResultCode: 0,
      Status: 2,
      TokenNo: 1,
      RegistrationNumber: `${run}-1`,
      app_date: at('00:00'),
      app_time: at('00:00'),
    },
  });
  const nulls = { RegistrationNumber: null, title: null, Sex: null, Age: null, area: null, email: null };
  const short = { ...full, ...nulls, Name: 'Ravi' };
  const second = await call(
    'book',
    'missing strings',
    { ...short, app_time: at('23:45'), contactnumber: '9845012346' },
    {
      result: { ResultCode: 0, app_time: at('23:45') },
    },
  );
  const empty = Object.fromEntries(Object.keys(nulls).map((name) => [name, '']));
  await call(
    'book',
    'empty strings',
    { ...short, ...empty, app_time: at('12:00'), contactnumber: '9845012347' },
    {
      result: { ResultCode: 0 },
    },
  );
  await call('book', 'refusal', { ...full, RegistrationNumber: `${run}-2` }, { fault: refusal(14, null) });
  await call(
    'book',
    'bad value',
    { ...full, RegistrationNumber: 'x'.repeat(51) },
    {
      fault: invalid('InvalidValue', 'RegistrationNumber'),
    },
  );

  const AppointmentID = Number(second('AppointmentID'));
  await call(
    'state',
    'typed',
    { AppointmentID, ...CENTER },
    {
      result: { DoctorID: 102, Status: 2, RescheduleCount: 0, apptime: at('23:45') },
    },
  );
  await call('state', 'refusal', { AppointmentID: 999999, ...CENTER }, { fault: refusal(20, 'AppointmentID') });

  await call(
    'move',
    'typed',
    { AppointmentID, type: 1, appdate: at('00:00'), apptime: at('23:30'), ...CENTER },
    {
      result: { Changed: true, PreviousStatus: 2, apptime: at('23:30') },
    },
  );
  await call(
    'move',
    'no dates',
    { AppointmentID, type: 6, appdate: null, apptime: null, ...CENTER },
    {
      result: { Changed: true, Status: 6, StatusText: 'Cancelled' },
    },
  );
  await call(
    'move',
    'refusal',
    { AppointmentID, type: 99, appdate: null, apptime: null, ...CENTER },
    {
      fault: refusal(22, 'type'),
    },
  );

  await call(
    'list',
    'typed',
    { doctorid: 102, appdate: at('00:00'), ...CENTER },
    {
      result: {
        TotalCount: 2,
        'Appointments.Appointment.0.apptime': at('00:00'),
        'Appointments.Appointment.0.Name': text,
        'Appointments.Appointment.1.apptime': at('12:00'),
        'Appointments.Appointment.1.area': null,
      },
    },
  );
  await call('list', 'refusal', { doctorid: 9, appdate: at('00:00'), ...CENTER }, { fault: refusal(12, 'doctorid') });

  const receipt = await call('feedback', 'typed', feedback, { result: { ResultCode: 0 } });
  await call('feedback', 'repeated', feedback, {
    result: { ResultCode: 1, FeedbackID: Number(receipt('FeedbackID')) },
  });
  await call(
    'feedback',
    'bad value',
    { ...feedback, ipno: 'x'.repeat(51) },
    { fault: invalid('InvalidValue', 'ipno') },
  );

  const sms = { Mobileno: '9845012345', Message: run + text, tempid: 0, SMSmode: 1 };
  await call('text', 'typed', sms, {
    result: { ResultCode: 0, Mobileno: '+919845012345', Encoding: 'UCS-2', Segments: 1, Status: 1 },
  });
  await call('text', 'refusal', { ...sms, Mobileno: '12' }, { fault: refusal(30, 'Mobileno') });

  // An operation that came later has no calls above.
  const called: readonly string[] = Object.values(operations);
  for (const [operation, values] of Object.entries(examples)) {
    if (!called.includes(operation)) await ask({ operation, check: 'example', values });
  }
}

/** A program made for the old WSDL, in which every operation returns nothing. */
export async function callOld(ask: Ask, circumstances: Circumstances): Promise<void> {
  const { day, run } = circumstances;
  const full = fullBooking(circumstances, run);
  const at = `${day}T00:00:00`;
  const returns = (operation: string, values: Values, check = 'returns') => ask({ operation, check, values });
  await returns('GetDoctor', CENTER);
  await returns('Fetch_Details', full);
  await returns('Fetch_Details', full, 'repeated');
  await ask({
    operation: 'Fetch_Details',
    check: 'refusal',
    values: { ...full, RegistrationNumber: `${run}-2` },
    error: /already booked/,
  });
  await returns('Appointment_Status', { AppointmentID: 1, ...CENTER });
  await returns('Appointment_Status_Updates', { AppointmentID: 1, type: 6, appdate: at, apptime: at, ...CENTER });
  await returns('OPAppointmentdetail', { doctorid: 102, appdate: at, ...CENTER });
  await returns('FB_Push_Details', {
    ipno: run,
    roomno: '12',
    moblieno: '',
    dept: 'Nursing',
    needsimprovementcommit: 'Tea',
  });
  await returns('Sent_SMS', { Mobileno: '9845012345', Message: run, tempid: 0, SMSmode: 1 });
}

/** Logs in, in each way; the digest twice, since a nonce counts once. */
export async function logIn(ask: Ask): Promise<void> {
  const call = (logIn: string, expected: Pick<Asked, 'result' | 'error'>) =>
    ask({ operation: 'GetDoctor', check: logIn, values: CENTER, logIn, ...expected });
  const doctors = { result: { 'Doctors.Doctor.length': 10 } };
  await call('nothing', { error: /401|Unauthorized/ });
  for (const way of ['Basic', 'API key', 'UsernameToken', 'UsernameToken digest', 'UsernameToken digest'])
    await call(way, doctors);
}

/** The toolkit's program has been started with the certificate. */
export async function useCertificate(ask: Ask): Promise<void> {
  await ask({
    operation: 'GetDoctor',
    check: 'certificate',
    values: CENTER,
    logIn: 'certificate',
    result: { 'Doctors.Doctor.length': 10 },
  });
}
