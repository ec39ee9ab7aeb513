import { LRUCache } from 'lru-cache';
import type { Contract } from '../../contract/contract.ts';
import { weeksToNearExamples, withExamplesMoved } from './near-examples.ts';
import { operationPage, type PageSettings } from './operation-page.ts';
import type { Page } from './page.ts';
import { servicePage } from './service-page.ts';

export interface PagesDependencies extends Omit<PageSettings, 'endpoint'> {
  readonly contract: Contract;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** IANA name of the time zone that determines today's date. */
  readonly timeZone: string;
}

/** A page as it is sent: all answers share its bytes. */
interface CachedPage extends Omit<Page, 'html'> {
  readonly html: Buffer;
}

/** The page of the named operation of the contract, or of the service if there is no name. */
export type PageOf = (endpoint: string, operationName?: string) => CachedPage;

/** Addresses vary with the Host that callers send, so the number of pages cached for them is limited. */
const MOST_CACHED = 100;

/** The pages, each rendered when it is first requested in a week and then cached. */
export function createPages({ contract, clock, timeZone, ...settings }: PagesDependencies): PageOf {
  const cached = new LRUCache<string, CachedPage>({ max: MOST_CACHED });
  let weeks: number | undefined;
  let near = contract;
  return (endpoint, operationName = '') => {
    const now = weeksToNearExamples(contract, clock(), timeZone);
    if (now !== weeks) {
      weeks = now;
      near = withExamplesMoved(contract, now);
      cached.clear();
    }
    const key = `${endpoint}?${operationName}`;
    let found = cached.get(key);
    if (found === undefined) {
      const page = render(near, operationName, { ...settings, endpoint });
      found = { ...page, html: Buffer.from(page.html) };
      cached.set(key, found);
    }
    return found;
  };
}

function render(contract: Contract, operationName: string, settings: PageSettings): Page {
  const operation = contract.operations.find(({ name }) => name === operationName);
  return operation === undefined ? servicePage(contract, settings) : operationPage(contract, operation, settings);
}
