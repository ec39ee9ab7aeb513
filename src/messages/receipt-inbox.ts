import type { ReceiptMatch } from '../store/queries/message-receipt.ts';
import { OUTBOX_KEY } from '../store/store-keys.ts';
import { isUnavailable } from '../vocabulary/errors.ts';
import type { DeliveryReceipt } from '../vocabulary/messages.ts';
import { harmlessCode } from './gateways/gateway.ts';
import type { OutboxDependencies } from './outbox-settings.ts';

/** How long a receipt waits for its message: a gateway may be faster than we are at recording its id for the message. */
const PATIENCE_MS = 60_000;
/** Interval between two lookups of the messages of waiting receipts. */
const PAUSE_MS = 1000;
/** A limit, so that a gateway that sends receipts for other programs' messages cannot fill the memory. */
const MOST_WAITING_RECEIPTS = 1000;
/** Receipts that are looked up again at a time: each costs a search, during which nobody else has the outbox. */
const MOST_RETRIED = 100;
/** Log lines about such receipts per minute. */
const MOST_LOGGED = 100;

const NO_MATCH: Partial<ReceiptMatch> & Pick<ReceiptMatch, 'isFitting'> = { isFitting: false };

/** Records receipts, whichever process receives them. */
export class ReceiptInbox {
  readonly #deps: OutboxDependencies;
  readonly #mayLog: (code: 'receipt') => boolean;
  readonly #waiting: { readonly receipt: DeliveryReceipt; readonly until: number }[] = [];
  #retryOn = 0;

  constructor(dependencies: OutboxDependencies) {
    this.#deps = dependencies;
    this.#mayLog = dependencies.budgets.perCode(MOST_LOGGED, 'receipts of unknown messages not logged');
  }

  /**
   * Resolves with true when the receipt is stored, or with false if it has to wait for its message. Throws what the store throws; the receipt
   * waits then as well, because the gateway may be unable to send it again.
   */
  async receive(receipt: DeliveryReceipt): Promise<boolean> {
    let known = false;
    try {
      known = (await this.#record(receipt)).isFitting;
    } catch (error) {
      this.#deps.log.warn('receipt waits for the database', { error });
      throw error;
    } finally {
      if (!known) this.#wait(receipt);
    }
    return known;
  }

  /** Retries waiting receipts in turn, once per second. One that has waited too long is not for one of our messages. */
  async retry(): Promise<void> {
    const now = this.#deps.stopwatch();
    if (this.#waiting.length === 0 || now < this.#retryOn) return;
    this.#retryOn = now + PAUSE_MS;
    for (let left = Math.min(MOST_RETRIED, this.#waiting.length); left > 0; left--) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const { receipt, until } = first;
      const { isFitting, messageId } = await this.#record(receipt).catch((error) => {
        if (isUnavailable(error)) throw error;
        // One that the database refuses waits no longer than one of an unknown message.
        return NO_MATCH;
      });
      this.#waiting.shift();
      if (!isFitting && now < until) this.#waiting.push(first);
      else if (!isFitting) this.#giveUp(receipt, messageId);
    }
  }

  #wait(receipt: DeliveryReceipt): void {
    if (this.#waiting.length >= MOST_WAITING_RECEIPTS) this.#giveUp(receipt);
    else this.#waiting.push({ receipt, until: this.#deps.stopwatch() + PATIENCE_MS });
  }

  /** `stranger`: the SMSID of a message with its id, but of another phone. */
  #giveUp({ messageId, reference, code }: DeliveryReceipt, stranger?: number): void {
    if (!this.#mayLog('receipt')) return;
    const event = stranger === undefined ? 'receipt of an unknown message' : "receipt does not fit the message's phone";
    this.#deps.log.warn(event, {
      messageId: messageId ?? stranger,
      // The ids that providers assign look like this, and a text does not. One that may be a phone number is left out.
      reference: /^(?!\d{7,15}$)[\w.:-]{1,128}$/.exec(reference ?? '')?.[0],
      code: harmlessCode(code),
    });
  }

  /** Its message. */
  async #record(receipt: DeliveryReceipt): Promise<typeof NO_MATCH> {
    const { store, log, clock } = this.#deps;
    const code = harmlessCode(receipt.code);
    const match = await store.write(({ messages }) => messages.receive({ ...receipt, code }, clock()), [OUTBOX_KEY]);
    const { status } = receipt;
    const level = status === 'failed' || status === 'expired' ? 'warn' : 'info';
    if (match?.isFitting)
      log[level](`message ${status} according to its receipt`, { messageId: match.messageId, code });
    return match ?? NO_MATCH;
  }
}
