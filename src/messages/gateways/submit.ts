import { idEnd } from '../../vocabulary/messages.ts';
import { twoDigits } from '../../vocabulary/wall-minute.ts';
import { gsm7Septets, splitMessage } from '../sms-text.ts';
import type { OutgoingMessage, SendFate } from './gateway.ts';
import { type PduFields, statusName } from './pdu.ts';

const UDH_INDICATOR = 0x40;
/** Requests a receipt for every final state, success or failure: of a long message for its last segment, which stands for the others. */
const RECEIPT_AT_THE_END = 1;

/**
 * The fields of each submit_sm that a message needs, in the order of its segments, which are those that `splitMessage` counts. `now` is an
 * instant, ms; `sender` is for messages without a header of their own.
 * Source: SMPP 3.4, 4.4.1 submit_sm and 5.2; 3GPP TS 23.040, 9.2.3.24.1 concatenated short messages.
 */
export function submitFields(message: OutgoingMessage, sender: string | undefined, now: number): readonly PduFields[] {
  const { encoding, segments } = splitMessage(message.text);
  const octetsOf = (part: string): Buffer =>
    encoding === 'GSM-7' ? Buffer.from(gsm7Septets(part)) : Buffer.from(part, 'utf16le').swap16();
  const common: PduFields = {
    ...sourceAddress(message.header ?? sender),
    dest_addr_ton: 1,
    dest_addr_npi: 1,
    destination_addr: message.mobile.replace(/^\+/, ''),
    data_coding: dataCoding(encoding, message.flash),
    validity_period: validityPeriod(message.expiresOn, now),
    // 16 bits, so this is not a key. Together with the phone number, a receipt that contains it is a clue to a message whose response was
    // lost.
    user_message_reference: idEnd(message.id),
    ...(message.principalEntityId !== undefined && { dlt_principal_entity_id: message.principalEntityId }),
    ...(message.dltTemplateId !== undefined && { dlt_template_id: message.dltTemplateId }),
  };
  const last = { ...common, registered_delivery: RECEIPT_AT_THE_END };
  if (segments.length === 1) return [{ ...last, short_message: octetsOf(message.text) }];
  return segments.map((segment, index) => ({
    ...(index === segments.length - 1 ? last : common),
    esm_class: UDH_INDICATOR,
    // Element 0x00: 8-bit reference, number of segments, number of this one. The reference stays the same in a second attempt, so that the
    // phone can combine segments from both.
    short_message: Buffer.concat([
      Buffer.of(5, 0x00, 3, message.id & 0xff, segments.length, index + 1),
      octetsOf(segment),
    ]),
  }));
}

/** Class 0 requires a coding that specifies a class. Source: 3GPP TS 23.038, 4; SMPP 3.4, 5.2.19. */
const dataCoding = (encoding: 'GSM-7' | 'UCS-2', flash: boolean): number =>
  (encoding === 'UCS-2' ? 0x08 : 0x00) | (flash ? 0x10 : 0x00);

/**
 * Type and numbering plan, derived from the form: a full number, a short code, a name, or whatever the SMS center inserts. Source: SMPP
 * 3.4, 5.2.5 and 5.2.6.
 */
export function sourceAddress(sender: string | undefined): PduFields {
  if (sender === undefined) return { source_addr_ton: 0, source_addr_npi: 0, source_addr: '' };
  const digits = /^\+?(\d+)$/.exec(sender)?.[1];
  if (digits === undefined) return { source_addr_ton: 5, source_addr_npi: 0, source_addr: sender };
  const isShortCode = !sender.startsWith('+') && digits.length <= 6;
  return { source_addr_ton: isShortCode ? 0 : 1, source_addr_npi: 1, source_addr: digits };
}

/**
 * The remaining time in the relative format, which does not require synchronized clocks; at least one second. Empty (as long as the SMS
 * center keeps messages) if the message never expires. Source: SMPP 3.4, 7.1.1.
 */
export function validityPeriod(expiresOn: number | undefined, now: number): string {
  if (expiresOn === undefined) return '';
  const seconds = Math.max(1, Math.floor((expiresOn - now) / 1000));
  // No mode of ours lasts a day.
  const fields = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `000000${fields.map(twoDigits).join('')}000R`;
}

/** The SMS center currently accepts nothing, either from us or from anyone. The last one: we are not bound, from its point of view. */
const UNAVAILABLE: readonly string[] = ['ESME_RTHROTTLED', 'ESME_RMSGQFUL', 'ESME_RINVBNDSTS'];
/** Those of them that ask for a slower pace. */
export const THROTTLING = UNAVAILABLE.slice(0, 2);

/** The response to this message would be the same each time. */
const REFUSED = ['ESME_RINVMSGLEN', 'ESME_RINVDSTADR', 'ESME_RINVDSTADDRSUBUNIT', 'ESME_RX_P_APPN', 'ESME_RX_R_APPN'];

/** What our settings and templates decide, never the caller: the bind, the sender, and what we write into every message. */
const ACCOUNT = /^ESME_R(?:INV(?!MSGID)|TLV|MISSINGTLV|SERTYP|PROHIBITED|BINDFAIL)/;

/**
 * What a status of submit_sm_resp or generic_nack other than 0 means for the message. An unknown status (vendors have many) is treated as
 * temporary: the message is tried again until its attempts are used up. Source: SMPP 3.4, 5.1.3.
 */
export function submitRefusal(status: number): SendFate {
  const code = statusName(status);
  if (UNAVAILABLE.includes(code)) return { kind: 'unavailable', code };
  if (REFUSED.includes(code)) return { kind: 'refused', code };
  return { kind: ACCOUNT.test(code) ? 'account' : 'failed', code };
}
