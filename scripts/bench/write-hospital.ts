import { once } from 'node:events';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface HospitalSize {
  readonly centers: number;
  readonly doctors: number;
  readonly appointments: number;
}

/** Slot starts of a doctor's day, in minutes: 09:00 to 13:00 and 17:00 to 20:00, four per hour. */
const STARTS = [...range(9 * 60, 13 * 60), ...range(17 * 60, 20 * 60)];

/** Enough names that a center's day has few patients of the same name, as in a hospital. */
const GIVEN = 'Asha Ravi Meena John Fatima Vikram Lakshmi Imran Kavya Thomas Divya'.split(' ');
const FAMILY = 'Rao Kumar Iyer D’Souza Begum Shetty Gowda Khan Hegde Mathew Nair Desai Urs'.split(' ');
const INITIALS = 'ABCDEFGHJKMNPRSTV';
const nameOf = (i: number): string =>
  `${GIVEN[i % GIVEN.length]} ${INITIALS[i % INITIALS.length]} ${FAMILY[i % FAMILY.length]}`;
const AREAS = ['Indiranagar', 'Jayanagar', '"Old" Town, West', 'ಮೈಸೂರು'] as const;
const TITLES = ['Mr.', 'Mrs.', 'Ms.', ''] as const;

/** The phone of an appointment, by its index. */
export const phoneOf = (i: number): string => `98${10_000_000 + i}`;

/**
 * Writes a hospital into a folder: centers, doctors with two sessions per day, and appointments of an old system from `firstDay` (ISO);
 * each doctor's days are full, one after the other. Resolves with the names of the files.
 */
export async function writeHospital(
  folder: string,
  { centers, doctors: doctorCount, appointments }: HospitalSize,
  firstDay: string,
): Promise<readonly string[]> {
  const numbers = Array.from({ length: centers }, (_, index) => index + 1);
  const doctors = Array.from({ length: doctorCount }, (_, index) => {
    const center = (index % centers) + 1;
    return { center, doctor: center * 1000 + Math.floor(index / centers) + 1 };
  });
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
  const first = Temporal.PlainDate.from(firstDay);
  const days: string[] = [];
  for (let i = 0; i < appointments; i++) {
    const { center, doctor } = doctors[i % doctors.length] ?? { center: 1, doctor: 1001 };
    const slot = Math.floor(i / doctors.length);
    const token = slot % STARTS.length;
    const dayIndex = Math.floor(slot / STARTS.length);
    days[dayIndex] ??= first.add({ days: dayIndex }).toString();
    const start = STARTS[token] ?? 0;
    const time = `${`${Math.floor(start / 60)}`.padStart(2, '0')}:${`${start % 60}`.padStart(2, '0')}`;
    const sex = i % 2 === 0 ? 'F' : 'Male';
    const area = `"${AREAS[i % AREAS.length]?.replaceAll('"', '""')}"`;
    const status = i % 10 === 0 ? 'Cancelled' : '2';
    const row = `${center},${10_000 + i},${doctor},${days[dayIndex]},${time},MRN-${i},${TITLES[i % TITLES.length]},${nameOf(i)},${sex},${20 + (i % 60)}Y,${area},${phoneOf(i)},p${i}@example.org,${status},${token + 1}\n`;
    if (!stream.write(row)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
  return [...files, 'appointments.csv'];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: (to - from) / 15 }, (_, index) => from + index * 15);
}
