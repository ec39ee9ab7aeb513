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

/** The name of the gateway `SMS_GATEWAY=file:…`, in the start message and in each message that it accepted. */
export const fileGatewayName = (path: string): string => `file ${path}`;

/**
 * Whether a message was written to a file, and therefore sent to no phone. `gateway` is the message's gateway, or null if none has accepted
 * it yet.
 */
export const isFileGateway = (gateway: string | null): boolean => gateway?.startsWith(fileGatewayName('')) === true;
