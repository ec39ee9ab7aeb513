/**
 * The statuses of a text message, one number each. Clients see the numbers and names, and the outbox stores the numbers, so a number is
 * never reused. Source: the status of Sent_SMS in the WSDL.
 */
export const MessageStatus = {
  Queued: 1,
  Sending: 2,
  Submitted: 3,
  Delivered: 4,
  Failed: 5,
  Expired: 6,
  Rejected: 7,
  /** Its retries are used up. */
  Dead: 8,
} as const;

/** What somebody has to look at if it happens often: Expired is what the caller wanted. */
export const UNDELIVERED: readonly number[] = [MessageStatus.Failed, MessageStatus.Rejected, MessageStatus.Dead];

/** The name of the gateway `SMS_GATEWAY=file:…`, in the start message and in each message that it accepted. */
export const fileGatewayName = (path: string): string => `file ${path}`;

/**
 * Whether a message was written to a file, and therefore sent to no phone. `gateway` is the message's gateway, or null if none has accepted
 * it yet.
 */
export const isFileGateway = (gateway: string | null): boolean => gateway?.startsWith(fileGatewayName('')) === true;

/** The order in which waiting messages are sent: the highest first. */
export const MessagePriority = {
  OneTimePassword: 1,
  Normal: 0,
  /** Nobody waits for these. A night's are held until their hours begin, and must not delay what somebody waits for. */
  Promotional: -1,
} as const;

export type Priority = (typeof MessagePriority)[keyof typeof MessagePriority];
export const MESSAGE_PRIORITIES: readonly Priority[] = Object.values(MessagePriority);

/** As many of a client's messages may wait as are sent in this time. Each call counts them. */
export const LONGEST_WAIT_SECONDS: Readonly<Record<Priority, number>> = {
  [MessagePriority.OneTimePassword]: 5,
  [MessagePriority.Normal]: 60,
  [MessagePriority.Promotional]: 600,
};

/** From gateways that may write their id differently in a receipt, or return only part of what they were sent. */
interface ReceiptHints {
  /**
   * The complete phone numbers that it names, as digits, maybe without a country code: the message's own must be among them, unless there is
   * none, because the gateway masks it or leaves it out.
   */
  readonly mobiles: readonly string[];
  /** What else the gateway's id may have been when it accepted the message; at most two. */
  readonly references: readonly string[];
  /** The last 16 bits of the SMSID; counts only for a message for which no id of the gateway was recorded. */
  readonly idEnd: number | undefined;
}

/** The fate of a message that a gateway accepted. At least one id of the message is present. */
export interface DeliveryReceipt {
  /** SMSID. */
  readonly messageId: number | undefined;
  /** The gateway's own id for it. */
  readonly reference: string | undefined;
  readonly hints?: ReceiptHints | undefined;
  readonly status: 'submitted' | 'delivered' | 'failed' | 'expired';
  readonly code: string | undefined;
}

/** The part of an SMSID that SMPP's user_message_reference has room for. */
export const idEnd = (messageId: number): number => messageId & 0xffff;

/** Whether two phone numbers may be the same: country codes may be added or dropped in transit, but the last 8 digits stay. */
export function isSameNumber(a: string, b: string): boolean {
  const end = (number: string): string => number.replace(/\D/g, '').slice(-8);
  return end(a) === end(b);
}
