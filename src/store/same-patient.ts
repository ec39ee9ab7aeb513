import type { GuardBounds } from './database-differences.ts';

/**
 * Whether the appointments `other` and `NEW` of one center belong to the same patient, as SQL for both databases. Source: `isSamePatient`
 * in `vocabulary/patient-identity.ts`. There are two conditions, because each uses its own index.
 */
export const SAME_PATIENT = {
  registration:
    'other.registration_key = NEW.registration_key AND (other.name_key = NEW.name_key OR other.phone = NEW.phone)',
  phone:
    'other.phone = NEW.phone AND other.name_key = NEW.name_key AND (other.registration_key IS NULL OR NEW.registration_key IS NULL)',
} as const;

/** The indexes that SAME_PATIENT uses. */
export const patientIndexes = ({ lastHoldingStatus }: GuardBounds): readonly string[] => [
  `CREATE INDEX appointment_standing_by_registration ON appointment (center_id, registration_key, starts_at)
    WHERE status <= ${lastHoldingStatus} AND registration_key IS NOT NULL`,
  `CREATE INDEX appointment_standing_by_phone ON appointment (center_id, phone, starts_at) WHERE status <= ${lastHoldingStatus}`,
];
