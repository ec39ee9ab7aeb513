import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Log } from '../log/log.ts';
import { MOST_EVENTS, type ReadStatusCallback, STATUS_PATH } from '../messages/gateways/gateway.ts';
import { decodeLeniently } from '../vocabulary/decode-text.ts';
import type { DeliveryReceipt } from '../vocabulary/messages.ts';
import { answer, TEXT } from './answer.ts';
import type { Serve } from './exchange.ts';
import { readCallbackBody } from './read-body.ts';

export interface SmsStatusDependencies {
  /** Last part of the path, which proves that a call is the gateway's. */
  readonly secret: string;
  readonly readStatusCallback: ReadStatusCallback;
  /** Stores a receipt. Storing the same one twice changes nothing. It logs a receipt of an unknown message itself. */
  readonly receive: (receipt: DeliveryReceipt) => Promise<void>;
}

/** Where status callbacks are received. */
export const SMS_STATUS_PATH = `${STATUS_PATH}/:secret`;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Receives status callbacks of an HTTP gateway, GET or POST; some try the address by HEAD. Without the secret, it answers as if there were
 * nothing here. With it, the answer is 200 and OK whatever the call contains, because a provider whose calls are refused keeps calling, and
 * Kannel takes 204 for a refusal. The only errors are a receipt that could not be stored, and calls above the limit.
 */
export function createSmsStatus(
  { secret, readStatusCallback, receive }: SmsStatusDependencies,
  accepting: (serve: Serve) => RequestHandler,
  log: Log,
): RequestHandler {
  const expected = digest(secret);
  const take = accepting(async ({ request, response, query }) => {
    const body = await readCallbackBody(request, response);
    const receipts = readStatusCallback(query, decodeLeniently(body, request.headers['content-type']));
    if (receipts.length === 0) log.warn('status callback not understood');
    if (receipts.length === MOST_EVENTS) log.warn('status callback cut off', { count: MOST_EVENTS });
    for (const receipt of receipts) await receive(receipt);
    answer(response, 200, TEXT, 'OK');
  });
  return (request, response, next) => {
    if (timingSafeEqual(digest(String(request.params.secret)), expected)) return take(request, response, next);
    return next();
  };
}
