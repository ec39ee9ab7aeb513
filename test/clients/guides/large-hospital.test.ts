import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { addDoctors, fillDay } from '../../support/database/large-hospital.ts';
import { startService } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { skipTest } from '../../support/skip-test.ts';

const run = promisify(execFile);
const guide = readFileSync(new URL('../../../docs/callers/clients/dotnet.md', import.meta.url), 'utf8');
const CONTRACT = fileURLToPath(new URL('../interop/dotnet/write-contract.ts', import.meta.url));

/**
 * With the guide's binding. Mono's WCF takes any size without it, too; client-guides.test.ts runs the guide with .NET's,
 * which does not.
 */
const program = (binding: string) => `
using System;
using System.ServiceModel;
using Proxy;

static class LargeHospital
{
    static void Main(string[] args)
    {
        var service = new TPWebServicesSoapClient(${binding}, new EndpointAddress(args[0]));
        Console.WriteLine(service.GetDoctor(2).Doctors.Length);
        Console.WriteLine(service.OPAppointmentdetail(900, new DateTime(2027, 1, 18), 1).Appointments.Length);
    }
}
`;

describe('A program in WCF by the guide dotnet.md', () => {
  it('reads 400 doctors, and a day of 200 appointments', async function () {
    this.timeout(120_000);
    const { path: cwd } = temporaryFolder();
    try {
      await run('mcs', ['--version']);
    } catch {
      return skipTest(this, 'mcs, Mono’s compiler, is not there');
    }
    const service = await startService();
    const demoDoctors = 5;
    await addDoctors(service.store, 400 - demoDoctors);
    await fillDay(service.store);
    const [, binding = ''] = /var binding = (.*);$/m.exec(guide) ?? [];
    writeFileSync(join(cwd, 'Reference.cs'), (await run(process.execPath, [CONTRACT, '--today'])).stdout);
    writeFileSync(join(cwd, 'Program.cs'), program(binding));
    const references = ['System.ServiceModel', 'System.Runtime.Serialization'].map((name) => `-r:${name}`);
    await run('mcs', [...references, '-out:program.exe', 'Reference.cs', 'Program.cs'], { cwd });
    const { stdout } = await run('mono', ['program.exe', service.endpoint], { cwd });
    expect(stdout).to.equal('400\n200\n');
  });
});
