import type { AppointmentRow } from '../../store/queries/patient-queries.ts';

/** What `--include` accepts, as `recordName` and `appointmentName` write it. */
export const RECORD_NAME = /^(?:appointment:-?\d{1,10}\/\d{1,10}|(?:feedback|message):\d{1,10})$/;

/** Names a record to the operator, and for comparison: `feedback:7`. */
export const recordName = (kind: 'feedback' | 'message', { id }: { readonly id: number }): string => `${kind}:${id}`;

/** With its center, because two centers may use the same number: `appointment:1/12`. */
export const appointmentName = ({ center_id: centerId, id }: Pick<AppointmentRow, 'center_id' | 'id'>): string =>
  `appointment:${centerId}/${id}`;
