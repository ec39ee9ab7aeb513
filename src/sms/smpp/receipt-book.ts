import { type DeliveryReceipt, idEnd, isSameNumber } from '../../vocabulary/messages.ts';
import type { GatewayDependencies, OutgoingMessage, SendOutcome } from '../gateway.ts';
import type { DeliveryReport } from './delivery-report.ts';

/** A message that was handed to the SMS center, or is being handed to it. */
interface Page {
  readonly messageId: number;
  readonly mobile: string;
  readonly segmentCount: number;
  /** The ids under which segments were accepted, as `plainId` writes them. */
  readonly ids: Set<string>;
  /** Those that were delivered or have failed. */
  readonly ended: Set<string>;
  /** Whether its final status is stored. */
  isSettled: boolean;
}

/** Number of segments that a book remembers. The oldest are forgotten first. */
export const MAX_REMEMBERED = 50_000;
/** Number of reports that may wait for the answer to their submission, because they can overtake it. */
const MAX_EARLY = 1000;

/**
 * Records which message the reports of an SMS center are about, because each segment is reported under an id of its own. Kept only in
 * memory. For a message that an earlier process submitted, a report is passed on with its id and phone number; for a long one, the last
 * segment's report decides.
 */
export class ReceiptBook {
  readonly #passOn: GatewayDependencies['onReceipt'];
  readonly #pages = new Map<string, Page>();
  readonly #submissions = new Set<Promise<unknown>>();
  #early = 0;

  constructor(passOn: GatewayDependencies['onReceipt']) {
    this.#passOn = passOn;
  }

  /** Runs the submission of a message, which calls `accepted` with the id of each segment, and resolves with its outcome. */
  async record(
    { id: messageId, mobile }: Pick<OutgoingMessage, 'id' | 'mobile'>,
    segmentCount: number,
    submit: (accepted: (id: string) => void) => Promise<SendOutcome>,
  ): Promise<SendOutcome> {
    const page: Page = { messageId, mobile, segmentCount, ids: new Set(), ended: new Set(), isSettled: false };
    let isOpen = true;
    const submission = submit((id) => {
      if (isOpen) this.#remember(plainId(id), page);
    });
    this.#submissions.add(submission);
    try {
      const outcome = await submission;
      // It was not sent as a whole, so reports about its segments have no meaning. Only a single segment can still be accepted.
      if (outcome.kind !== 'submitted' && segmentCount > 1) {
        isOpen = false;
        for (const id of page.ids) this.#pages.delete(id);
      }
      return outcome;
    } finally {
      this.#submissions.delete(submission);
    }
  }

  /**
   * Takes a report and passes on what it means for its message. Resolves when that is stored. If it may be about a message whose submission
   * is not answered yet, it resolves immediately, because an SMS center may wait for us before it answers submissions.
   */
  async receive(report: DeliveryReport): Promise<void> {
    if (this.#pageOf(report) !== undefined || this.#submissions.size === 0 || this.#early >= MAX_EARLY) {
      return this.#passOnReport(report);
    }
    this.#early++;
    Promise.allSettled(this.#submissions)
      .then(() => this.#passOnReport(report))
      // There is nobody left to notify: the SMS center has already been answered.
      .catch(() => {})
      .finally(() => {
        this.#early--;
      });
  }

  #remember(id: string, page: Page): void {
    page.ids.add(id);
    this.#pages.set(id, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MAX_REMEMBERED && oldest !== undefined) this.#pages.delete(oldest);
  }

  /** The id of another message may look the same in another notation, and only the phone number distinguishes them. */
  #pageOf({ id, mobile, userReference }: DeliveryReport): { readonly page: Page; readonly id: string } | undefined {
    const found = submittedIds(id).flatMap((submitted) => {
      const page = this.#pages.get(submitted);
      return page !== undefined && isSameNumber(page.mobile, mobile) ? [{ page, id: submitted }] : [];
    });
    return found.find(({ page }) => idEnd(page.messageId) === userReference) ?? found[0];
  }

  async #passOnReport(report: DeliveryReport): Promise<void> {
    const found = this.#pageOf(report);
    await (found === undefined ? this.#passOn(receiptOf(report)) : this.#settle(found.page, found.id, report));
  }

  async #settle(page: Page, id: string, { status, code }: DeliveryReport): Promise<void> {
    if (status !== 'submitted') page.ended.add(id);
    const isLast = page.ended.size === page.segmentCount;
    // If one segment fails, the whole message has failed.
    const isFinal = status === 'failed' || status === 'expired' || (status === 'delivered' && isLast);
    if (!page.isSettled && (isFinal || status === 'submitted')) {
      // If this throws, the report will be repeated.
      await this.#passOn({ messageId: page.messageId, reference: undefined, status, code });
      page.isSettled ||= isFinal;
    }
    if (isLast) for (const each of page.ids) this.#pages.delete(each);
  }
}

/** For a report about a message that this process does not know. */
function receiptOf({ id, status, code, mobile, userReference }: DeliveryReport): DeliveryReceipt {
  const [reference, ...references] = submittedIds(id);
  return { messageId: undefined, reference, hints: { references, mobile, idEnd: userReference }, status, code };
}

/** Maximum length of an id in characters, including its terminator. Source: SMPP 3.4, 5.2.23. */
const LONGEST_ID = 65;

/** An id in the form used for comparison, without mere differences of notation. */
export const plainId = (id: string): string => id.toLowerCase().replace(/^0+(?=.)/, '');

/**
 * The ids under which submit_sm_resp may have accepted a message with this id in its receipt: most SMS centers write it the same way in
 * both, but some write it in hexadecimal in one of them and in decimal in the other.
 */
function submittedIds(receiptId: string): readonly string[] {
  const plain = plainId(receiptId);
  if (plain.length > LONGEST_ID) return [plain];
  const inHexadecimal = /^\d+$/.test(plain) ? [BigInt(plain).toString(16)] : [];
  const inDecimal = /^[0-9a-f]+$/.test(plain) ? [BigInt(`0x${plain}`).toString()] : [];
  return [plain, ...inHexadecimal, ...inDecimal];
}
