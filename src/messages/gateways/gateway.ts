import type { Machine } from '../../vocabulary/machine.ts';
import type { DeliveryReceipt } from '../../vocabulary/messages.ts';

/** A text message as it is handed to a gateway. */
export interface OutgoingMessage {
  /** SMSID: sent as the client's reference, so that a receipt can contain it and a gateway can recognize a duplicate. */
  readonly id: number;
  /** E.164, with its plus sign. */
  readonly mobile: string;
  readonly text: string;
  readonly encoding: 'GSM-7' | 'UCS-2';
  /** Message class 0: displayed immediately and not stored. Source: 3GPP TS 23.038, 4. */
  readonly flash: boolean;
  /** Instant, ms, after which the message is no longer wanted; undefined if it never expires. */
  readonly expiresOn?: number | undefined;
  /** From the template, for gateways in DLT countries: sender id, template id and principal entity id, up to 19 digits. */
  readonly header?: string | undefined;
  readonly dltTemplateId?: string | undefined;
  readonly principalEntityId?: string | undefined;
}

/** Where a gateway listens. */
export interface GatewayAddress {
  readonly host: string;
  readonly port: number;
  /** TLS; the certificate is checked against the authorities that Node trusts. */
  readonly tls: boolean;
}

/**
 * `submitted`: the gateway has accepted the message. `reference` is its own id for it, which receipts may contain.
 * `refused`: it will never accept this message, which must not be sent again.
 * `failed`: it does not accept this message now; it was not handed over.
 * `unknown`: no answer arrived after the message was sent, so it may have been accepted. A receipt may still show whether it was.
 * `not-understood`: an answer arrived, but we cannot tell what it means. It may have been accepted, and the next answer may be the same.
 * `account`: it refuses the message because of the account or our settings, so it may refuse all others. The message was not handed over.
 * `unavailable`: it accepts nothing at the moment: unreachable, not logged in, or throttling. The message was not handed over.
 *
 * `code` is a word or number from the gateway, or one of ours; it never contains a phone number or text of the message.
 */
export type SendFate =
  | { readonly kind: 'submitted'; readonly reference: string | undefined }
  | {
      readonly kind: 'refused' | 'failed' | 'unknown' | 'not-understood' | 'account' | 'unavailable';
      readonly code: string;
    };

/** The way by which text messages leave the hospital. */
export interface Gateway {
  /** Hands a message over. A failure is a fate; only a defect rejects, and then nobody knows whether the gateway has the message. */
  send(message: OutgoingMessage): Promise<SendFate>;
  /** Ends the connection. Whoever closes a gateway has waited for the messages that it is sending, or gives up on them. */
  close(): Promise<void>;
}

/** Of a message that a process has claimed and may not submit any longer. */
export const NOT_HELD: SendFate = { kind: 'unavailable', code: 'not-held' };

/** A gateway that was chosen and checked but is not connected yet: only the process that works on the outbox connects. */
export interface ChosenGateway {
  /** For the start message and the log; contains no secret. */
  readonly description: string;
  /** Where it listens; undefined for a file. */
  readonly address?: GatewayAddress;
  /** The receipts in a status callback, none if it contains nothing that is recognized; undefined if the gateway sends no callbacks. */
  readonly readStatusCallback?: ReadStatusCallback | undefined;
  open(dependencies: GatewayDependencies): Gateway;
}

/** `query`: that of the URL, without the question mark. */
export type ReadStatusCallback = (query: string, body: string) => readonly DeliveryReceipt[];

/** Events of a callback that are read. */
export const MOST_EVENTS = 1000;

/** Path of status callbacks, followed by the secret. */
export const STATUS_PATH = '/sms/status';

/** What every kind of gateway requires. */
export interface GatewayDependencies extends Pick<Machine, 'clock' | 'stopwatch' | 'random' | 'environment'> {
  /** Segments per second. */
  readonly rate: number;
  /**
   * Called with receipts that arrive over the gateway's own connection. Resolves when the receipt is stored, and rejects if it cannot be,
   * so that a gateway that supports it can have it sent again. The same receipt may arrive twice.
   */
  readonly onReceipt: (receipt: DeliveryReceipt) => void | Promise<void>;
  /** Asked at the moment of each submission: false if another process may send the message by now, so that this one must not. */
  readonly maySubmit: () => boolean;
  /** Base URL at which status callbacks reach this service, without a trailing slash. */
  readonly baseUrl: string;
  /** Gateway events for the operator: no phone numbers, texts or secrets. */
  readonly report: (event: GatewayEvent, code: string | undefined) => void;
}

type GatewayEvent =
  | 'connected'
  | 'disconnected'
  | 'sent a receipt of an unknown state'
  | 'sent a message that is no receipt';

/**
 * An external code, if it may be logged and stored: a short word or number. Codes that are longer than the words of
 * OpenSSL and of DLT, or that contain as many digits as a phone number, are omitted.
 */
export const harmlessCode = (code: string | undefined): string | undefined =>
  code !== undefined && /^[\w.:-]{1,50}$/.test(code) && !/\d{7}/.test(code) ? code : undefined;

/** Why a connection failed, as an external code: Node's, by the name of OpenSSL's reason where Node has none for it, or `closed`. */
export function connectionCode(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const [, reason] = code === 'EPROTO' ? (/:SSL routines:[^:]*:([\w ]+):/.exec(message) ?? []) : [];
  return (
    harmlessCode(reason && `ERR_SSL_${reason.replaceAll(' ', '_').toUpperCase()}`) ?? harmlessCode(code) ?? 'closed'
  );
}

/** The provider's id for a message: 1 to 128 visible ASCII characters, otherwise undefined. */
export function harmlessReference(reference: string | undefined): string | undefined {
  const trimmed = reference?.trim();
  return trimmed !== undefined && /^[\x21-\x7e]{1,128}$/.test(trimmed) ? trimmed : undefined;
}
