import { sql } from 'kysely';
import type { DatabaseDifferences } from '../database-differences.ts';
import { beyondCapacity, marksIndex, overlapping, staysInPlace, staysThePatients } from '../overlapping.ts';
import { SAME_PATIENT } from '../same-patient.ts';
import { functionOf } from './function-of.ts';
import { PATIENT_OVERLAP, SEAT_TAKEN } from './guard-appointments.ts';

const refuse = (constraint: string): string =>
  `RAISE EXCEPTION USING ERRCODE = 'exclusion_violation', CONSTRAINT = '${constraint}';`;

/**
 * Replaces the function for patients with one that takes marks into account, and that also checks the capacity wherever there are marked
 * appointments. Only imports add those, and an import runs alone, so a query is enough here as well.
 */
export const guardOverlaps: DatabaseDifferences['guardOverlaps'] = async (db, bounds) => {
  const { lastHoldingStatus } = bounds;
  const samePatient = (same: string) =>
    `EXISTS (SELECT 1 FROM appointment AS other WHERE other.center_id = NEW.center_id AND other.id <> NEW.id
      AND ${same} AND other.status <= ${lastHoldingStatus} AND ${overlapping(bounds)})`;
  const body = `
    IF TG_OP = 'INSERT' THEN
      IF NEW.marked = 1 THEN RETURN NEW; END IF;
    ELSIF ${staysThePatients(bounds)} THEN RETURN NEW;
    END IF;
    IF ${samePatient(SAME_PATIENT.registration)} OR ${samePatient(SAME_PATIENT.phone)} THEN ${refuse(PATIENT_OVERLAP)} END IF;
    IF TG_OP = 'UPDATE' THEN
      IF ${staysInPlace(bounds)} THEN RETURN NEW; END IF;
    END IF;
    IF ${beyondCapacity(bounds)} THEN ${refuse(SEAT_TAKEN)} END IF;
    RETURN NEW;`;
  await sql.raw(marksIndex(bounds)).execute(db);
  await sql.raw(functionOf(PATIENT_OVERLAP, body).replace(/^CREATE /, 'CREATE OR REPLACE ')).execute(db);
};
