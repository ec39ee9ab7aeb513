import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { describeInEachBrowser } from './open-browser.ts';
import { CALL, fill, inputValue, OUTCOME, textOf } from './page-steps.ts';

/** As many as a doctor of the demo data sees between 09:00 and 19:00. */
const PATIENTS = 40;

describeInEachBrowser('The answer on a page', (openPage, browser) => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const pageOf = (operation: string) => `${service.endpoint}?op=${operation}`;

  /** Books the doctor's day through the forms, each patient later than the one before, and opens it. */
  async function openDay(page: Page, doctor: number, patients: readonly string[]): Promise<void> {
    await page.goto(pageOf('Fetch_Details'));
    const day = await inputValue(page, '#app_date');
    for (const [i, Name] of patients.entries()) {
      const [hour, minute] = [9 + Math.floor(i / 4), (i % 4) * 15];
      const parameters = { DoctorID: `${doctor}`, centerid: '1', app_date: day, app_time: `${hour}:${minute || '00'}` };
      const patient = { Name, RegistrationNumber: `${doctor}-${i + 10}`, title: '', Sex: 'F', Age: '30' };
      const rest = { area: 'Jayanagar', contactnumber: '', email: '' };
      const body = new URLSearchParams({ ...parameters, ...patient, ...rest });
      await fetch(`${service.endpoint}/Fetch_Details`, { method: 'POST', body });
    }
    await page.goto(pageOf('OPAppointmentdetail'));
    await fill(page, '#appdate', day);
    await fill(page, '#doctorid', `${doctor}`);
    await page.click(CALL);
    await page.waitForSelector(OUTCOME);
  }

  const columnOf = async (page: Page, name: string): Promise<string> =>
    String(
      await page.evaluate(`{
        const at = [...document.querySelectorAll('.rows thead th')].findIndex((th) => th.textContent === '${name}') + 1;
        [...document.querySelectorAll('.rows tbody tr')].map((row) => row.children[at].textContent).join();
      }`),
    );

  it('shows a list as a table that its headings sort', async () => {
    const { page, complaints, close } = await openPage();
    await openDay(page, 101, ['Meena', 'Asha', 'Zoya']);
    expect(await columnOf(page, 'apptime')).to.equal('09:00,09:15,09:30');
    const heading = '.rows th:nth-of-type(4) button';
    expect(await textOf(page, heading)).to.equal('Name');
    await page.click(heading);
    expect(await columnOf(page, 'Name')).to.equal('Asha,Meena,Zoya');
    await page.click(heading);
    expect(await columnOf(page, 'Name')).to.equal('Zoya,Meena,Asha');
    expect(await page.evaluate(`document.querySelector('${heading}').parentElement.ariaSort`)).to.equal('descending');
    expect(complaints).to.deep.equal([]);
    await close();
  });

  it('carries the numbers of the chosen row to the pages of the other operations', async () => {
    const { page, complaints, close } = await openPage();
    await openDay(page, 101, []);
    await page.click('.rows tbody tr:nth-child(2) input');
    await page.evaluate('document.querySelector(\'.next a[href*="op=Appointment_Status#"]\').click()');
    await page.waitForFunction('document.querySelector("h1").textContent === "Appointment_Status"');
    expect(await inputValue(page, '#AppointmentID')).to.equal('2');
    await page.click(CALL);
    await page.waitForSelector(OUTCOME);
    expect(await textOf(page, '.record')).to.include('apptime09:15');
    expect(complaints).to.deep.equal([]);
    await close();
  });

  it('shows what was received, and the request for curl and for SOAP 1.1', async () => {
    const { page, close } = await openPage();
    await page.goto(pageOf('GetDoctor'));
    await page.click(CALL);
    await page.waitForSelector(OUTCOME);
    const [received = '', curl = '', soap = ''] = JSON.parse(
      String(
        await page.evaluate(
          'JSON.stringify([...document.querySelectorAll("#answer pre")].map(({ textContent }) => textContent))',
        ),
      ),
    ) as string[];
    expect(received).to.include('content-type: text/xml').and.include('<DoctorName>Dr. Asha Rao</DoctorName>');
    expect(curl).to.include(`--data-urlencode 'centerid=1' \\\n  '${service.endpoint}/GetDoctor'`);
    const [head = '', body] = soap.split('\n\n');
    const headers = Object.fromEntries(
      head
        .split('\n')
        .slice(2)
        .map((line) => line.split(': ')),
    );
    const answered = await fetch(service.endpoint, { method: 'POST', headers, body: body ?? '' });
    expect(await answered.text()).to.include('<DoctorName>Dr. Asha Rao</DoctorName>');
    await close();
  });

  it('does not leave an old answer beside a call that the browser refuses to send', async () => {
    const { page, close } = await openPage();
    await page.goto(pageOf('GetDoctor'));
    await page.click(CALL);
    await page.waitForSelector('.rows');
    await page.evaluate('document.querySelector("#centerid").value = ""');
    await page.click(CALL);
    await page.waitForFunction('document.querySelector(".rows") === null');
    expect(await textOf(page, '#outcome')).to.equal('');
    await close();
  });

  // Firefox of Debian can be told neither where to save nor to print into a file.
  if (browser === 'Chromium') {
    it('is saved as CSV that no spreadsheet takes for formulas', async () => {
      const folder = temporaryFolder();
      const { page, close } = await openPage();
      await openDay(page, 103, ['=Asha']);
      const session = await page.browser().target().createCDPSession();
      const path = folder.path;
      const profile = page.browserContext().id;
      await session.send('Browser.setDownloadBehavior', {
        behavior: 'allow',
        ...(profile === undefined ? {} : { browserContextId: profile }),
        downloadPath: path,
        eventsEnabled: true,
      });
      const saved = new Promise<void>((resolve) => {
        session.on('Browser.downloadProgress', ({ state }) => (state === 'completed' ? resolve() : undefined));
      });
      await page.evaluate(
        '[...document.querySelectorAll("#answer button")].find((b) => b.textContent === "Save as CSV").click()',
      );
      await saved;
      const lines = readFileSync(join(path, 'Appointments.csv'), 'utf8').split('\r\n');
      expect(lines[0]).to.match(/^\uFEFFTokenNo,AppointmentID,RegistrationNumber,Name,/);
      expect(lines[1]).to.match(/^1,\d+,103-10,'=Asha,F,30,Jayanagar,/);
      folder.remove();
      await close();
    });

    it(`prints the day of a doctor with ${PATIENTS} patients on one sheet`, async () => {
      const { page, close } = await openPage();
      await openDay(
        page,
        102,
        Array.from({ length: PATIENTS }, (_, i) => `Venkataraman Krishnan ${String.fromCharCode(65 + (i % 26))}`),
      );
      expect((await columnOf(page, 'Name')).split(',')).to.have.length(PATIENTS);
      const pdf = Buffer.from(await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      expect(pdf.match(/\/Type\s*\/Page\b/g)).to.have.length(1);
      await close();
    });
  }
});
