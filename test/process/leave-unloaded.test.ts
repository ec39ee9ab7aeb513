import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { root } from '../house/source-files.ts';
import { EXIT_CODE_AFTER_SIGTERM } from '../support/process/on-windows.ts';
import { startProcess } from '../support/process/service-process.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

/** What a process has loaded once start.js has prepared it and the service's libraries are loaded. */
const LOADED = `
  import { createRequire } from 'node:module';
  import { leaveUnloaded } from './src/process/leave-unloaded.js';
  leaveUnloaded();
  const { default: soap } = await import('soap');
  const { default: express } = await import('express');
  const { Registry } = await import('prom-client');
  const { createServer } = await import('node:http');
  const packages = Object.values(createRequire(import.meta.url).cache)
    .filter(({ exports }) => Object.keys(exports).length > 0)
    .map(({ id }) => id.replaceAll('\\\\', '/').split('/node_modules/').at(-1));
  const used = [soap.Server, soap.WSDL, express, Registry, createServer].map((value) => typeof value);
  console.log(JSON.stringify({ packages, used, builtIn: process.moduleLoadList }));
`;

describe('What start.js leaves unloaded', () => {
  const folder = temporaryFolder();

  after(() => folder.remove());

  it("is the parts of libraries that the service does not use, and Node's TLS and fetch", () => {
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', LOADED], {
      cwd: fileURLToPath(root),
      env: { PATH: process.env.PATH ?? '' },
      encoding: 'utf8',
    });
    const { packages, used, builtIn } = JSON.parse(output) as Record<string, string[]>;
    expect(used).to.deep.equal(Array(5).fill('function'));
    expect(packages).to.include.members(['soap/lib/soap.js', 'express/index.js', 'prom-client/index.js']);
    const unused = /^(?:axios|form-data|xml-crypto|@opentelemetry|send|mime-db|tdigest)\//;
    expect(packages?.filter((path) => unused.test(path))).to.deep.equal([]);
    expect(builtIn?.filter((name) => /undici|\btls\b|http2/.test(name))).to.deep.equal([]);
  });

  it('is not needed by any call or page of the service', async () => {
    const start = fileURLToPath(new URL('src/start.js', root));
    const service = startProcess(folder.path, { DEMO_DATA: 'true', SMS_GATEWAY: 'off' }, start);
    let exitCode: number | null;
    try {
      await service.printed('"msg":"ready"');
      const endpoint = /^ {2}Service page {2}(\S+)$/m.exec(service.output())?.[1] ?? '';
      const body = `<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body>
        <GetDoctor xmlns="http://tempuri.org/"><centerid>1</centerid></GetDoctor></Body></Envelope>`;
      const headers = { 'Content-Type': 'text/xml', SOAPAction: '"http://tempuri.org/GetDoctor"' };
      const answers = await Promise.all([
        fetch(endpoint, { method: 'POST', headers, body }),
        fetch(`${endpoint}/GetDoctor?centerid=1`),
        fetch(`${endpoint}/GetDoctor?centerid=1`, { headers: { Accept: 'application/json; q=1, text/xml; q=0.5' } }),
        fetch(new URL('/no-such-page', endpoint)),
        fetch(endpoint),
        fetch(`${endpoint}?wsdl`),
        fetch(new URL('/metrics', endpoint)),
      ]);
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 404, 200, 200, 200]);
    } finally {
      exitCode = await service.stop();
    }
    expect(exitCode, service.errors()).to.equal(EXIT_CODE_AFTER_SIGTERM);
  });
});
