import type { RunningService } from '../../support/process/start-service.ts';
import { wallMinute } from './hospital-model.ts';
import type { ModelDoctor } from './model-types.ts';

const HOURS = [
  [9 * 60, 13 * 60],
  [17 * 60, 20 * 60],
] as const;

/** Two centers that only the histories use. */
export const MODEL_CENTERS = [11, 12] as const;

/** Adds the centers with their doctors, and returns everything that the model must know about them. */
export async function openModelHospital({ store, clock }: RunningService): Promise<readonly ModelDoctor[]> {
  const tomorrow = (Math.floor(wallMinute(clock.now) / 1440) + 1) * 1440;
  const leave = { from: tomorrow + 9 * 60 + 20, to: tomorrow + 10 * 60 + 30 };
  const doctors: readonly ModelDoctor[] = [
    { centerId: 11, id: 101, name: 'Dr. With Hours', slotMinutes: 15, capacity: 1, hours: HOURS },
    { centerId: 11, id: 102, name: 'Dr. At Any Time', slotMinutes: 15, capacity: 1 },
    { centerId: 11, id: 103, name: 'Dr. On Leave', slotMinutes: 15, capacity: 1, hours: HOURS, leave },
    { centerId: 11, id: 104, name: 'Dr. With Tokens', slotMinutes: 60, capacity: 4, hours: HOURS },
    { centerId: 11, id: 105, name: 'Dr. With Long Sessions', slotMinutes: 180, capacity: 3 },
    { centerId: 12, id: 201, name: 'Dr. Three At Once', slotMinutes: 20, capacity: 3 },
    { centerId: 12, id: 202, name: 'Dr. Long Slots', slotMinutes: 45, capacity: 2 },
  ];
  await store.write(async ({ referenceTables }) => {
    for (const id of MODEL_CENTERS) {
      await referenceTables.put('center', {
        id,
        name: `Model center ${id}`,
        timeZone: 'Asia/Kolkata',
        phoneRegion: null,
      });
    }
    for (const { hours = [], leave, ...doctor } of doctors) {
      const { centerId, id } = doctor;
      const unknown = { department: null, specialization: null, qualification: null };
      await referenceTables.put('doctor', { active: 1, ...unknown, ...doctor });
      for (const weekday of [1, 2, 3, 4, 5, 6]) {
        for (const [from, to] of hours) {
          const range = { weekday, from, to, validFrom: null, validTo: null };
          await referenceTables.put('opening_hours', { ...range, centerId, doctorId: id });
        }
      }
      if (leave !== undefined) await referenceTables.put('doctor_leave', { ...leave, centerId, doctorId: id });
    }
  });
  return doctors;
}
