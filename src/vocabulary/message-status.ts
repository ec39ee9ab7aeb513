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
