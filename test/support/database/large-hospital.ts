import type { Store } from '../../../src/store/store.ts';
import { addDoctor, openHospital } from './hospital.ts';

/** Adds doctors to center 2. */
export async function addDoctors(store: Store, count: number): Promise<void> {
  for (let id = 1000; id < 1000 + count; id++) {
    const name = `Dr. अनीता & ${id}`;
    await addDoctor(store, { id, centerId: 2, name, department: 'Ear, Nose and Throat' });
  }
}

/** Books 200 patients with doctor 900 of center 1 on 18 January 2027, and one on the day after. */
export async function fillDay(store: Store): Promise<void> {
  await addDoctor(store, { slotMinutes: 5 });
  const { book } = await openHospital({}, store);
  for (let n = 0; n < 200; n++) {
    const time = `${String(Math.floor(n / 12)).padStart(2, '0')}:${String((n % 12) * 5).padStart(2, '0')}`;
    const patient = { RegistrationNumber: `R${n}`, Name: 'आशा राव', contactnumber: `98${10_000_000 + n}` };
    await book({ DoctorID: 900, app_time: time, ...patient });
  }
  await book({ DoctorID: 900, app_date: '2027-01-19' });
}
