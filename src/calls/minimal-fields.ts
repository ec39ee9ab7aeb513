import type { RecordType, ResultRecord } from '../contract/contract.ts';

/**
 * An answer for a client that may not see who a patient is: without the fields that the contract marks as patient data, also in the records
 * inside it. None of them is required, so the answer still fits the WSDL.
 */
export function withoutPatientData({ fields }: RecordType, record: ResultRecord): ResultRecord {
  const kept: Record<string, ResultRecord[string]> = {};
  for (const { name, type, patientData } of fields) {
    const value = record[name];
    if (typeof type !== 'object') {
      if (!patientData) kept[name] = value;
    } else if (Array.isArray(value)) {
      kept[name] = value.map((inner: ResultRecord) => withoutPatientData(type, inner));
    } else if (value !== undefined) {
      kept[name] = withoutPatientData(type, value as unknown as ResultRecord);
    }
  }
  return kept;
}
