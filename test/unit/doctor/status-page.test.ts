import { join } from 'node:path';
import { expect } from 'chai';
import { createOperatingPages, listenOperating } from '../../../src/doctor/operating-pages.ts';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import { VERSION } from '../../../src/vocabulary/version.ts';
import { MINUTE } from '../../support/database/hospital.ts';
import { BOOKING_PARAMETERS } from '../../support/http/booking-parameters.ts';
import { callOver } from '../../support/http/four-transports.ts';
import { perTest } from '../../support/prepared.ts';
import { startService } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

describe('The status page', () => {
  // Nothing is left for the hospital to decide.
  const decided = {
    APPOINTMENT_RETENTION_DAYS: '3650',
    FEEDBACK_RETENTION_DAYS: 'never',
    AUDIT_RETENTION_DAYS: '1095',
  };
  const service = perTest(() => startService({ environment: decided }));
  const operating = perTest(() => listenOperating(service.operatingPages, { host: '127.0.0.1', port: 0 }, []));
  beforeEach(async () => {
    await service.store.write(({ facts }) => facts.noteStart('last-backup', service.clock.now));
    await service.store.write(({ facts }) => facts.noteStart('cleaned-on', service.clock.now));
  });
  const status = async () => {
    const response = await fetch(`http://127.0.0.1:${operating.port}/status`);
    expect(response.status).to.equal(200);
    return response.text();
  };
  const call = (path: string) => fetch(`${service.endpoint}/${path}`);

  it('is green while nothing is wrong, and is only on the operations port', async () => {
    expect(await status())
      .to.include('<p class="outcome good"><strong>All is well.</strong>')
      .and.include(`TPWebServices ${VERSION}, running for 0 seconds; looked at 08:30`)
      .and.include('>p99 in 24 hours: no calls.<');
    expect((await fetch(`${service.baseUrl}/status`)).status).to.equal(404);
  });

  it('is not green while the database is away, and says so', async () => {
    await service.store.close();
    expect(await status())
      .to.include('<p class="outcome bad"><strong>Wrong: readiness')
      .and.include('The database cannot be read.');
  });

  it('is not green for a quarter of an hour after a call failed, although calls can be answered', async () => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'hospital.db');
    const failing = await startService({ environment: { DATABASE_URL: `sqlite:${file}` } });
    const other = await listenOperating(failing.operatingPages, { host: '127.0.0.1', port: 0 }, []);
    const text = async () => (await fetch(`http://127.0.0.1:${other.port}/status`)).text();
    try {
      expect(await text()).to.include('None failed in this quarter of an hour and the one before');
      openFile(file).exec("CREATE TRIGGER no BEFORE INSERT ON appointment BEGIN SELECT RAISE(ABORT, 'no'); END");
      await callOver('httpPost', failing.endpoint, 'Fetch_Details', BOOKING_PARAMETERS);
      failing.clock.now += 15 * MINUTE;
      expect(await text())
        .to.include('1 call failed')
        .and.include('wrong');
      failing.clock.now += 15 * MINUTE;
      expect(await text()).to.include('None failed in this quarter of an hour and the one before');
    } finally {
      await other.close();
      await failing.close();
      folder.remove();
    }
  });

  it('is not green when a message has waited for long, and shows how many wait', async () => {
    const message = { Mobileno: '9845012345', Message: 'Hello', tempid: '0', SMSmode: '0' };
    await fetch(`${service.endpoint}/Sent_SMS`, { method: 'POST', body: new URLSearchParams(message) });
    service.clock.now += 20 * MINUTE;
    await service.noteWaiting();
    const text = await status();
    expect(text)
      .to.include('<p class="outcome good"><strong>Calls are answered; to be judged: outbox.</strong>')
      .and.include('1 message waiting, the oldest that may be sent for 20 minutes');
    expect(text).to.include(
      'Most waiting messages in 24 hours: 1; the most in a quarter of an hour: 1 from 08:45; in this one: 1.',
    );
  });

  it('counts the calls, the refusals by code and the faults of the last 24 hours, as text beside the plots', async () => {
    await call('GetDoctor?centerid=1');
    await call('Appointment_Status?AppointmentID=999&centerid=1');
    await call('GetDoctor?centerid=x');
    service.clock.now += 23 * 60 * MINUTE;
    await call('GetDoctor?centerid=1');
    const text = await status();
    expect(text).to.match(/Calls in 24 hours: \d; the most in a quarter of an hour: \d from 08:30; in this one: 1\./);
    expect(text).to.include('NotFound').and.include('InvalidValue');
    expect(text)
      .to.match(/Refusals and faults in 24 hours: 2/)
      .and.to.match(/>08:00<[\s\S]*>[123] calls?<[\s\S]*>07:00<[\s\S]*>1 call</);
    expect(text.match(/<svg [^>]*role="img" aria-label="[^"]+"/g)).to.have.length(4);
    service.clock.now += 2 * 60 * MINUTE;
    expect(await status()).to.match(/Calls in 24 hours: 1/);
  });

  it('has the findings of the doctor about the machine and the gateway', async () => {
    expect(await status())
      .to.match(/>files <span class="kind">ok<\/span><\/th><td>enough file descriptors for MAX_CONNECTIONS=\d+</)
      .and.match(/>clock <span class="kind">ok<\/span><\/th><td>In Asia\/Kolkata it is 2026-11-20 08:30; /)
      .and.match(/>gateway <span class="kind">ok<\/span><\/th><td>It was handed no message of the last 24 hours</);
  });

  it('is made once for all who ask meanwhile, and a failure to make it ends no process', async () => {
    let made = 0;
    const statusPage = async (): Promise<never> => {
      made++;
      throw new Error('a page that cannot be made');
    };
    const { readiness } = service;
    const pages = createOperatingPages(readiness, { metricsText: async () => '', statusPage });
    const other = await listenOperating(pages, { host: '127.0.0.1', port: 0 }, []);
    try {
      const asked = Array.from({ length: 4 }, () => fetch(`http://127.0.0.1:${other.port}/status`));
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(new Set(statuses)).to.deep.equal(new Set([503]));
      expect(made).to.be.at.most(4);
    } finally {
      await other.close();
    }
  });
});
