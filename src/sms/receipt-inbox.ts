import type { Budgets } from '../log/budgets.ts';
import type { Log } from '../log/log.ts';
import type { Store } from '../store/store.ts';
import { OUTBOX_KEY } from '../store/store-keys.ts';
import { type DeliveryReceipt, harmlessCode } from './gateway.ts';

/** How long a receipt waits for its message, in ms: a gateway may be faster than we are at recording its id for the message. */
const PATIENCE = 60_000;
/** Milliseconds between two lookups of the messages of waiting receipts. */
const PAUSE = 1000;
/** A limit, so that a gateway that sends receipts for other programs' messages cannot fill the memory. */
const MOST = 1000;

/** Log lines about such receipts per minute. */
const MOST_LOGGED = 100;

interface Waiting {
  readonly receipt: DeliveryReceipt;
  readonly until: number;
}

interface ReceiptInboxDependencies {
  readonly store: Store;
  readonly log: Log;
  readonly clock: () => number;
  readonly budgets: Budgets;
}

/** Records receipts, whichever process receives them. */
export class ReceiptInbox {
  readonly #store: Store;
  readonly #log: Log;
  readonly #clock: () => number;
  readonly #mayLog: (code: 'receipt') => boolean;
  #waiting: Waiting[] = [];
  #lookOn = 0;

  constructor({ store, log, clock, budgets }: ReceiptInboxDependencies) {
    this.#store = store;
    this.#log = log;
    this.#clock = clock;
    this.#mayLog = budgets.perCode(MOST_LOGGED, 'receipts of unknown messages not logged');
  }

  /** Resolves with true when the receipt is stored, or with false if it has to wait for its message. Throws what the store throws. */
  async receive(receipt: DeliveryReceipt): Promise<boolean> {
    const [known = false] = await this.#write([receipt]);
    if (!known) this.#wait(receipt);
    return known;
  }

  /**
   * Like `receive`, for gateways that may be unable to send a receipt again: a receipt that the store rejects waits as well, if there is
   * room.
   */
  async receiveOnce(receipt: DeliveryReceipt): Promise<void> {
    try {
      await this.receive(receipt);
    } catch (error) {
      this.#log.warn('receipt waits for the database', { error });
      if (this.#waiting.length < MOST) this.#wait(receipt);
      throw error;
    }
  }

  /** Retries waiting receipts once per second. One that has waited too long is not for one of our messages. */
  async retry(): Promise<void> {
    const now = this.#clock();
    if (this.#waiting.length === 0 || (now < this.#lookOn && this.#lookOn - now <= PAUSE)) return;
    this.#lookOn = now + PAUSE;
    const waiting = [...this.#waiting];
    const known = await this.#write(waiting.map(({ receipt }) => receipt));
    const unknown = waiting.filter((_, index) => !known[index]);
    for (const { receipt, until } of unknown) if (now >= until) this.#giveUp(receipt);
    this.#waiting = [...unknown.filter(({ until }) => now < until), ...this.#waiting.slice(waiting.length)];
  }

  #wait(receipt: DeliveryReceipt): void {
    if (this.#waiting.length < MOST) this.#waiting.push({ receipt, until: this.#clock() + PATIENCE });
    else this.#giveUp(receipt);
  }

  #giveUp(receipt: DeliveryReceipt): void {
    if (this.#mayLog('receipt')) this.#log.warn('receipt of an unknown message', codeOf(receipt));
  }

  /** Whether each of them has a message. */
  async #write(receipts: readonly DeliveryReceipt[]): Promise<readonly boolean[]> {
    const now = this.#clock();
    const ids = await this.#store.write(
      async ({ messages }) => {
        const found: (number | undefined)[] = [];
        for (const receipt of receipts) {
          found.push(await messages.receive({ ...receipt, code: codeOf(receipt).code, now }));
        }
        return found;
      },
      [OUTBOX_KEY],
    );
    for (const [index, messageId] of ids.entries()) {
      const receipt = receipts[index];
      if (messageId === undefined || receipt === undefined) continue;
      this.#log.info(`message ${receipt.status} according to its receipt`, { messageId, ...codeOf(receipt) });
    }
    return ids.map((id) => id !== undefined);
  }
}

function codeOf({ code }: DeliveryReceipt): { code?: string } {
  const harmless = harmlessCode(code);
  return harmless === undefined ? {} : { code: harmless };
}
