import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { expect } from 'chai';
import { checkIssuers } from '../../src/doctor/access.ts';
import { readConfig } from '../../src/settings/config.ts';
import { rawExchange } from '../support/http/raw-exchange.ts';
import { skipOnWindows } from '../support/process/on-windows.ts';
import { startedServices } from '../support/process/started-services.ts';
import { mistakesOf } from '../unit/settings/settings-suite.ts';
import { root } from './source-files.ts';

const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

/** The first cells of the table of what the platform may say. */
const documented = (): readonly string[] => {
  const [, table = ''] =
    /^What the platform may say besides.*?\n\n(.*?)\n\n/ms.exec(read('docs/operators/operating.md')) ?? [];
  return [...table.matchAll(/^\| (.*?) \|/gm)].slice(1).map(([, cell]) => String(cell));
};

describe('The words of the platform', function () {
  this.timeout(60_000);
  const services = startedServices();

  const statusOf = async (target: string) => {
    const service = await services.ready();
    const { status } = await rawExchange(Number(new URL(service.endpoint).port), `OPTIONS ${target} HTTP/1.0\r\n\r\n`);
    return status;
  };
  const hasDebugger = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(9229, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
    });

  const CASES: Readonly<Record<string, () => unknown>> = {
    '`SIGUSR1`, `SIGUSR2`': async () => {
      const service = await services.ready();
      for (const name of ['SIGUSR1', 'SIGUSR2'] as const) {
        service.signal(name);
        await service.printed(`"signal":"${name}","msg":"signal ignored"`);
      }
      expect(await hasDebugger()).to.equal(false);
      expect((await fetch(service.endpoint)).status).to.equal(200);
      service.signal('SIGQUIT');
      expect(await service.exited()).to.equal(0);
    },
    '`NODE_TLS_REJECT_UNAUTHORIZED=0`': () =>
      expect(mistakesOf({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).to.deep.equal([
        'NODE_TLS_REJECT_UNAUTHORIZED=0: expected no such variable, or NODE_EXTRA_CA_CERTS with the issuer of the certificate',
      ]),
    '`NODE_OPTIONS` with `--inspect…`, `--tls-…` or `--insecure-http-parser`': () => {
      for (const option of ['--inspect', '--inspect-brk', '--tls-min-v1.0', '--insecure-http-parser']) {
        expect(mistakesOf({ NODE_OPTIONS: `--no-warnings ${option}=x` })).to.deep.equal([
          `NODE_OPTIONS=${option}: expected no such option`,
        ]);
      }
      expect(() => readConfig({ NODE_OPTIONS: '--max-old-space-size=512 --disable-sigusr1' })).not.to.throw();
    },
    '`NODE_EXTRA_CA_CERTS` with a file that cannot be read or is empty': () => {
      const found = (NODE_EXTRA_CA_CERTS?: string) => checkIssuers({ environment: { NODE_EXTRA_CA_CERTS } });
      expect(found('/nowhere.pem')).to.deep.equal([
        {
          verdict: 'warning',
          subject: 'TLS',
          text: 'NODE_EXTRA_CA_CERTS=/nowhere.pem: expected a file that can be read.',
        },
      ]);
      expect(found()).to.deep.equal([]);
    },
    "`OPTIONS /`, as by HAProxy's bare `option httpchk`": async () => expect(await statusOf('/')).to.equal(405),
    '`OPTIONS *`': async () => expect(await statusOf('*')).to.equal(404),
    '`OPERATIONS_PORT=tcp://…`, from a Kubernetes service called `operations`': () =>
      expect(readConfig({ OPERATIONS_PORT: 'tcp://10.0.0.1:9090' }).monitoring.operations).to.equal(undefined),
    '`namespace` and other single words in lower case, as from PM2': () =>
      expect(readConfig({ namespace: 'default', name: 'tpws', status: 'online' }).namespace).to.equal(
        readConfig({}).namespace,
      ),
    "`NAMESPACE` with a single word, as a pod's": () =>
      expect(readConfig({ NAMESPACE: 'hospital-prod' }).namespace).to.equal(readConfig({}).namespace),
    "`HOST` with the machine's name, as from tcsh": () =>
      expect(readConfig({ HOST: hostname() }).host).to.equal('127.0.0.1'),
  };

  it('are decided one by one', () => expect(Object.keys(CASES)).to.deep.equal(documented()));

  for (const [word, holds] of Object.entries(CASES)) {
    it(`${word.replaceAll('`', '')} gets the documented answer`, async function () {
      if (word.includes('SIG')) skipOnWindows(this, 'it has no such signals');
      await holds();
    });
  }
});
