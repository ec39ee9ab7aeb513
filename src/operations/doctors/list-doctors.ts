import type { DoctorList, GetDoctorInput } from '../../contract/generated-types.ts';
import { ResultCode } from '../../result-codes.ts';
import { currentOpenings, describeOpenings } from '../../rules/slots.ts';
import { wallMinuteAt } from '../../rules/wall-time.ts';
import type { OpeningHours } from '../../store/records/reference-records.ts';
import type { OperationDependencies } from '../dependencies.ts';
import { knownCenter } from '../known-doctor.ts';

/** GetDoctor: the doctors of a center who can be booked, by name. */
export const listDoctors =
  ({ store, clock }: OperationDependencies) =>
  (input: GetDoctorInput): Promise<DoctorList> =>
    store.read(async (records) => {
      const center = await knownCenter(records, input.centerid);
      const now = wallMinuteAt(clock(), center.timeZone);
      const doctors = await records.reference.doctors(center.id);
      const openings = byDoctor(await records.reference.openingHoursOfCenter(center.id));
      return {
        ResultCode: ResultCode.OK,
        ResultText: 'OK.',
        Doctors: {
          Doctor: doctors.map((doctor) => ({
            DoctorID: doctor.id,
            DoctorName: doctor.name,
            Department: doctor.department ?? undefined,
            Specialization: doctor.specialization ?? undefined,
            Qualification: doctor.qualification ?? undefined,
            SlotMinutes: doctor.slotMinutes,
            ...describeOpenings(currentOpenings(openings.get(doctor.id) ?? [], now)),
            centerid: doctor.centerId,
          })),
        },
      };
    });

function byDoctor(rows: readonly OpeningHours[]): ReadonlyMap<number, OpeningHours[]> {
  return Map.groupBy(rows, (row) => row.doctorId);
}
