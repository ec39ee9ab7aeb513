/**
 * Some SMS centers write a message's id in hexadecimal in submit_sm_resp and in decimal in the receipt, or vice versa. Most of them write
 * it the same way in both.
 */
export type IdWriting = 'alike' | 'receipt in decimal' | 'receipt in hexadecimal';

/** A receipt's id as submit_sm_resp would have written it, if receipts use the given notation; undefined if that is impossible. */
export function submittedId(receiptId: string, writing: IdWriting): string | undefined {
  if (writing === 'alike') return plainId(receiptId);
  if (receiptId.length > LONGEST) return undefined;
  if (writing === 'receipt in decimal') return /^\d+$/.test(receiptId) ? BigInt(receiptId).toString(16) : undefined;
  return /^[0-9a-f]+$/i.test(receiptId) ? BigInt(`0x${receiptId}`).toString() : undefined;
}

/** An id in the form used for comparison, without mere differences of notation. */
export const plainId = (id: string): string => id.toLowerCase().replace(/^0+(?=.)/, '');

/** Maximum length of an id in characters, including its terminator. Source: SMPP 3.4, 5.2.23. */
const LONGEST = 65;
