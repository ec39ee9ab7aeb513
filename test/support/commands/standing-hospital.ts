import { perTest } from '../prepared.ts';
import { type CommandFolder, commandFolder } from './command-folder.ts';

/** The first columns of appointments.csv. */
const HEADER =
  'centerid,AppointmentID,DoctorID,appdate,apptime,EndTime,RegistrationNumber,title,Name,Sex,Age,area,contactnumber,email,Status,TokenNo';
/** Patients, from RegistrationNumber to email. */
export const ASHA = 'R-1,Mrs.,Asha Pai,F,34Y,"Indira, Nagar",9845012345,asha@example.org';
export const RAVI = 'R-2,,Ravi Kumar,male,,,9845012346,';
export const MEENA = ',,Meena Iyer,,6M,,080 2222 3333,NA';

/** A folder whose database has two centers: doctors 101, 102 (two patients per slot) and 103 (inactive) in 1, doctor 201 in 2. */
export interface StandingHospital {
  readonly folder: CommandFolder;
  /** Writes appointments.csv; each row has the first columns, and the additional ones that are named. */
  write(...rows: readonly string[]): void;
  writeWith(more: string, ...rows: readonly string[]): void;
}

/** For a suite: each test has its own. */
export function standingHospital(): StandingHospital {
  const folder = perTest(async () => {
    const made = commandFolder();
    made.write('centers.csv', 'centerid,CenterName\n1,Bengaluru\n2,Mysuru\n');
    made.write(
      'doctors.csv',
      'centerid,DoctorID,DoctorName,SlotMinutes,Capacity,Active\n1,101,Dr. Rao,15,1,yes\n1,102,Dr. Shetty,30,2,yes\n1,103,Dr. Gone,15,1,no\n2,201,Dr. Urs,15,1,yes\n',
    );
    made.write('opening-hours.csv', 'centerid,DoctorID,Days,From,To\n1,101,Mon,09:00,13:00\n');
    await made.imported('centers.csv', 'doctors.csv', 'opening-hours.csv');
    return made;
  });
  const writeWith = (more: string, ...rows: readonly string[]) =>
    folder.write('appointments.csv', `${[HEADER + more, ...rows].join('\n')}\n`);
  return { folder, write: (...rows) => writeWith('', ...rows), writeWith };
}
