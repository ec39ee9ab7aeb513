import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ALL_NAMES, commandFolder, DOCTORS, writeAll } from '../../support/commands/command-folder.ts';
import { FULL_BOOKING_PARAMETERS } from '../../support/http/booking-parameters.ts';
import { callOver } from '../../support/http/four-transports.ts';
import { perSuite } from '../../support/prepared.ts';
import { startReady } from '../../support/process/service-process.ts';

const run = promisify(execFile);

describe('The commands, while a service is running,', () => {
  const folder = perSuite(() => commandFolder());
  const service = perSuite(async () => {
    writeAll(folder);
    return startReady(folder.path, { DATABASE_URL: await folder.databaseUrl(), DEMO_DATA: 'false' });
  });

  /** Runs it in the folder, as a shell does. */
  async function tpws(name: string, ...args: readonly string[]): Promise<string> {
    const file = fileURLToPath(new URL('../../../src/tpws.js', import.meta.url));
    const { PATH = '', NODE_OPTIONS = '' } = process.env;
    const env = { PATH, NODE_OPTIONS, DATABASE_URL: await folder.databaseUrl() };
    return (await run(process.execPath, [file, name, ...args], { cwd: folder.path, env })).stdout;
  }
  const doctors = async (): Promise<string> =>
    (await callOver('httpPost', service.endpoint, 'GetDoctor', { centerid: 1 })).text;

  it('change what the next call of GetDoctor returns', async () => {
    expect(await doctors()).to.include('<ResultCode>11</ResultCode>');
    await tpws('import', ...ALL_NAMES);
    expect(await doctors())
      .to.include('<DoctorName>Dr. Asha Rao</DoctorName>')
      .and.include('09:00-13:00');
    folder.write('doctors.csv', DOCTORS.replace('Asha Rao', 'Usha Rao').replace('1,102,Dr. Vikram Shetty,\n', ''));
    await tpws('import', '--deactivate', 'doctors.csv');
    expect(await doctors())
      .to.include('<DoctorName>Dr. Usha Rao</DoctorName>')
      .and.not.include('Asha')
      .and.not.include('Vikram');
  });

  it("export the service's data", async () => {
    expect(await tpws('export', '--out', 'out', 'centers')).to.include('centers.csv: 2 rows');
    expect(folder.read('out/centers.csv')).to.include('Bengaluru');
  });

  it('erase a patient, whose data the service then no longer returns', async () => {
    const day = { doctorid: 101, appdate: '2027-01-18T00:00:00', centerid: 1 };
    const listed = async () => (await callOver('httpPost', service.endpoint, 'OPAppointmentdetail', day)).text;
    const booked = await callOver('httpPost', service.endpoint, 'Fetch_Details', {
      ...FULL_BOOKING_PARAMETERS,
      DoctorID: 101,
      app_date: '2027-01-18T00:00:00',
      app_time: '2027-01-18T09:15:00',
    });
    expect(booked.text).to.include('<ResultCode>0</ResultCode>');
    expect(await listed()).to.include('<Name>Asha Pai</Name>');
    await tpws('patient', 'erase', 'appointment:1/1', '--also-coming', '--yes');
    expect(await listed())
      .to.include('<Name>Erased</Name>')
      .and.not.include('Asha Pai');
  });
});
