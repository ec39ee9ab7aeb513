import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { CHROMIUM } from './browser-files.ts';

/** A host name of a different site from the service's, and one under which the service may be known. Both are this machine. */
export const FOREIGN_HOST = 'evil.example';
export const OWN_HOST = 'his.example.org';

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      // Chromium's sandbox does not start as root.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // The browser's own protection of this machine's addresses; a service in the hospital's network must do without it.
      '--disable-features=LocalNetworkAccessChecks',
      `--host-resolver-rules=MAP ${FOREIGN_HOST} 127.0.0.1, MAP ${OWN_HOST} 127.0.0.1`,
    ],
  });

export interface WatchedPage {
  readonly page: Page;
  /** The browser's complaints: errors in scripts, violations of the policy, dialogs that something opened. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** A page in its own profile. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // An answer with 4xx is no fault of the page, which shows it.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded with a status of');
    if ((message.type() === 'error' || message.type() === 'warning') && !isStatus) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, complaints, close: () => context.close() };
}
