import type { AuditEntry } from '../../../src/store/queries/audit-queries.ts';

/** A booking of appointment 1, unless the values say otherwise. */
export const auditEntry = (values: Partial<AuditEntry> = {}): AuditEntry => ({
  recordedOn: 1000,
  operation: 'Fetch_Details',
  action: 'C',
  outcome: 0,
  resultCode: 0,
  client: 'anonymous',
  address: '10.0.0.7',
  transport: 'soap11',
  correlationId: 'id-1',
  centerId: 1,
  appointmentId: 1,
  ...values,
});
