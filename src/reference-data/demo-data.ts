import type { Store } from '../store/store.ts';

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

/** Doctor 101 sees outpatients Monday to Saturday 09:00-13:00 and 17:00-20:00; the others accept any time. */
const SCHEDULED_DOCTOR = 101;
const WORKDAYS = [1, 2, 3, 4, 5, 6];
const HOURS = [
  { from: 9 * 60, to: 13 * 60 },
  { from: 17 * 60, to: 20 * 60 },
];

export const DEMO_CENTER_IDS: readonly number[] = CENTERS.map(({ id }) => id);

/** Name of the mark in the database that says that it contains demo data. */
export const DEMO_MARK = 'demo-data';

/**
 * Two centers and fifteen doctors, so that a first call finds something. Does nothing to a database that is not empty. Returns true if it
 * loaded the data. Doctor ids count up from the center's number × 100 + 1.
 */
export const loadDemoData = (store: Store, timeZone: string): Promise<boolean> =>
  store.write(async ({ reference }) => {
    if (!(await reference.isEmpty())) return false;
    for (const center of CENTERS) {
      await reference.addCenter({ id: center.id, name: center.name, timeZone });
      for (const [index, [name, department, specialization, qualification]] of center.doctors.entries()) {
        const id = center.id * 100 + index + 1;
        await reference.addDoctor({
          id,
          centerId: center.id,
          name,
          department,
          specialization,
          qualification,
          slotMinutes: 15,
          capacity: 1,
        });
        if (id !== SCHEDULED_DOCTOR) continue;
        for (const weekday of WORKDAYS) {
          for (const { from, to } of HOURS) {
            await reference.addOpeningHours(center.id, {
              doctorId: id,
              weekday,
              from,
              to,
              validFrom: null,
              validTo: null,
            });
          }
        }
      }
    }
    await reference.setMark(DEMO_MARK, 'loaded');
    return true;
  });
