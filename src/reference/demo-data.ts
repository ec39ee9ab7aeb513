import type { Store } from '../store/store.ts';
import { putReferenceRows } from './imported-rows.ts';

type DemoDoctor = readonly [name: string, department: string, specialization: string, qualification: string];

const CENTERS: readonly { readonly id: number; readonly name: string; readonly doctors: readonly DemoDoctor[] }[] = [
  {
    id: 1,
    name: 'Bengaluru',
    doctors: [
      ['Dr. Asha Rao', 'Cardiology', 'Interventional Cardiology', 'MBBS, MD, DM'],
      ['Dr. Vikram Shetty', 'Orthopaedics', 'Joint Replacement', 'MBBS, MS'],
      ['Dr. Meera Krishnan', 'Neurology', 'Stroke', 'MBBS, MD, DM'],
      ['Dr. Imran Khan', 'Paediatrics', 'Neonatology', 'MBBS, MD'],
      ['Dr. Kavya Hegde', 'Dermatology', 'Cosmetic Dermatology', 'MBBS, DDVL'],
      ['Dr. Thomas Mathew', 'General Medicine', 'Diabetology', 'MBBS, MD'],
      ['Dr. Lakshmi Narayan', 'Obstetrics and Gynaecology', 'High-Risk Pregnancy', 'MBBS, MS'],
      ['Dr. Arjun Nair', 'ENT', 'Cochlear Implants', 'MBBS, MS'],
      ['Dr. Priya Desai', 'Ophthalmology', 'Retina', 'MBBS, MS, FVRS'],
      ['Dr. Suresh Babu', 'Gastroenterology', 'Hepatology', 'MBBS, MD, DM'],
    ],
  },
  {
    id: 2,
    name: 'Mysuru',
    doctors: [
      ['Dr. Anita Urs', 'General Medicine', 'Geriatrics', 'MBBS, MD'],
      ['Dr. Ravi Kumar', 'Orthopaedics', 'Sports Medicine', 'MBBS, MS'],
      ['Dr. Fatima Begum', 'Paediatrics', 'Paediatric Asthma', 'MBBS, DCH'],
      ['Dr. Manjunath Gowda', 'Cardiology', 'Echocardiography', 'MBBS, MD, DM'],
      ['Dr. Divya Prasad', 'Dermatology', 'Trichology', 'MBBS, MD'],
    ],
  },
];

/** Sees outpatients Monday to Saturday 09:00-13:00 and 17:00-20:00; the others accept any time. */
const SCHEDULED_DOCTOR = { centerId: 1, doctorId: 101, days: [1, 2, 3, 4, 5, 6] };
const HOURS = [
  { from: 9 * 60, to: 13 * 60 },
  { from: 17 * 60, to: 20 * 60 },
];

export const DEMO_CENTER_IDS: readonly number[] = CENTERS.map(({ id }) => id);

/** Name of the mark in the database that says that it contains demo data. */
export const DEMO_FACT = 'demo-data';

/**
 * Two centers and fifteen doctors, so that a first call finds something. Does nothing to a database that is not empty. Returns true if it
 * loaded the data. Doctor ids count up from the center's number × 100 + 1.
 */
export const loadDemoData = (store: Store, timeZone: string): Promise<boolean> =>
  store.write(async (queries) => {
    if (!(await queries.facts.isEmpty())) return false;
    await putReferenceRows(queries, {
      centers: CENTERS.map(({ id, name }) => ({ id, name, timeZone, phoneRegion: null })),
      doctors: CENTERS.flatMap(({ id: centerId, doctors }) =>
        doctors.map(([name, department, specialization, qualification], index) => ({
          centerId,
          id: centerId * 100 + index + 1,
          name,
          department,
          specialization,
          qualification,
          slotMinutes: 15,
          capacity: 1,
          active: 1,
        })),
      ),
      'opening-hours': HOURS.map((hours) => ({ ...SCHEDULED_DOCTOR, ...hours, validFrom: null, validTo: null })),
      leave: [],
      templates: [],
    });
    await queries.facts.set({ name: DEMO_FACT, value: 'loaded' });
    return true;
  });
