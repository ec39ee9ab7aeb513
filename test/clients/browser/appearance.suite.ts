import axe from 'axe-core';
import { expect } from 'chai';
import { listenOperating } from '../../../src/doctor/operating-pages.ts';
import type { HttpServer } from '../../../src/http/http-server.ts';
import { HOUR } from '../../support/database/hospital.ts';
import { type RunningService, startService, TEST_NOW } from '../../support/process/start-service.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';
import { SCREENSHOTS } from './browser-files.ts';
import { describeInEachBrowser } from './open-browser.ts';

const PAGES = [
  { name: 'status', query: '' },
  { name: 'service', query: '' },
  ...ownContract.operations.map(({ name }) => ({ name, query: `?op=${name}` })),
];
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const;
/** Firefox ESR has no command for the color scheme. */
const CHROMIUM_SCHEMES = ['light', 'dark'];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

describeInEachBrowser('The pages', (openPage, browser) => {
  let service: RunningService;
  let operating: HttpServer;
  before(async () => {
    service = await startService();
    operating = await listenOperating(service.operatingPages, { host: '127.0.0.1', port: 0 }, []);
    for (const hours of [-20, -5, 0]) {
      service.clock.now = TEST_NOW + hours * HOUR;
      for (let calls = 21 + hours; calls > 0; calls--)
        await fetch(`${service.endpoint}/GetDoctor?centerid=${calls % 3}`);
      await service.noteWaiting();
    }
  });
  after(async () => {
    await operating.close();
    await service.close();
  });

  for (const { name, query } of PAGES) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const colorScheme of browser === 'Chromium' ? CHROMIUM_SCHEMES : ['light']) {
        it(`${name}, ${size}, ${colorScheme}: readable, labelled, no wider than the screen`, async () => {
          const { page, complaints, close } = await openPage(viewport);
          if (browser === 'Chromium')
            await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: colorScheme }]);
          await page.goto(name === 'status' ? `http://127.0.0.1:${operating.port}/status` : service.endpoint + query);
          if (query !== '') {
            // What no example fills in.
            for (const field of await page.$$('#call input[required][value=""]')) await field.type('1');
            await page.click('button.call');
            await page.waitForSelector('#outcome strong');
          }
          await page.screenshot({
            path: `${SCREENSHOTS}${name}-${size}-${colorScheme}-${browser}.png`,
            fullPage: true,
          });
          await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
          await page.evaluate(axe.source);
          const { violations } = (await page.evaluate('axe.run()')) as { violations: readonly Violation[] };
          expect(
            violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`)),
          ).to.deep.equal([]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(viewport.width);
          expect(complaints).to.deep.equal([]);
          await close();
        });
      }
    }
  }
});
