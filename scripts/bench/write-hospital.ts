import { once } from 'node:events';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A hospital whose doctors take turns. */
export interface Hospital {
  readonly centers: number;
  readonly doctors: number;
  readonly appointments: number;
  /** Of the appointments. */
  readonly firstDay: Temporal.PlainDate;
}

/** Slot starts of a doctor's day: 09:00 to 13:00 and 17:00 to 20:00, four per hour. */
const STARTS = [9, 10, 11, 12, 17, 18, 19].flatMap((hour) =>
  ['00', '15', '30', '45'].map((minute) => `${`${hour}`.padStart(2, '0')}:${minute}`),
);
export const SLOTS_A_DAY = STARTS.length;

/** Enough names that a center's day has few patients of the same name, as in a hospital. */
const GIVEN = 'Asha Ravi Meena John Fatima Vikram Lakshmi Imran Kavya Thomas Divya'.split(' ');
const FAMILY = 'Rao Kumar Iyer D’Souza Begum Shetty Gowda Khan Hegde Mathew Nair Desai Urs'.split(' ');
const INITIALS = 'ABCDEFGHJKMNPRSTV';
const nameOf = (i: number): string =>
  `${GIVEN[i % GIVEN.length]} ${INITIALS[i % INITIALS.length]} ${FAMILY[i % FAMILY.length]}`;
const AREAS = ['Indiranagar', 'Jayanagar', '"Old" Town, West', 'ಮೈಸೂರು'] as const;
const TITLES = ['Mr.', 'Mrs.', 'Ms.', ''] as const;

/** The number of the first appointment; the others follow. */
export const FIRST_APPOINTMENT = 10_000;

/** The doctor of an appointment, by its index: they take turns. */
export function doctorOf(index: number, { centers, doctors }: Pick<Hospital, 'centers' | 'doctors'>) {
  const center = ((index % doctors) % centers) + 1;
  return { center, doctor: center * 1000 + Math.floor((index % doctors) / centers) + 1 };
}

/** The time of an appointment, by its index: each doctor's days are filled one after the other. */
export function timeOf(index: number, { doctors, firstDay }: Pick<Hospital, 'doctors' | 'firstDay'>) {
  const slot = Math.floor(index / doctors);
  const token = (slot % SLOTS_A_DAY) + 1;
  return { day: `${firstDay.add({ days: Math.floor(slot / SLOTS_A_DAY) })}`, time: STARTS[token - 1], token };
}

/** The phone of an appointment, by its index. */
export const phoneOf = (i: number): string => `98${10_000_000 + i}`;

/**
 * Writes a hospital into a folder: centers, doctors with two sessions per day, and appointments of an old system from its first day;
 * each doctor's days are full, one after the other. Resolves with the names of the files.
 */
export async function writeHospital(folder: string, hospital: Hospital): Promise<readonly string[]> {
  const numbers = Array.from({ length: hospital.centers }, (_, index) => index + 1);
  const doctors = Array.from({ length: hospital.doctors }, (_, index) => doctorOf(index, hospital));
  const write = (name: string, title: string, rows: readonly string[]) => {
    writeFileSync(join(folder, `${name}.csv`), `${title}\n${rows.join('\n')}\n`);
    return `${name}.csv`;
  };
  const centerRows = numbers.map((center) => `${center},Center ${center},Asia/Kolkata`);
  const doctorRows = doctors.map(({ center, doctor }) => `${center},${doctor},Dr. ${doctor},Cardiology,15`);
  const hours = ['09:00,13:00', '17:00,20:00'];
  const hourRows = doctors.flatMap(({ center, doctor }) => hours.map((each) => `${center},${doctor},Mon-Sun,${each}`));
  const files = [
    write('centers', 'centerid,CenterName,TimeZone', centerRows),
    write('doctors', 'centerid,DoctorID,DoctorName,Department,SlotMinutes', doctorRows),
    write('opening-hours', 'centerid,DoctorID,Days,From,To', hourRows),
  ];
  const stream = createWriteStream(join(folder, 'appointments.csv'), { mode: 0o600 });
  stream.write(
    'centerid,AppointmentID,DoctorID,appdate,apptime,RegistrationNumber,title,Name,Sex,Age,area,contactnumber,email,Status,TokenNo\n',
  );
  for (let i = 0; i < hospital.appointments; i++) {
    const { center, doctor } = doctorOf(i, hospital);
    const { day, time, token } = timeOf(i, hospital);
    const sex = i % 2 === 0 ? 'F' : 'Male';
    const area = `"${AREAS[i % AREAS.length]?.replaceAll('"', '""')}"`;
    const status = i % 10 === 0 ? 'Cancelled' : '2';
    const row = `${center},${FIRST_APPOINTMENT + i},${doctor},${day},${time},MRN-${i},${TITLES[i % TITLES.length]},${nameOf(i)},${sex},${20 + (i % 60)}Y,${area},${phoneOf(i)},p${i}@example.org,${status},${token}\n`;
    if (!stream.write(row)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
  return [...files, 'appointments.csv'];
}
