import { describeHours } from '../appointments/opening-hours.ts';
import type { CallContext, OperationDependencies } from '../calls/dependencies.ts';
import { knownCenter } from '../calls/known-records.ts';
import type { ResultRecord } from '../contract/contract.ts';
import type { DoctorList, GetDoctorInput } from '../contract/generated-types.ts';
import type { ReferenceData } from '../store/queries/reference-data.ts';
import type { Center } from '../store/queries/reference-rows.ts';
import { ResultCode } from '../vocabulary/result-codes.ts';
import { dayAround, wallMinuteAt } from '../vocabulary/time-zone.ts';

/** A center's list, and the instants, ms, between which it is valid: those of a day at the center, because opening hours have first and last days. */
interface CachedList {
  readonly from: number;
  readonly until: number;
  readonly list: DoctorList;
}

/** GetDoctor: the doctors of a center who can be booked, by name. Lists are kept as long as the reference data that they are of. */
export function listDoctors({ clock }: OperationDependencies) {
  const lists = new WeakMap<ReferenceData, Map<number, CachedList>>();

  return getDoctor;

  async function getDoctor({ centerid }: GetDoctorInput, call: CallContext): Promise<DoctorList> {
    const reference = await call.store.reference();
    const cached = lists.getOrInsertComputed(reference, () => new Map());
    const known = cached.get(centerid);
    const now = clock();
    if (known !== undefined && now >= known.from && now < known.until) return known.list;
    const center = knownCenter(reference, centerid);
    const list = freezeRecord(doctorList(reference, center, wallMinuteAt(now, center.timeZone)));
    const [from, until] = dayAround(now, center.timeZone);
    cached.set(centerid, { from, until, list });
    return list;
  }
}

/** Freezes the record and everything in it. For frozen records, writers cache the output. */
function freezeRecord<R extends ResultRecord>(record: R): R {
  for (const value of Object.values(record)) {
    if (typeof value === 'object') freezeRecord(value as ResultRecord);
  }
  return Object.freeze(record);
}

let collator: Intl.Collator | undefined;

/**
 * Sorts names as people do, identically on every host and database. The first call creates the collator, for which a start should not wait.
 */
function byName(a: string, b: string): number {
  collator ??= new Intl.Collator('en');
  return collator.compare(a, b);
}

/** The doctors of a center as callers get them at a wall minute. */
export function doctorList(reference: ReferenceData, center: Center, now: number): DoctorList {
  const doctors = reference.doctors(center.id).toSorted((a, b) => byName(a.name, b.name) || a.id - b.id);
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
        ...describeHours(reference.openingHours(center.id, doctor.id), now),
        centerid: doctor.centerId,
      })),
    },
  };
}
