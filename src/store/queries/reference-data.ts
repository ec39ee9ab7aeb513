import type {
  Center,
  Doctor,
  DoctorLeave,
  MessageTemplate,
  OpeningHours,
  ReferenceRow,
  ReferenceTable,
} from './reference-rows.ts';

/** The rows of each table, in its order. */
export type ReferenceTables = { readonly [Table in ReferenceTable]: readonly ReferenceRow<Table>[] };

type OfDoctor = Pick<DoctorLeave, 'centerId' | 'doctorId'>;

const doctorKey = ({ centerId, doctorId }: OfDoctor): string => `${centerId} ${doctorId}`;

/**
 * What the hospital imports and calls only read: centers, doctors, their hours and leaves, and message templates, as one version of them. It
 * never changes, so whatever is derived from it may be kept beside it.
 */
export class ReferenceData {
  /** Increases with every change to these tables, by any process. */
  readonly version: number;
  /** The first doctor who can be booked. */
  readonly firstDoctor: Doctor | undefined;
  readonly #centers: ReadonlyMap<number, Center>;
  readonly #doctors: ReadonlyMap<string, Doctor>;
  readonly #hours: ReadonlyMap<string, readonly OpeningHours[]>;
  readonly #leaves: ReadonlyMap<string, readonly DoctorLeave[]>;
  readonly #templates: ReadonlyMap<number, MessageTemplate>;

  constructor(version: number, tables: ReferenceTables) {
    this.version = version;
    this.firstDoctor = tables.doctor.find(isActive);
    this.#centers = new Map(tables.center.map((center) => [center.id, center]));
    this.#doctors = new Map(
      tables.doctor.map((doctor) => [doctorKey({ centerId: doctor.centerId, doctorId: doctor.id }), doctor]),
    );
    this.#hours = Map.groupBy(tables.opening_hours, doctorKey);
    this.#leaves = Map.groupBy(tables.doctor_leave, doctorKey);
    this.#templates = new Map(tables.message_template.map((template) => [template.tempid, template]));
  }

  center(id: number): Center | undefined {
    return this.#centers.get(id);
  }

  /** Also returns a doctor who can no longer be booked. */
  doctor(centerId: number, doctorId: number): Doctor | undefined {
    return this.#doctors.get(doctorKey({ centerId, doctorId }));
  }

  /** Those who can be booked. */
  doctors(centerId: number): readonly Doctor[] {
    return [...this.#doctors.values()].filter((doctor) => doctor.centerId === centerId && isActive(doctor));
  }

  openingHours(centerId: number, doctorId: number): readonly OpeningHours[] {
    return this.#hours.get(doctorKey({ centerId, doctorId })) ?? [];
  }

  /** Leaves of the doctor, and of the whole center, that end after a wall minute. */
  leaves(centerId: number, doctorId: number, after: number): readonly DoctorLeave[] {
    return [doctorId, null]
      .flatMap((of) => this.#leaves.get(doctorKey({ centerId, doctorId: of })) ?? [])
      .filter(({ to }) => to > after);
  }

  /** The template with this number, if messages may be sent with it. */
  template(tempid: number): MessageTemplate | undefined {
    const template = this.#templates.get(tempid);
    return template && isActive(template) ? template : undefined;
  }
}

const isActive = ({ active }: { readonly active: number }): boolean => active === 1;
