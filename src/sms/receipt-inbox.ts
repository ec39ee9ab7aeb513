import type { ReceiptMatch } from '../store/queries/message-receipt.ts';
import { OUTBOX_KEY } from '../store/store-keys.ts';
import { isUnavailable } from '../vocabulary/errors.ts';
import type { DeliveryReceipt } from '../vocabulary/messages.ts';
import { harmlessCode } from './gateway.ts';
import type { OutboxDependencies } from './outbox-settings.ts';

/** How long a receipt waits for its message: a gateway may be faster than we are at recording its id for the message. */
const PATIENCE_MS = 60_000;
/** Interval between two lookups of the messages of waiting receipts. */
const PAUSE_MS = 1000;
/** A limit, so that a gateway that sends receipts for other programs' messages cannot fill the memory. */
const MOST_WAITING_RECEIPTS = 1000;
/** Receipts that one transaction looks up again: it keeps the outbox from whoever sends, and each costs a search. */
const MOST_RETRIED = 100;
/** Log lines about such receipts per minute. */
const MOST_LOGGED = 100;

type Matches = readonly (ReceiptMatch | undefined)[];
const NO_MATCH: Partial<ReceiptMatch> & Pick<ReceiptMatch, 'isFitting'> = { isFitting: false };

/** Records receipts, whichever process receives them. */
export class ReceiptInbox {
  readonly #deps: OutboxDependencies;
  readonly #mayLog: (code: 'receipt') => boolean;
  #waiting: { readonly receipt: DeliveryReceipt; readonly until: number }[] = [];
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
      [{ isFitting: known } = NO_MATCH] = await this.#record([receipt]);
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
    const waiting = this.#waiting.slice(0, MOST_RETRIED);
    const receipts = waiting.map(({ receipt }) => receipt);
    const matches = await this.#record(receipts).catch((error) => this.#recordEach(receipts, error));
    const unknown = waiting.filter(({ receipt, until }, index) => {
      const { isFitting, messageId } = matches[index] ?? NO_MATCH;
      if (!isFitting && now >= until) this.#giveUp(receipt, messageId);
      return !isFitting;
    });
    this.#waiting = [...this.#waiting.slice(waiting.length), ...unknown.filter(({ until }) => now < until)];
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

  /** One that the database refuses must not hold up the others, and waits no longer than one of an unknown message. */
  async #recordEach(receipts: readonly DeliveryReceipt[], failure: unknown): Promise<Matches> {
    if (isUnavailable(failure)) throw failure;
    const matches: (ReceiptMatch | undefined)[] = [];
    for (const receipt of receipts) matches.push(...(await this.#record([receipt]).catch(() => [undefined])));
    return matches;
  }

  /** The message of each of them. */
  async #record(receipts: readonly DeliveryReceipt[]): Promise<Matches> {
    const { store, log, clock } = this.#deps;
    const now = clock();
    const matches = await store.write(
      async ({ messages }) => {
        const found: (ReceiptMatch | undefined)[] = [];
        for (const receipt of receipts) {
          found.push(await messages.receive({ ...receipt, code: harmlessCode(receipt.code) }, now));
        }
        return found;
      },
      [OUTBOX_KEY],
    );
    for (const [index, { status, code }] of receipts.entries()) {
      const { isFitting, messageId } = matches[index] ?? NO_MATCH;
      const level = status === 'failed' || status === 'expired' ? 'warn' : 'info';
      if (isFitting) log[level](`message ${status} according to its receipt`, { messageId, code: harmlessCode(code) });
    }
    return matches;
  }
}
