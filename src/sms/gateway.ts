/** A text message as a gateway gets it. */
export interface OutgoingMessage {
  /** SMSID: goes along as the client's reference, so that a receipt can name it and a gateway can know it again. */
  readonly id: number;
  /** E.164, with its plus sign. */
  readonly mobile: string;
  readonly text: string;
  readonly encoding: 'GSM-7' | 'UCS-2';
  /** Message class 0: shown at once and not kept. Source: 3GPP TS 23.038, 4. */
  readonly flash: boolean;
  /** Instant, ms, after which nobody wants it any more; undefined for never. */
  readonly expiresOn: number | undefined;
  /** The template's, for gateways of DLT countries: sender id, template id and principal entity id, up to 19 digits. */
  readonly header: string | undefined;
  readonly dltTemplateId: string | undefined;
  readonly principalEntityId: string | undefined;
}

/** Where a gateway listens. */
export interface GatewayAddress {
  readonly host: string;
  readonly port: number;
}

/** `code` is a word or number of the gateway, or ours; it never holds a number or a text of the message. */
export type SendOutcome =
  /** The gateway has it. `reference` is the gateway's own name for it, by which receipts may come. */
  | { readonly kind: 'submitted'; readonly reference: string | undefined }
  /** The gateway will never take this message: not to be sent again. */
  | { readonly kind: 'refused'; readonly code: string }
  /** The gateway does not take this message now; it was not handed over. */
  | { readonly kind: 'failed'; readonly code: string }
  /** Nobody answered after the message went out: it may have been taken. A receipt may still tell. */
  | { readonly kind: 'unknown'; readonly code: string }
  /** The gateway takes nothing at the moment: not reached, not logged in, or throttling. It was not handed over. */
  | { readonly kind: 'unavailable'; readonly code: string };

/** What became of a message that a gateway took. A name of the message is there. */
export interface DeliveryReceipt {
  /** SMSID. */
  readonly messageId: number | undefined;
  /** The gateway's own name for it. */
  readonly reference: string | undefined;
  /** Where the gateway gives back what little it was given: the last 16 bits of SMSID, and the digits of the phone. */
  readonly clue?: { readonly idEnd: number; readonly mobile: string } | undefined;
  readonly status: 'submitted' | 'delivered' | 'failed' | 'expired';
  readonly code: string | undefined;
}

/** Where text messages leave the house. One of it is chosen at start, in `choose-gateway.ts`. */
export interface Gateway {
  /** For the start message and the log; holds no secret. */
  readonly description: string;
  /** Hands a message over. Never rejects: what goes wrong is an outcome. */
  send(message: OutgoingMessage): Promise<SendOutcome>;
  /** Finishes what is on its way, then ends the connection. */
  close(): Promise<void>;
}

/** What a gateway works with, whatever its kind. */
export interface GatewayDependencies {
  /**
   * Told of receipts that come by the gateway's own connection. Resolves when the receipt is kept, and rejects if it can't be: who is able
   * to has it sent again. The same receipt may come twice.
   */
  readonly onReceipt: (receipt: DeliveryReceipt) => void | Promise<void>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Base URL under which status call-backs reach this service, without a slash at its end. */
  readonly baseUrl: string;
  /** Gateway events for the operator: no numbers, texts or secrets. */
  readonly report: (event: 'connected' | 'disconnected', code: string | undefined) => void;
}
