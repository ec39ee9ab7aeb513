import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { hashSecret, writeSecretHash } from '../../../src/access/secret-hash.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { appointmentsOf } from './appointments-of.ts';
import { describeInEachBrowser, OWN_HOST } from './open-browser.ts';
import { CALL, fill, focused, inputValue, isInSight, OUTCOME, tabTo, textOf } from './page-steps.ts';

const MARKUP = '<script>alert(1)</script><img src=x onerror=alert(2)>';

describeInEachBrowser('The form of a page', (openPage, browser) => {
  let service: RunningService;
  beforeEach(async () => {
    service = await startService({ environment: { ALLOWED_HOSTS: `127.0.0.1,${OWN_HOST}` } });
  });
  afterEach(() => service.close());

  const pageOf = (operation: string, host = '127.0.0.1') =>
    `${service.endpoint.replace('127.0.0.1', host)}?op=${operation}`;

  for (const host of ['127.0.0.1', OWN_HOST]) {
    it(`books an appointment under ${host} and shows the answer in the page`, async () => {
      const { page, complaints, close } = await openPage();
      await page.goto(pageOf('Fetch_Details', host));
      const day = await inputValue(page, '#app_date');
      await page.click(CALL);
      await page.waitForSelector(OUTCOME);
      expect(await textOf(page, OUTCOME)).to.equal('The appointment is booked.');
      expect(await textOf(page, '#outcome'))
        .to.include('ResultCode 0')
        .and.include('HTTP 200');
      expect(await textOf(page, '#answer .record'))
        .to.include('DoctorNameDr. Asha Rao')
        .and.include('AppointmentID1Status2');
      expect(page.url()).to.equal(pageOf('Fetch_Details', host));
      expect(await appointmentsOf(service, day)).to.equal(1);
      expect(complaints).to.deep.equal([]);
      await close();
    });

    it(`books an appointment under ${host} without a script; the browser shows the raw answer`, async () => {
      const { page, complaints, close } = await openPage();
      if (browser === 'Chromium') await page.setJavaScriptEnabled(false);
      await page.goto(pageOf('Fetch_Details', host));
      const day = await inputValue(page, '#app_date');
      const [response] = await Promise.all([
        page.waitForResponse((answer) => answer.request().method() === 'POST'),
        // Firefox cannot be told to switch JavaScript off, but no script learns of this method.
        browser === 'Chromium' ? page.click(CALL) : page.evaluate('document.querySelector("#call").submit()'),
      ]);
      expect(response.status()).to.equal(200);
      expect(response.headers()['content-type']).to.equal('text/xml; charset=utf-8');
      expect(await appointmentsOf(service, day)).to.equal(1);
      expect(complaints).to.deep.equal([]);
      await close();
    });
  }

  it('does not change how a browser shows XML that is requested by its address', async () => {
    for (const path of ['?wsdl', '/GetDoctor?centerid=1']) {
      const { page, complaints, close } = await openPage();
      await page.goto(service.endpoint + path);
      expect(await page.evaluate('document.contentType')).to.equal('text/xml');
      // Firefox hides its viewer from scripts, but complains if the policy stops it.
      if (browser === 'Chromium') expect(await textOf(page, 'body')).to.include('The document tree is shown below');
      expect(complaints).to.deep.equal([]);
      await close();
    }
  });

  it('can be filled in and sent with the keyboard alone', async () => {
    const { page, complaints, close } = await openPage();
    await page.goto(pageOf('Fetch_Details'));
    await page.keyboard.press('Tab');
    expect(await focused(page)).to.include('Skip to the content');
    await tabTo(page, 'Name');
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.type('Leela Iyer');
    await tabTo(page, 'Call Fetch_Details');
    await page.keyboard.press('Enter');
    await page.waitForSelector(OUTCOME);
    expect(await textOf(page, OUTCOME)).to.equal('The appointment is booked.');
    expect(complaints).to.deep.equal([]);
    await close();
  });

  it('shows the sentence of a refusal or a fault', async () => {
    const { page, complaints, close } = await openPage();
    await page.goto(pageOf('GetDoctor'));
    await fill(page, '#centerid', '99');
    await page.click(CALL);
    await page.waitForSelector('#outcome.bad');
    expect(await textOf(page, OUTCOME)).to.equal('Parameter centerid: there is no center 99.');
    expect(await textOf(page, '#outcome'))
      .to.include('ResultCode 11')
      .and.include('HTTP 404');
    await page.goto(pageOf('FB_Push_Details'));
    await fill(page, '#ipno', 'x'.repeat(51));
    await page.click(CALL);
    await page.waitForSelector('#outcome.bad');
    expect(await textOf(page, OUTCOME)).to.include('is too long; expected at most 50 characters');
    expect(await textOf(page, '#outcome'))
      .to.include('HTTP 400')
      .and.match(/correlation id [\w-]+/);
    expect(await page.evaluate('document.querySelector("#ipno").ariaInvalid')).to.equal('true');
    expect(await page.evaluate('document.activeElement.id')).to.equal('ipno');
    expect(await textOf(page, '#fault')).to.include('expected at most 50 characters');
    await fill(page, '#ipno', 'IP-1');
    await page.click(CALL);
    await page.waitForSelector('#outcome.good');
    expect((await page.$$('[aria-invalid], #fault')).length).to.equal(0);
    expect(complaints).to.deep.equal([]);
    await close();
  });

  it('says that the service did not answer if there is no answer', async () => {
    const { page, close } = await openPage();
    await page.goto(pageOf('GetDoctor'));
    await page.setRequestInterception(true);
    page.on('request', (request) => void request.abort());
    await page.click(CALL);
    await page.waitForSelector('#outcome.bad');
    expect(await textOf(page, OUTCOME)).to.equal('The service did not answer.');
    expect(await textOf(page, '#outcome')).to.include('call it again');
    await close();
  });

  it('sends one call for a double click', async () => {
    const { page, close } = await openPage();
    let calls = 0;
    await page.goto(pageOf('Sent_SMS'));
    await fill(page, '#Mobileno', '+61491570006');
    page.on('request', (request) => {
      if (request.method() === 'POST') calls++;
    });
    await page.click(CALL, { count: 2 });
    await page.waitForSelector(OUTCOME);
    expect(calls).to.equal(1);
    await close();
  });

  it('shows markup in an answer as text', async () => {
    const { page, complaints, close } = await openPage();
    await page.goto(pageOf('Fetch_Details'));
    await fill(page, '#Name', MARKUP);
    await fill(page, '#RegistrationNumber', MARKUP.slice(0, 50));
    await page.click(CALL);
    await page.waitForSelector('#outcome.good');
    expect(await textOf(page, '#answer .record')).to.include(MARKUP.slice(0, 50));
    const day = await inputValue(page, '#app_date');
    await page.goto(pageOf('OPAppointmentdetail'));
    await fill(page, '#appdate', day);
    await page.click(CALL);
    await page.waitForSelector('#outcome.good');
    expect(await textOf(page, '#answer .rows')).to.include(MARKUP);
    expect((await page.$$('#answer script, #answer img, #outcome img')).length).to.equal(0);
    expect(complaints).to.deep.equal([]);
    await close();
  });

  it('cuts nothing off, on any screen', async () => {
    for (const width of [360, 1280]) {
      const { page, close } = await openPage({ width, height: 800 });
      await page.goto(pageOf('Fetch_Details'));
      const day = await inputValue(page, '#app_date');
      await page.click(CALL);
      await page.waitForSelector('#outcome.good');
      for (const operation of ['OPAppointmentdetail', 'GetDoctor']) {
        await page.goto(pageOf(operation));
        if (operation === 'OPAppointmentdetail') await fill(page, '#appdate', day);
        await page.click(CALL);
        await page.waitForSelector('#outcome.good');
        const widest = await page.evaluate('document.querySelector("#answer").scrollWidth');
        expect(widest, `${operation} at ${width}`).to.be.at.most(width);
      }
      await close();
    }
  });

  it('keeps its button visible while the parameters are scrolled, and then shows the answer', async () => {
    for (const width of [390, 1280]) {
      const { page, close } = await openPage({ width, height: 800 });
      await page.goto(pageOf('Fetch_Details'));
      expect(await isInSight(page, CALL), `${width}`).to.equal(true);
      await page.evaluate('document.querySelector("#contactnumber").scrollIntoView({ block: "nearest" })');
      expect(await isInSight(page, CALL), `${width}, scrolled`).to.equal(true);
      await page.click(CALL);
      await page.waitForSelector('#outcome.good');
      await page.waitForFunction('!document.querySelector("button.call").hasAttribute("aria-disabled")');
      expect(await isInSight(page, '#outcome'), `${width}, called`).to.equal(true);
      await close();
    }
  });

  it('sends the API key that is entered into the page, and shows no field for one without JavaScript', async () => {
    const folder = temporaryFolder();
    const key = 'desk.a-key-of-this-test';
    const file = join(folder.path, 'clients.json');
    writeFileSync(
      file,
      JSON.stringify({
        clients: [
          {
            name: 'desk',
            apiKeyHash: writeSecretHash(
              await hashSecret(key, (bytes) => Buffer.alloc(bytes, 1), { N: 16, r: 1, p: 1 }),
            ),
          },
        ],
      }),
      { mode: 0o600 },
    );
    const secured = await startService({ environment: { CLIENTS_FILE: file } });
    try {
      const { page, complaints, close } = await openPage();
      await page.goto(`${secured.endpoint}?op=GetDoctor`);
      await fill(page, '#api-key', 'desk.wrong');
      await page.click(CALL);
      await page.waitForSelector('#outcome.bad');
      await fill(page, '#api-key', key);
      await page.click(CALL);
      await page.waitForSelector('#outcome.good');
      expect(page.url()).to.equal(`${secured.endpoint}?op=GetDoctor`);
      expect(secured.logLines.join()).to.not.include(key);
      expect(complaints).to.deep.equal([]);
      await close();
      if (browser === 'Chromium') {
        const without = await openPage();
        await without.page.setJavaScriptEnabled(false);
        await without.page.goto(`${secured.endpoint}?op=GetDoctor`);
        expect(await (await without.page.$('#api-key'))?.isVisible()).to.equal(false);
        expect(await textOf(without.page, '.note')).to.include('asks for a user name and a password');
        await without.close();
      }
    } finally {
      await secured.close();
      folder.remove();
    }
  });
});
