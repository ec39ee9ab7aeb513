import type { DeliveryReceipt } from '../gateway.ts';
import type { DeliveryReport } from './delivery-report.ts';
import { type IdWriting, plainId, submittedId } from './message-id.ts';

/**
 * Records which message the reports of an SMS center are about, because each segment is reported under an id of its own. Kept only in
 * memory. For a message that an earlier process submitted, a report is passed on by its id alone; for a long one, the last segment's report
 * decides.
 */
export interface ReceiptBook {
  /** Opens the page of a message with this many segments. */
  open(message: { readonly id: number; readonly mobile: string }, segments: number): ReceiptPage;
  /**
   * Takes a report and passes on what it means for its message. Resolves when that is stored. If the message may still be identified by a
   * pending submission, it resolves immediately, because an SMS center may wait for us before it answers submissions.
   */
  receive(report: DeliveryReport): Promise<void>;
}

export interface ReceiptPage {
  /** A segment was accepted under this id. Has no effect after `close`. */
  accepted(id: string): void;
  /** The message was not sent as a whole, so reports about its segments have no meaning. */
  close(): void;
  /** No more answers are expected. */
  finish(): void;
}

interface Page {
  readonly messageId: number;
  readonly mobile: string;
  readonly segments: number;
  /** Normalized ids of segments. */
  readonly ids: Set<string>;
  /** Those that were delivered or have failed. */
  readonly ended: Set<string>;
  told: boolean;
}

/** Number of segments that a book remembers. The oldest are forgotten first. */
export const MAX_REMEMBERED = 50_000;
/** Number of reports that may wait for the answer to their submission, because they can overtake it. */
const MAX_EARLY = 1000;

interface EarlyReport {
  readonly report: DeliveryReport;
  /** Messages that were being submitted when the report arrived: it may be about one of them. */
  readonly candidates: Set<Page>;
}

const WRITINGS: readonly IdWriting[] = ['alike', 'receipt in decimal', 'receipt in hexadecimal'];

/** There is nobody left to notify: the SMS center has already been answered. */
const NOBODY_HEARS = (): void => {};

export function createReceiptBook(tell: (receipt: DeliveryReceipt) => void | Promise<void>): ReceiptBook {
  const pages = new Map<string, Page>();
  const underWay = new Set<Page>();
  const early = new Set<EarlyReport>();
  /** The notation in which this SMS center writes ids, as far as its receipts have shown. */
  let writing: IdWriting = 'alike';
  let isUpperCase = false;

  function pageOf(report: DeliveryReport): { page: Page; id: string } | undefined {
    for (const possible of [writing, ...WRITINGS]) {
      const id = submittedId(report.id, possible);
      const page = id === undefined ? undefined : pages.get(id);
      // The id of another message may look the same in another notation; the phone number distinguishes them.
      if (id === undefined || page === undefined || !isSameNumber(page.mobile, report.mobile)) continue;
      writing = possible;
      return { page, id };
    }
    // Some SMS centers write phone numbers differently, in which case the id alone must suffice.
    const id = plainId(report.id);
    const page = writing === 'alike' ? pages.get(id) : undefined;
    return page && { page, id };
  }

  async function tellOf({ page, id }: { page: Page; id: string }, { status, code }: DeliveryReport): Promise<void> {
    if (status !== 'submitted') page.ended.add(id);
    // If one segment fails, the whole message has failed.
    const isTheEnd = status !== 'submitted' && (status !== 'delivered' || page.ended.size === page.segments);
    const isNews = !page.told && (isTheEnd || status === 'submitted');
    if (isTheEnd) page.told = true;
    try {
      if (isNews) await tell({ messageId: page.messageId, reference: undefined, status, code });
    } catch (error) {
      // If the report is repeated, it counts as news again.
      if (isTheEnd) page.told = false;
      throw error;
    }
    if (page.ended.size === page.segments) for (const ended of page.ids) pages.delete(ended);
  }

  /** The id as written in the answer to its submission, if that is known. */
  function referenceOf(id: string): string {
    if (writing === 'alike') return id;
    const submitted = submittedId(id, writing) ?? id;
    return isUpperCase ? submitted.toUpperCase() : submitted;
  }

  const tellByReference = async ({ id, status, code, mobile, userReference }: DeliveryReport): Promise<void> =>
    tell({
      messageId: undefined,
      reference: referenceOf(id),
      ...(userReference !== undefined && { clue: { idEnd: userReference, mobile } }),
      status,
      code,
    });

  return {
    open: ({ id: messageId, mobile }, segments) => {
      const page: Page = { messageId, mobile, segments, ids: new Set(), ended: new Set(), told: false };
      let isClosed = false;
      underWay.add(page);
      return {
        accepted: (id) => {
          if (isClosed) return;
          const plain = plainId(id);
          if (/[a-f]/i.test(id)) isUpperCase = /[A-F]/.test(id);
          page.ids.add(plain);
          pages.set(plain, page);
          forgetOldest(pages, MAX_REMEMBERED);
          for (const each of early) {
            const found = pageOf(each.report);
            if (found?.page !== page) continue;
            early.delete(each);
            tellOf(found, each.report).catch(NOBODY_HEARS);
          }
        },
        close: () => {
          for (const id of page.ids) pages.delete(id);
          isClosed = true;
        },
        finish: () => {
          underWay.delete(page);
          for (const each of early) {
            each.candidates.delete(page);
            if (each.candidates.size > 0) continue;
            early.delete(each);
            tellByReference(each.report).catch(NOBODY_HEARS);
          }
        },
      };
    },
    receive: async (report) => {
      const found = pageOf(report);
      if (found !== undefined) {
        await tellOf(found, report);
        return;
      }
      if (underWay.size === 0 || early.size >= MAX_EARLY) await tellByReference(report);
      else early.add({ report, candidates: new Set(underWay) });
    },
  };
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}

/** Country codes may be added or dropped in transit, but the last 8 digits stay. */
function isSameNumber(a: string, b: string): boolean {
  const end = (number: string): string => number.replace(/\D/g, '').slice(-8);
  return end(a) === end(b);
}
