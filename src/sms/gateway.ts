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
  readonly expiresOn: number | undefined;
  /** From the template, for gateways in DLT countries: sender id, template id and principal entity id, up to 19 digits. */
  readonly header: string | undefined;
  readonly dltTemplateId: string | undefined;
  readonly principalEntityId: string | undefined;
}

/** Where a gateway listens. */
export interface GatewayAddress {
  readonly host: string;
  readonly port: number;
}

/** `code` is a word or number from the gateway, or one of ours; it never contains a phone number or text of the message. */
export type SendOutcome =
  /** The gateway has accepted it. `reference` is the gateway's own id for it, which receipts may contain. */
  | { readonly kind: 'submitted'; readonly reference: string | undefined }
  /** The gateway will never accept this message, so it must not be sent again. */
  | { readonly kind: 'refused'; readonly code: string }
  /** The gateway does not accept this message now; it was not handed over. */
  | { readonly kind: 'failed'; readonly code: string }
  /** No answer arrived after the message was sent, so it may have been accepted. A receipt may still show whether it was. */
  | { readonly kind: 'unknown'; readonly code: string }
  /** The gateway accepts nothing at the moment: unreachable, not logged in, or throttling. The message was not handed over. */
  | { readonly kind: 'unavailable'; readonly code: string };

/** The outcome of a message that a gateway accepted. At least one id of the message is present. */
export interface DeliveryReceipt {
  /** SMSID. */
  readonly messageId: number | undefined;
  /** The gateway's own id for it. */
  readonly reference: string | undefined;
  /** For gateways that return only part of what they were sent: the last 16 bits of SMSID, and the digits of the phone number. */
  readonly clue?: { readonly idEnd: number; readonly mobile: string } | undefined;
  readonly status: 'submitted' | 'delivered' | 'failed' | 'expired';
  readonly code: string | undefined;
}

/** The way by which text messages leave the hospital. One gateway is chosen at start, in `choose-gateway.ts`. */
export interface Gateway {
  /** For the start message and the log; contains no secret. */
  readonly description: string;
  /** Hands a message over. Never rejects: a failure is an outcome. */
  send(message: OutgoingMessage): Promise<SendOutcome>;
  /** Finishes what is in flight, then ends the connection. */
  close(): Promise<void>;
}

/** What every kind of gateway requires. */
export interface GatewayDependencies {
  /**
   * Called with receipts that arrive over the gateway's own connection. Resolves when the receipt is stored, and rejects if it cannot be,
   * so that a gateway that supports it can have it sent again. The same receipt may arrive twice.
   */
  readonly onReceipt: (receipt: DeliveryReceipt) => void | Promise<void>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** At least 0 and below 1. */
  readonly random: () => number;
  /** Base URL at which status callbacks reach this service, without a trailing slash. */
  readonly baseUrl: string;
  /** Gateway events for the operator: no phone numbers, texts or secrets. */
  readonly report: (event: 'connected' | 'disconnected', code: string | undefined) => void;
}
