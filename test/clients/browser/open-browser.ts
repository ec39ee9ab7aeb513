import { type Browser, type LaunchOptions, launch, type Page, type Viewport } from 'puppeteer-core';
import { EXECUTABLES } from './browser-files.ts';

/** A host name of a different site from the service's, and one under which the service may be known. Both are this machine. */
export const FOREIGN_HOST = 'evil.example';
export const OWN_HOST = 'his.example.org';

const BROWSERS = {
  Chromium: {
    browser: 'chrome',
    executablePath: EXECUTABLES.chromium,
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
  },
  Firefox: {
    browser: 'firefox',
    executablePath: EXECUTABLES['firefox-esr'],
    extraPrefsFirefox: {
      'network.dns.localDomains': `${FOREIGN_HOST},${OWN_HOST}`,
      // Firefox asks for an icon that no page names, and then complains that the page's policy forbids it.
      'browser.chrome.site_icons': false,
    },
  },
} as const satisfies Record<string, LaunchOptions>;

export type BrowserName = keyof typeof BROWSERS;

export interface WatchedPage {
  readonly page: Page;
  /** The browser's complaints: errors in scripts, violations of the policy, dialogs that something opened. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** Opens a page in its own profile. */
export type OpenPage = (viewport?: Viewport) => Promise<WatchedPage>;

/** Declares the suite once for each browser, which runs as long as the suite does. */
export function describeInEachBrowser(title: string, suite: (openPage: OpenPage, name: BrowserName) => void): void {
  for (const [name, options] of Object.entries(BROWSERS) as [BrowserName, LaunchOptions][]) {
    describe(`${title}, in ${name}`, () => {
      let browser: Browser;
      before(async () => {
        browser = await launch({ defaultViewport: { width: 1280, height: 720 }, ...options });
      });
      after(() => browser.close());
      suite((viewport) => openPage(browser, viewport), name);
    });
  }
}

async function openPage(browser: Browser, viewport?: Viewport): Promise<WatchedPage> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  if (viewport !== undefined) await page.setViewport(viewport);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // An answer with 4xx is no fault of the page, which shows it.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded with a status of');
    if ((message.type() === 'error' || message.type() === 'warn') && !isStatus) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, complaints, close: () => context.close() };
}
