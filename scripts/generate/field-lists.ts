import type { Contract } from '../../src/contract/contract.ts';
import {
  APPOINTMENT_FIELDS,
  FEEDBACK_FIELDS,
  type Fields,
  MESSAGE_FIELDS,
  PATIENT_FIELDS,
} from '../../src/vocabulary/stored-records.ts';

/** The fields that an erasure empties, or all others, by their names in a CSV file or, without one, by their columns. */
const namesOf = (fields: Fields, isErased: boolean): string[] =>
  Object.values(fields).flatMap(({ csv, column, personal = false }) => (personal === isErased ? (csv ?? column) : []));

/** What documents list between `<!-- list NAME -->` and `<!-- end -->`, by name. */
const listsOf = ({ types }: Contract): Readonly<Record<string, readonly string[]>> => ({
  'erased of an appointment': namesOf(APPOINTMENT_FIELDS, true),
  'kept of an appointment': namesOf(APPOINTMENT_FIELDS, false),
  'erased of feedback': namesOf(FEEDBACK_FIELDS, true),
  'kept of feedback': namesOf(FEEDBACK_FIELDS, false),
  'erased of a message': namesOf(MESSAGE_FIELDS, true),
  'details of a patient': Object.values(PATIENT_FIELDS).flatMap(({ csv }) => csv),
  'columns of feedback': Object.values<Fields[string]>(FEEDBACK_FIELDS).flatMap(({ csv }) => csv ?? []),
  'shown without patient data': (types.find(({ name }) => name === 'Appointment')?.fields ?? []).flatMap(
    ({ name, patientData }) => (patientData ? [] : name),
  ),
});

/** The document with its lists of fields regenerated. */
export const withFieldLists = (contract: Contract, document: string): string =>
  document.replaceAll(/(<!-- list (.+?) -->\n?)[^\n]*?(?=\n?<!-- end -->)/g, (_, begin: string, name: string) => {
    const names = listsOf(contract)[name];
    if (names === undefined) throw new Error(`there is no list of fields “${name}”`);
    return begin + new Intl.ListFormat('en-GB').format(new Set(names.map((one) => `\`${one}\``)));
  });
