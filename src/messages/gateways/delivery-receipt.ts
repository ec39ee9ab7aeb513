import type { DeliveryReceipt } from '../../vocabulary/messages.ts';
import { harmlessReference } from './gateway.ts';
import type { Pdu } from './pdu.ts';

/** The words for states, in the order of message_state. Source: SMPP 3.4, 5.2.28; SMPP 5.0, 4.7.15 for SCHEDULED and SKIPPED. */
const STATES = 'SCHEDULED ENROUTE DELIVRD EXPIRED DELETED UNDELIV ACCEPTD UNKNOWN REJECTD SKIPPED'.split(' ');

/** Including what vendors write in the place of the protocol's words. */
const STATUSES: ReadonlyMap<string, DeliveryReceipt['status']> = new Map(
  Object.entries({
    submitted: 'SCHEDULED ENROUTE ACCEPTD ACCEPTED BUFFERED BUFFRED SUBMITTED SUBMITD SENT',
    delivered: 'DELIVRD DELIVERED DELIVERD SUCCESS READ',
    failed: 'DELETED UNDELIV UNDELIVERED UNDELIVERABLE UNDELIVRD UNKNOWN REJECTD REJECTED SKIPPED FAILED',
    expired: 'EXPIRED',
  } as const).flatMap(([status, words]) => words.split(' ').map((word) => [word, status as DeliveryReceipt['status']])),
);

const TYPE_BITS = 0x3c;
const RECEIPT = 0x04;
const INTERMEDIATE = 0x20;

/**
 * The receipt in a deliver_sm or data_sm, from its TLVs or its text; undefined if there is none, or no id that a message can have. What is
 * worded like a receipt is one, because some SMS centers do not mark it. Without a mark, it must name a complete number, by which a message
 * from somebody's phone can only be about what that phone received. An intermediate notification is not final. Any other says at the end
 * what became of the message, so a word that we don't know means a failure, such as TEMPLATE-NOT-MATCHED, unless its error is 0. The code is
 * the SMS center's word for the state, followed by a colon and its error if it reported one.
 * Source: SMPP 3.4, 5.2.12 esm_class, 5.3.2.12 receipted_message_id, 5.3.2.35 message_state, 5.3.2.17 user_message_reference, 5.3.2.31
 * network_error_code, Appendix B for the text.
 */
export function deliveryReceipt(pdu: Pdu, onUnknown: (state: string) => void): DeliveryReceipt | undefined {
  const type = numberOf(pdu.esm_class) & TYPE_BITS;
  const named = untilNul(pdu.receipted_message_id);
  const text = receiptText(pdu);
  const id = harmlessReference(named || valueIn(text, 'id'));
  const word = STATES[numberOf(pdu.message_state, -1)] ?? valueIn(text, 'stat(?:us)?').toUpperCase();
  const error = valueIn(text, 'err') || networkError(pdu);
  const mobiles = [pdu.source_addr, pdu.destination_addr].flatMap(completeNumber);
  const isMarked = type === RECEIPT || type === INTERMEDIATE || named !== '';
  if (id === undefined || word === '' || !(isMarked || mobiles.length > 0)) return undefined;
  if (!STATUSES.has(word)) onUnknown(word);
  const unknown = /^0+$/.test(error) ? 'submitted' : 'failed';
  const [reference, ...references] = submittedIds(id);
  return {
    messageId: undefined,
    reference,
    hints: {
      references,
      mobiles,
      idEnd: typeof pdu.user_message_reference === 'number' ? pdu.user_message_reference : undefined,
    },
    status: type === INTERMEDIATE ? 'submitted' : (STATUSES.get(word) ?? unknown),
    code: error === '' ? word : `${word}:${error}`,
  };
}

/** Maximum length of an id in characters, including its terminator. Source: SMPP 3.4, 5.2.23. */
const LONGEST_ID = 65;

/** An id in the form used for comparison, without mere differences of notation. */
export const plainId = (id: string): string => id.toLowerCase().replace(/^0+(?=.)/, '');

/**
 * The ids under which submit_sm_resp may have accepted a message with this id in its receipt: most SMS centers write it the same way in
 * both, but some write it in hexadecimal in one of them and in decimal in the other.
 */
function submittedIds(receiptId: string): readonly string[] {
  const plain = plainId(receiptId);
  if (plain.length > LONGEST_ID) return [plain];
  const inHexadecimal = /^\d+$/.test(plain) ? [BigInt(plain).toString(16)] : [];
  const inDecimal = /^[0-9a-f]+$/.test(plain) ? [BigInt(`0x${plain}`).toString()] : [];
  return [plain, ...inHexadecimal, ...inDecimal];
}

function receiptText(pdu: Pdu): string {
  const octets = [pdu.short_message, pdu.message_payload].find((v) => Buffer.isBuffer(v) && v.length > 0);
  if (!Buffer.isBuffer(octets)) return '';
  const isUcs2 = numberOf(pdu.data_coding) === 0x08 && octets.length % 2 === 0;
  const text = isUcs2 ? Buffer.from(octets).swap16().toString('utf16le') : octets.toString('latin1');
  // The text of the message itself starts here.
  const own = text.search(/\btext:/i);
  return own === -1 ? text : text.slice(0, own);
}

/** The first word of the text behind a name, up to white space or a sign that no id has; empty if it is longer than an id may be. */
function valueIn(text: string, name: string): string {
  const word = new RegExp(`\\b${name}:\\s*([^\\s,;|\\0]+)`, 'i').exec(text)?.[1] ?? '';
  return word.length > LONGEST_ID ? '' : word;
}

/** Its first octet is the kind of network. */
const networkError = ({ network_error_code: octets }: Pdu): string =>
  Buffer.isBuffer(octets) && octets.length === 3 ? String(octets.readUInt16BE(1)) : '';

const numberOf = (value: unknown, otherwise = 0): number => (typeof value === 'number' ? value : otherwise);
/** A text that should end with NUL, as not every SMS center writes it. */
const untilNul = (value: unknown): string =>
  Buffer.isBuffer(value) ? (value.toString('latin1').split('\0', 1)[0] ?? '') : '';
/** The digits of an address, if it is a whole phone number: not the name of a sender, a short code, or a number with a masked part. */
const completeNumber = (address: unknown): string[] =>
  /^(?:[\s()+.-]*\d){8,20}$/.test(String(address)) ? [String(address).replace(/\D/g, '')] : [];
