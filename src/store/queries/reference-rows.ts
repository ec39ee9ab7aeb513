/** A site of a hospital. Source: HL7 FHIR Location. */
export interface Center {
  readonly id: number;
  readonly name: string;
  /** IANA name. */
  readonly timeZone: string;
}

export interface NewDoctor {
  readonly id: number;
  readonly centerId: number;
  readonly name: string;
  readonly department: string | null;
  readonly specialization: string | null;
  readonly qualification: string | null;
  /** Bounds: `vocabulary/slot-length.ts`. */
  readonly slotMinutes: number;
  /** Patients per slot, 1 or more. */
  readonly capacity: number;
}

export interface Doctor extends NewDoctor {
  /** 1 while the doctor can be booked and is listed. */
  readonly active: number;
}

/** A time range of a doctor's week; minutes of the day, `weekday` 1 Monday to 7 Sunday, ISO days inclusive. */
export interface OpeningHours {
  readonly doctorId: number;
  readonly weekday: number;
  readonly from: number;
  readonly to: number;
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

/** Half-open, in wall minutes of the center. */
export interface DoctorLeave {
  readonly from: number;
  readonly to: number;
}
