import type { Implementations } from '../../src/contract/generated-types.ts';
import { ownContract } from '../wire/contract/own-wsdl.ts';
import { FULL_BOOKING_PARAMETERS } from './http/booking-parameters.ts';
import type { Parameters } from './http/four-transports.ts';

/** Records that a usual call reads before it writes, so that no other call may change them until the commit. */
export type Locked = 'appointment' | 'doctor' | 'patient' | 'feedback' | 'message';

interface UsualCall {
  readonly given: Parameters;
  /** Whether the audit trail has a row of its own for the call; the reads of single appointments are counted by the minute. */
  readonly isAudited: boolean;
  /** Of an operation that is not safe. */
  readonly locks?: readonly Locked[];
}

/**
 * A usual call of each operation, in an order in which each succeeds on the demo data: the booking becomes appointment 1. The type names an
 * operation without one.
 */
const ONE_CALL_OF_EACH: Readonly<Record<keyof Implementations<unknown>, UsualCall>> = {
  Fetch_Details: { given: FULL_BOOKING_PARAMETERS, isAudited: true, locks: ['doctor', 'patient'] },
  OPAppointmentdetail: { given: { doctorid: 102, appdate: '2027-01-18T00:00:00', centerid: 1 }, isAudited: true },
  Appointment_Status: { given: { AppointmentID: 1, centerid: 1 }, isAudited: false },
  Appointment_Status_Updates: {
    given: {
      AppointmentID: 1,
      type: 6,
      appdate: '2027-01-18T00:00:00',
      apptime: '2027-01-18T10:15:00',
      centerid: 1,
    },
    isAudited: true,
    locks: ['appointment'],
  },
  FB_Push_Details: {
    given: { ipno: 'IP-7', roomno: '12', moblieno: '', dept: 'Cardiology', needsimprovementcommit: 'Tea' },
    isAudited: true,
    locks: ['feedback'],
  },
  Sent_SMS: {
    given: { Mobileno: '9845012345', Message: 'Hello', tempid: 0, SMSmode: 1 },
    isAudited: true,
    locks: ['message'],
  },
  GetDoctor: { given: { centerid: 1 }, isAudited: false },
};

/** With what the contract says about the operation. */
export const USUAL_CALLS = Object.entries<UsualCall>(ONE_CALL_OF_EACH).map(([name, call]) => {
  const operation = ownContract.operations.find((candidate) => candidate.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  return { ...call, operation };
});
