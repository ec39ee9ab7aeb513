import { doctorOf, FIRST_APPOINTMENT, type Hospital, timeOf } from './write-hospital.ts';

/** After all appointments of a hospital whose last day is next month. */
const BOOKED_AFTER_DAYS = 60;

/** The index of an appointment of the later half, which no retention deletes: spread over all of them, in no order that a cache could use. */
const indexOf = (n: number, { appointments }: Hospital): number =>
  Math.ceil(appointments / 2) + ((n * 7919) % Math.floor(appointments / 2));

/** The nth call of each operation, as the path of a form. */
export const CALLS: Readonly<Record<string, (n: number, hospital: Hospital) => string>> = {
  GetDoctor: (n, { centers }) => `GetDoctor?centerid=${(n % centers) + 1}`,
  Appointment_Status: (n, hospital) => {
    const index = indexOf(n, hospital);
    const { center } = doctorOf(index, hospital);
    return `Appointment_Status?centerid=${center}&AppointmentID=${FIRST_APPOINTMENT + index}`;
  },
  OPAppointmentdetail: (n, hospital) => {
    const index = indexOf(n, hospital);
    const { center, doctor } = doctorOf(index, hospital);
    return `OPAppointmentdetail?centerid=${center}&doctorid=${doctor}&appdate=${timeOf(index, hospital).day}`;
  },
  Fetch_Details: (n, hospital) => {
    const { center, doctor } = doctorOf(n, hospital);
    const firstDay = Temporal.Now.plainDateISO().add({ days: BOOKED_AFTER_DAYS });
    const { day, time } = timeOf(n, { ...hospital, firstDay });
    const patient = `RegistrationNumber=N-${n}&title=&Name=Patient ${n}&Sex=F&Age=34&area=&contactnumber=9845012345&email=`;
    return `Fetch_Details?centerid=${center}&DoctorID=${doctor}&app_date=${day}&app_time=${time}&${patient}`;
  },
};

/** Calls the service; throws an error that says what it answered instead of a result. */
export async function call(port: number, path: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/TPWebServices.asmx/${path}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
}
