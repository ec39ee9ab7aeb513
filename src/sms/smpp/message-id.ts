/**
 * Some SMS centers write a message's id in hexadecimal in submit_sm_resp and in decimal in the receipt, or the other way round. Those
 * who write it alike are the rule.
 */
export type IdWriting = 'alike' | 'receipt in decimal' | 'receipt in hexadecimal';

/** How submit_sm_resp would have written, if the receipt is written as said, the id of a receipt; undefined if it can't be so written. */
export function submittedId(receiptId: string, writing: IdWriting): string | undefined {
  if (writing === 'alike') return plainId(receiptId);
  if (receiptId.length > LONGEST) return undefined;
  if (writing === 'receipt in decimal') return /^\d+$/.test(receiptId) ? BigInt(receiptId).toString(16) : undefined;
  return /^[0-9a-f]+$/i.test(receiptId) ? BigInt(`0x${receiptId}`).toString() : undefined;
}

/** An id as it is compared: without what only writes it otherwise. */
export const plainId = (id: string): string => id.toLowerCase().replace(/^0+(?=.)/, '');

/** Characters of an id, with its end. Source: SMPP 3.4, 5.2.23. */
const LONGEST = 65;
