// Calls the service through the soap library, with the client that it creates from the WSDL. The library writes a Date as an empty
// element, so dates are sent as text; it reads them as Dates in the host's time zone.
import { type Client, createClientAsync } from 'soap';

// biome-ignore lint/suspicious/noExplicitAny: the library types what it reads as any
type Any = any;

const { WSDL = '', TRANSPORT: transport = '', DAY = '', RUN = '', TEXT = '' } = process.env;
const isSoap12 = transport === 'soap12';
const client: Client = await createClientAsync(WSDL, { forceSoap12Headers: isSoap12 });

function report(operation: string, check: string, ok: boolean, detail = ''): void {
  process.stdout.write(`${JSON.stringify({ operation, transport, check, ok, detail })}\n`);
}

function expect(operation: string, check: string, actual: readonly unknown[], expected: readonly unknown[]): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  report(operation, check, found === wanted, found === wanted ? '' : `${found}, not ${wanted}`);
}

const call = (operation: string, values: object): Promise<Any> =>
  new Promise((resolve, reject) => {
    const method = (client as Any).TPWebServices[isSoap12 ? 'TPWebServicesSoap12' : 'TPWebServicesSoap'][operation];
    method(values, (error: unknown, response: Any) => {
      if (error) reject(error);
      else resolve(response[`${operation}Result`]);
    });
  });

async function expectFault(
  operation: string,
  check: string,
  expected: readonly [code: string, resultCode: string | undefined, parameter: string | undefined],
  values: object,
): Promise<void> {
  try {
    report(operation, check, false, `no fault but ${JSON.stringify(await call(operation, values))}`);
  } catch (error) {
    const fault = (error as Any).root?.Envelope?.Body?.Fault;
    const { Code, ResultCode, Parameter } = (fault?.detail ?? fault?.Detail)?.ServiceFault ?? {};
    // The library does not apply types to a fault's fields.
    expect(operation, check, [Code, ResultCode === undefined ? undefined : String(ResultCode), Parameter], expected);
  }
}

const textAt = (time: string): string => `${DAY}T${time}:00`;
const at = (time: string): Date => new Date(textAt(time));
const booking = (time: string, patient: object): object => ({
  DoctorID: 102,
  app_date: textAt(time),
  app_time: textAt(time),
  ...patient,
  centerid: 1,
});
const full = (time: string, RegistrationNumber: string): object =>
  booking(time, {
    RegistrationNumber,
    title: 'Mrs',
    Name: TEXT,
    Sex: 'F',
    Age: '34',
    area: 'Indiranagar',
    contactnumber: '9845012345',
    email: 'asha@example.org',
  });

const doctors = await call('GetDoctor', { centerid: 1 });
const asha = doctors.Doctors.Doctor.find((doctor: Any) => doctor.DoctorID === 101);
expect(
  'GetDoctor',
  'typed',
  [doctors.ResultCode, doctors.Doctors.Doctor.length, asha.DoctorName, asha.SlotMinutes, asha.OPDays],
  [0, 10, 'Dr. Asha Rao', 15, 'Mon-Sat'],
);
await expectFault('GetDoctor', 'refusal', ['Refused', '11', 'centerid'], { centerid: 9 });

const first = await call('Fetch_Details', full('00:00', `${RUN}-1`));
expect(
  'Fetch_Details',
  'typed',
  [first.ResultCode, first.Status, first.TokenNo, first.RegistrationNumber],
  [0, 2, 1, `${RUN}-1`],
);
expect('Fetch_Details', 'midnight', [first.app_date, first.app_time], [at('00:00'), at('00:00')]);
const second = await call('Fetch_Details', booking('23:45', { Name: 'Ravi', contactnumber: '9845012346' }));
expect('Fetch_Details', 'missing strings', [second.ResultCode, second.app_time], [0, at('23:45')]);
const rest = { RegistrationNumber: '', title: '', Sex: '', Age: '', area: '', email: '' };
const third = await call('Fetch_Details', booking('12:00', { Name: 'Ravi', contactnumber: '9845012347', ...rest }));
expect('Fetch_Details', 'empty strings', [third.ResultCode], [0]);
await expectFault('Fetch_Details', 'refusal', ['Refused', '14', undefined], full('00:00', `${RUN}-2`));
await expectFault('Fetch_Details', 'bad value', ['InvalidValue', undefined, 'app_date'], {
  ...full('00:00', `${RUN}-2`),
  app_date: '31/12/2026',
});

const { AppointmentID } = second;
const state = await call('Appointment_Status', { AppointmentID, centerid: 1 });
expect(
  'Appointment_Status',
  'typed',
  [state.DoctorID, state.Status, state.RescheduleCount, state.apptime],
  [102, 2, 0, at('23:45')],
);
await expectFault('Appointment_Status', 'bad value', ['InvalidValue', undefined, 'AppointmentID'], {
  AppointmentID: '12abc',
  centerid: 1,
});

const move = { AppointmentID, type: 1, appdate: textAt('00:00'), apptime: textAt('23:30'), centerid: 1 };
const moved = await call('Appointment_Status_Updates', move);
expect(
  'Appointment_Status_Updates',
  'typed',
  [moved.Changed, moved.PreviousStatus, moved.apptime],
  [true, 2, at('23:30')],
);
const unset = '0001-01-01T00:00:00';
const cancelled = await call('Appointment_Status_Updates', { ...move, type: 6, appdate: unset, apptime: unset });
expect('Appointment_Status_Updates', 'unset dates', [cancelled.Status, cancelled.StatusText], [6, 'Cancelled']);

const day = await call('OPAppointmentdetail', { doctorid: 102, appdate: textAt('00:00'), centerid: 1 });
const rows = day.Appointments.Appointment;
expect(
  'OPAppointmentdetail',
  'typed',
  [day.TotalCount, ...rows.map((row: Any) => row.apptime)],
  [2, at('00:00'), at('12:00')],
);
expect('OPAppointmentdetail', 'markup and Unicode', [rows[0].Name], [TEXT]);
expect('OPAppointmentdetail', 'empty strings', [rows[1].Sex, rows[1].area], ['U', undefined]);

const feedback = { ipno: RUN, roomno: '12', moblieno: '', dept: 'Nursing', needsimprovementcommit: TEXT };
const receipt = await call('FB_Push_Details', feedback);
expect(
  'FB_Push_Details',
  'typed',
  [receipt.ResultCode, receipt.FeedbackID > 0, receipt.ReceivedOn instanceof Date],
  [0, true, true],
);
const again = await call('FB_Push_Details', feedback);
expect('FB_Push_Details', 'repeated', [again.ResultCode, again.FeedbackID], [1, receipt.FeedbackID]);
await expectFault('FB_Push_Details', 'bad value', ['InvalidValue', undefined, 'ipno'], {
  ...feedback,
  ipno: 'x'.repeat(51),
});

const message = await call('Sent_SMS', { Mobileno: '9845012345', Message: RUN + TEXT, tempid: 0, SMSmode: 1 });
expect(
  'Sent_SMS',
  'typed',
  [message.ResultCode, message.Mobileno, message.Encoding, message.Segments, message.Status],
  [0, '+919845012345', 'UCS-2', 1, 1],
);
await expectFault('Sent_SMS', 'refusal', ['Refused', '30', 'Mobileno'], {
  Mobileno: '12',
  Message: TEXT,
  tempid: 0,
  SMSmode: 1,
});
