import { join } from 'node:path';
import { expect } from 'chai';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import { asAdministrator } from '../../support/database/as-administrator.ts';
import { ON_POSTGRES } from '../../support/database/test-database.ts';
import { BOOKING_PARAMETERS } from '../../support/http/booking-parameters.ts';
import { callOver, TRANSPORTS } from '../../support/http/four-transports.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

/** Longer than a call waits for the database. */
const PATIENCE_MS = 20_000;

describe('The log says why', () => {
  const folder = temporaryFolder();
  let service: RunningService;
  before(async () => {
    const file = join(folder.path, 'hospital.db');
    service = await startService({ environment: ON_POSTGRES ? {} : { DATABASE_URL: `sqlite:${file}` } });
  });
  after(async () => {
    await service.close();
    folder.remove();
  });

  const linesWith = (text: string) => service.logLines.filter((line) => line.includes(text)).map((x) => JSON.parse(x));

  for (const transport of TRANSPORTS) {
    it(`a call over ${transport} was rejected: operation, parameter and duration, never the value`, async () => {
      await callOver(transport, service.endpoint, 'GetDoctor', { centerid: 'Ravi' });
      const [line] = linesWith(`"transport":"${transport}"`);
      expect(line).to.include({ msg: 'call rejected', operation: 'GetDoctor', parameter: 'centerid', milliseconds: 0 });
      expect(JSON.stringify(line)).not.to.include('Ravi');
    });
  }

  it('an unknown field is rejected without its name, which is the text of the caller', async () => {
    await callOver('httpGet', service.endpoint, 'GetDoctor', { centerid: 1, Ravi: 1 });
    await callOver('soap11', service.endpoint, 'GetDoctor', { centerid: 1, Ravi: 1 });
    expect(linesWith('Ravi')).to.deep.equal([]);
  });

  it('a call that only reads was refused: ResultCode and parameter', async () => {
    await callOver('soap12', service.endpoint, 'GetDoctor', { centerid: 77 });
    const [line] = linesWith('"resultCode":11');
    expect(line).to.include({ msg: 'call', level: 30, operation: 'GetDoctor', parameter: 'centerid' });
  });

  it('a call failed because of the database: its code in words', async () => {
    const book = () => callOver('httpPost', service.endpoint, 'Fetch_Details', BOOKING_PARAMETERS);
    const { url } = service.config.database as { readonly url: string };
    let status: number;
    if (ON_POSTGRES) {
      status = await asAdministrator(url, async (client) => {
        await client.query('BEGIN; LOCK TABLE appointment');
        return (await book()).status;
      });
    } else {
      const other = openFile(join(folder.path, 'hospital.db'));
      other.exec('BEGIN IMMEDIATE');
      status = (await book()).status;
      other.close();
    }
    expect(status).to.equal(503);
    const [line] = linesWith('call failed');
    const reason = ON_POSTGRES ? /^timeout of a (lock|statement)$/ : /^timeout: another process is writing$/;
    expect(line).to.include({ code: 'Unavailable', operation: 'Fetch_Details' });
    expect(line.reason).to.match(reason);
    expect(line.milliseconds).to.be.a('number');
  }).timeout(PATIENCE_MS);
});
