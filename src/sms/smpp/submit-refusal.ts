import type { SendOutcome } from '../gateway.ts';
import { statusName } from './pdu.ts';

type Refusal = Extract<SendOutcome, { kind: 'refused' | 'failed' | 'unavailable' }>;

/** The SMS center currently accepts nothing, either from us or from anyone. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  'ESME_RTHROTTLED',
  'ESME_RMSGQFUL',
  // Not bound, from its point of view.
  'ESME_RINVBNDSTS',
]);

/** The answer to this message would be the same each time. */
const REFUSED: ReadonlySet<string> = new Set([
  'ESME_RINVMSGLEN',
  'ESME_RINVPRTFLG',
  'ESME_RINVREGDLVFLG',
  'ESME_RINVSRCADR',
  'ESME_RINVDSTADR',
  'ESME_RINVSERTYP',
  'ESME_RINVESMCLASS',
  'ESME_RINVSRCTON',
  'ESME_RINVSRCNPI',
  'ESME_RINVDSTTON',
  'ESME_RINVDSTNPI',
  'ESME_RINVSYSTYP',
  'ESME_RINVREPFLAG',
  'ESME_RINVSCHED',
  'ESME_RINVEXPIRY',
  'ESME_RINVDFTMSGID',
  'ESME_RX_P_APPN',
  'ESME_RX_R_APPN',
  'ESME_RINVTLVSTREAM',
  'ESME_RTLVNOTALLWD',
  'ESME_RINVTLVLEN',
  'ESME_RMISSINGTLV',
  'ESME_RINVTLVVAL',
  'ESME_RSERTYPUNAUTH',
  'ESME_RPROHIBITED',
  'ESME_RSERTYPDENIED',
  'ESME_RINVDCS',
  'ESME_RINVSRCADDRSUBUNIT',
  'ESME_RINVDSTADDRSUBUNIT',
]);

/**
 * What a status of submit_sm_resp or generic_nack other than 0 means for the message. An unknown status (vendors have many) is treated as
 * temporary: the message is tried again until its attempts are used up. Source: SMPP 3.4, 5.1.3.
 */
export function submitRefusal(status: number): Refusal {
  const code = statusName(status);
  if (UNAVAILABLE.has(code)) return { kind: 'unavailable', code };
  return { kind: REFUSED.has(code) ? 'refused' : 'failed', code };
}
