import { registrationKey } from '../../vocabulary/patients.ts';
import { together } from './0001-tables.ts';
import { compareAnew } from './compare-anew.ts';
import { redefined, type Step } from './step.ts';

const BEFORE = together(['registration_key', 'registration_number']);
const AFTER =
  '(registration_number IS NOT NULL OR registration_key IS NULL) AND (name IS NOT NULL OR registration_number IS NULL)';

/** A RegistrationNumber is kept as it was given, also where it identifies nobody, and is the same however a program prints it. */
export const NUMBERS_AS_GIVEN: Step = {
  statements: (engine) =>
    engine === 'sqlite'
      ? redefined('appointment', BEFORE, AFTER)
      : [
          'ALTER TABLE appointment DROP CONSTRAINT appointment_registration',
          `ALTER TABLE appointment ADD CONSTRAINT appointment_registration CHECK (${AFTER})`,
        ],
  rows: compareAnew('registration_number', 'registration_key', registrationKey),
};
