import type { DeliveryReceipt } from '../gateway.ts';
import type { DeliveryReport } from './delivery-report.ts';
import { type IdWriting, plainId, submittedId } from './message-id.ts';

/**
 * Knows which message the reports of an SMS center are about: it reports each segment by an id of its own. What it knows is in memory.
 * For a message that an earlier process submitted, a report goes on by its id alone; of a long one, the last segment's then decides.
 */
export interface ReceiptBook {
  /** Opens the page of a message of so many segments. */
  open(message: { readonly id: number; readonly mobile: string }, segments: number): ReceiptPage;
  /** Takes a report, and tells what it means for its message. Resolves when that is kept. */
  receive(report: DeliveryReport): Promise<void>;
}

export interface ReceiptPage {
  /** A segment was accepted under this id. After `close` it means nothing. */
  accepted(id: string): void;
  /** The message did not go as a whole, and reports of its segments mean nothing. */
  close(): void;
}

interface Page {
  readonly messageId: number;
  readonly mobile: string;
  readonly segments: number;
  /** Ids of segments, plain. */
  readonly ids: Set<string>;
  /** Those of them that were delivered, or failed. */
  readonly ended: Set<string>;
  told: boolean;
}

/** Segments that a book remembers; the oldest are forgotten first. */
export const MAX_REMEMBERED = 50_000;
/** Reports that may wait for the answer to their submission, which they can overtake. */
const MAX_EARLY = 1000;
const OTHER_WRITINGS: readonly IdWriting[] = ['receipt in decimal', 'receipt in hexadecimal'];

export function createReceiptBook(tell: (receipt: DeliveryReceipt) => void | Promise<void>): ReceiptBook {
  const pages = new Map<string, Page>();
  const early = new Map<string, DeliveryReport>();
  /** How this SMS center writes ids, as far as its receipts have shown. */
  let writing: IdWriting = 'alike';
  let isUpperCase = false;

  function pageOf(report: DeliveryReport): { page: Page; id: string } | undefined {
    const plain = plainId(report.id);
    const page = pages.get(plain);
    if (page !== undefined) return { page, id: plain };
    for (const other of OTHER_WRITINGS) {
      const id = submittedId(report.id, other);
      const found = id === undefined ? undefined : pages.get(id);
      // Another id may look like this one in another writing; the phone tells.
      if (id === undefined || found === undefined || !isSameNumber(found.mobile, report.mobile)) continue;
      writing = other;
      return { page: found, id };
    }
    return undefined;
  }

  async function tellOf({ page, id }: { page: Page; id: string }, { status, code }: DeliveryReport): Promise<void> {
    if (status !== 'submitted') page.ended.add(id);
    // One segment that fails takes the message with it.
    const isTheEnd = status !== 'submitted' && (status !== 'delivered' || page.ended.size === page.segments);
    const isNews = !page.told && (isTheEnd || status === 'submitted');
    if (isTheEnd) page.told = true;
    if (page.ended.size === page.segments) for (const ended of page.ids) pages.delete(ended);
    if (isNews) await tell({ messageId: page.messageId, reference: undefined, status, code });
  }

  /** The id as the answer to its submission wrote it, as far as that is known. */
  function referenceOf(id: string): string {
    if (writing === 'alike') return id;
    const submitted = submittedId(id, writing) ?? id;
    return isUpperCase ? submitted.toUpperCase() : submitted;
  }

  return {
    open: ({ id: messageId, mobile }, segments) => {
      const page: Page = { messageId, mobile, segments, ids: new Set(), ended: new Set(), told: false };
      let isClosed = false;
      return {
        accepted: (id) => {
          if (isClosed) return;
          const plain = plainId(id);
          if (/[a-f]/i.test(id)) isUpperCase = /[A-F]/.test(id);
          page.ids.add(plain);
          pages.set(plain, page);
          forgetOldest(pages, MAX_REMEMBERED);
          for (const [key, report] of early) {
            const found = pageOf(report);
            if (found?.page !== page) continue;
            early.delete(key);
            void tellOf(found, report);
          }
        },
        close: () => {
          for (const id of page.ids) pages.delete(id);
          isClosed = true;
        },
      };
    },
    receive: async (report) => {
      const found = pageOf(report);
      if (found !== undefined) {
        await tellOf(found, report);
        return;
      }
      early.set(plainId(report.id), report);
      forgetOldest(early, MAX_EARLY);
      const { status, code } = report;
      await tell({ messageId: undefined, reference: referenceOf(report.id), status, code });
    },
  };
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}

/** Country codes come and go on the way; the last 8 digits stay. */
function isSameNumber(a: string, b: string): boolean {
  const end = (number: string): string => number.replace(/\D/g, '').slice(-8);
  return end(a) === end(b);
}
