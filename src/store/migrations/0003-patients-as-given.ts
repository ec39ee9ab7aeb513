import { nameKey } from '../../vocabulary/patients.ts';
import { BEYOND_CAPACITY, IS_HOLDING, SEAT_TAKEN, STAYS_IN_PLACE } from './0001-guards.ts';
import { together } from './0001-tables.ts';
import { GUARD } from './0002-patient-guard.ts';
import { compareAnew } from './compare-anew.ts';
import type { Step } from './step.ts';

/** The constraints that change. */
const CHECKS = [
  {
    name: 'appointment_age',
    before: together(['age_text', 'age_value', 'age_unit']),
    after: '(age_value IS NULL) = (age_unit IS NULL) AND (age_text IS NOT NULL OR age_value IS NULL)',
  },
  {
    name: 'appointment_patient',
    before: together(['name', 'name_key', 'phone']),
    after: '(name IS NULL) = (name_key IS NULL) AND (name IS NOT NULL OR phone IS NULL)',
  },
];

/**
 * What is optional is stored as it was given, whether or not it is understood, and a patient may have no phone. A desk may overbook: the guard
 * of capacity lets its appointments move, as it lets those of an import in; each has a seat of its own.
 */
export const PATIENTS_AS_GIVEN: Step = {
  columns: [
    {
      table: 'appointment',
      name: 'sex_text',
      definition: 'text CONSTRAINT appointment_sex_text_erased CHECK (name IS NOT NULL OR sex_text IS NULL)',
      meaning: 'Sex as it was sent, if that was not understood, so that sex is U',
    },
    {
      table: 'center',
      name: 'phone_region',
      definition: 'text',
      meaning: 'Country of phone numbers without a country code, such as IN; null for that of the setting',
    },
  ],
  statements: (engine) => [
    ...(engine === 'sqlite'
      ? [
          // SQLite before 3.53 has no ALTER TABLE for constraints; this is its own recipe. Source: ALTER TABLE, 8.
          'PRAGMA writable_schema = ON',
          `UPDATE sqlite_schema SET sql = ${CHECKS.reduce((text, { before, after }) => `replace(${text}, '${before}', '${after}')`, 'sql')}
  WHERE name = 'appointment'`,
          'PRAGMA writable_schema = RESET',
          `DROP TRIGGER ${GUARD}_on_update`,
          `CREATE TRIGGER ${GUARD}_on_update BEFORE UPDATE ON appointment
  WHEN ${IS_HOLDING} AND NEW.overlapping = 0 AND NOT ${STAYS_IN_PLACE} AND ${BEYOND_CAPACITY}
  BEGIN SELECT RAISE(ABORT, '${SEAT_TAKEN}'); END`,
        ]
      : [
          ...CHECKS.flatMap(({ name, after }) => [
            `ALTER TABLE appointment DROP CONSTRAINT ${name}`,
            `ALTER TABLE appointment ADD CONSTRAINT ${name} CHECK (${after})`,
          ]),
        ]),
  ],
  // Names are compared in a new form: without apostrophes, for example.
  rows: compareAnew('name', 'name_key', nameKey),
};
