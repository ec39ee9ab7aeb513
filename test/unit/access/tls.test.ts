import { execFileSync } from 'node:child_process';
import { copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { request as tlsRequest } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readTlsFiles, type TlsSettings } from '../../../src/http/tls-files.ts';
import { SetUpError } from '../../../src/vocabulary/errors.ts';
import { requestOver, TRANSPORTS } from '../../support/http/four-transports.ts';
import { sendAs } from '../../support/http/send-as.ts';
import { needOpenssl, newIssuer, type TestCertificate, type TestIssuer } from '../../support/http/test-certificates.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';
import { type ReadyService, startReady } from '../../support/process/service-process.ts';
import { type RunningService, startService, TEST_NOW } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

describe('TLS', () => {
  const folder = temporaryFolder();
  let issuer: TestIssuer;
  let server: TestCertificate;
  let client: TestCertificate;
  before(function () {
    needOpenssl(this);
    issuer = newIssuer(folder.path);
    server = issuer.issue('server');
    client = issuer.issue('client');
  });

  const settings = (more: Partial<TlsSettings> = {}): TlsSettings => ({
    cert: server.certFile,
    key: server.keyFile,
    clientCa: undefined,
    clientCertRequired: false,
    ...more,
  });

  describe('with files', () => {
    const WRONG: readonly (readonly [mistake: RegExp, more: () => Partial<TlsSettings>])[] = [
      [/^TLS_CERT=\/nowhere: expected a file that can be read\.$/, () => ({ cert: '/nowhere' })],
      [/^TLS_CERT=.*: expected a certificate in PEM\.$/, () => ({ cert: server.keyFile })],
      [
        /^TLS_KEY=.*server\.crt: expected the private key of .*server\.crt in PEM, without a passphrase, .*unsupported\.$/,
        () => ({ key: server.certFile }),
      ],
      [/^TLS_KEY=.*client\.key: expected the private key of .*mismatch\.$/, () => ({ key: client.keyFile })],
      [/^TLS_CLIENT_CA=.*: expected certificates in PEM\.$/, () => ({ clientCa: server.keyFile })],
      [
        /^TLS_CERT=.*: expected a certificate that is still valid; it expired on .*2020 GMT\.$/,
        () => {
          const old = issuer.issue('old', -1);
          return { cert: old.certFile, key: old.keyFile };
        },
      ],
    ];
    for (const [mistake, more] of WRONG) {
      it(`refuses ${mistake.source}`, () => {
        expect(() => readTlsFiles(settings(more()), TEST_NOW)).to.throw(SetUpError, mistake);
      });
    }
  });

  describe('on connections', () => {
    let service: RunningService;
    before(async () => {
      const environment = { TLS_CERT: server.certFile, TLS_KEY: server.keyFile };
      service = await startService({ environment });
    });

    for (const transport of TRANSPORTS) {
      it(`serves ${transport} as usual, and many calls on one connection`, async () => {
        const { status, body } = await sendAs(
          requestOver(transport, service.endpoint, 'GetDoctor', { centerid: 1 }),
          {},
          issuer.cert,
        );
        expect(status, body).to.equal(200);
        expect(body).to.include('<ResultCode>0</ResultCode>');
      });
    }

    it('shows its own address as https in WSDL and OpenAPI', async () => {
      for (const path of ['/TPWebServices.asmx?wsdl', '/openapi.json']) {
        const { body } = await sendAs({ url: service.baseUrl + path, method: 'GET', headers: {} }, {}, issuer.cert);
        expect(body).to.include(service.baseUrl).and.not.include(`http://127.0.0.1:${service.port}`);
      }
    });

    it('accepts TLS 1.2 and 1.3, and nothing older', async () => {
      const protocolOf = (maxVersion: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
        new Promise<string>((resolve) => {
          const ciphers = 'DEFAULT@SECLEVEL=0';
          const socket = connect(
            { port: service.port, host: '127.0.0.1', ca: issuer.cert, minVersion: 'TLSv1', maxVersion, ciphers },
            () => {
              resolve(socket.getProtocol() ?? '');
              socket.end();
            },
          );
          socket.on('error', () => resolve('refused'));
        });
      expect(await protocolOf('TLSv1.1')).to.equal('refused');
      expect(await protocolOf('TLSv1.2')).to.equal('TLSv1.2');
      expect(await protocolOf('TLSv1.3')).to.equal('TLSv1.3');
    });

    it("accepts TLS 1.2 with ephemeral keys only, even if the certificate's key would allow others", async () => {
      const [keyFile, certFile] = ['rsa.key', 'rsa.crt'].map((name) => join(folder.path, name)) as [string, string];
      const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
      execFileSync('openssl', [...request, '-keyout', keyFile, '-out', certFile], { stdio: 'pipe' });
      const rsa = await startService({ environment: { TLS_CERT: certFile, TLS_KEY: keyFile } });
      const isTaken = (ciphers: string) =>
        new Promise<boolean>((resolve) => {
          const options = {
            port: rsa.port,
            host: '127.0.0.1',
            rejectUnauthorized: false,
            maxVersion: 'TLSv1.2' as const,
          };
          const socket = connect({ ...options, ciphers }, () => {
            resolve(true);
            socket.end();
          });
          socket.on('error', () => resolve(false));
        });
      expect(await isTaken('ECDHE-RSA-AES128-GCM-SHA256')).to.equal(true);
      expect(await isTaken('AES128-GCM-SHA256')).to.equal(false);
    });

    it('performs one handshake per connection: a client that asks for another is refused', async () => {
      const refusal = await new Promise<string>((resolve) => {
        const options = { port: service.port, host: '127.0.0.1', ca: issuer.cert, maxVersion: 'TLSv1.2' as const };
        const socket = connect(options, () => {
          socket.renegotiate({}, (error) => resolve(error === null ? 'taken' : 'refused'));
        });
        socket.on('error', () => resolve('refused'));
      });
      expect(refusal).to.equal('refused');
    });

    it('tells a caller that uses plain HTTP what is expected, and keeps serving others', async () => {
      const received = await new Promise<string>((resolve) => {
        let text = '';
        const socket = connectPlain(service.port, '127.0.0.1', () =>
          socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
        );
        socket.on('data', (chunk) => {
          text += chunk;
        });
        socket.on('error', () => {});
        socket.on('close', () => resolve(text));
      });
      expect(received).to.match(/^HTTP\/1\.1 400 .*\r\n\r\nThe request came without TLS; expected .* https\.$/s);
      expect(service.logLines.some((line) => line.includes('"reason":"no TLS"'))).to.equal(true);
      const { status } = await sendAs({ url: `${service.endpoint}?wsdl`, method: 'GET', headers: {} }, {}, issuer.cert);
      expect(status).to.equal(200);
    });

    it('refuses a client certificate of another authority', async () => {
      const stranger = newIssuer(folder.path, 'stranger');
      const error = await sendAs({ url: service.endpoint, method: 'GET', headers: {} }, {}, stranger.cert).catch(
        (e) => e,
      );
      expect(error).to.be.instanceOf(Error);
    });
  });

  it('stops at once, even if idle connections are open', async () => {
    const service = await startService({ environment: { TLS_CERT: server.certFile, TLS_KEY: server.keyFile } });
    const handshaken = connect({ port: service.port, host: '127.0.0.1', ca: issuer.cert });
    const silent = connectPlain(service.port, '127.0.0.1');
    await Promise.all([
      new Promise((resolve) => handshaken.once('secureConnect', resolve)),
      new Promise((resolve) => silent.once('connect', resolve)),
    ]);
    for (const socket of [handshaken, silent]) socket.on('error', () => {});
    const began = performance.now();
    await service.close();
    expect(performance.now() - began).to.be.below(5000);
  });

  it('admits nobody without a certificate if there is no clients file', async () => {
    const environment = { TLS_CERT: server.certFile, TLS_KEY: server.keyFile, TLS_CLIENT_CA: issuer.certFile };
    const service = await startService({ environment });
    const get = { url: `${service.endpoint}?wsdl`, method: 'GET', headers: {} } as const;
    expect((await sendAs(get, { certificate: client }, issuer.cert)).status).to.equal(200);
    expect(await sendAs(get, {}, issuer.cert).catch((error) => error)).to.be.instanceOf(Error);
  });

  describe('in a process', () => {
    const home = temporaryFolder();
    let running: ReadyService;
    const path = (name: string) => join(home.path, name);
    const writeClients = (address: string) =>
      writeFileSync(path('clients.json'), JSON.stringify({ clients: [{ name: 'near', networks: [address] }] }));
    function put({ certFile, keyFile }: TestCertificate): void {
      for (const [from, to] of [
        [certFile, 'tls.crt'],
        [keyFile, 'tls.key'],
      ] as const) {
        copyFileSync(from, path(`${to}.new`));
        renameSync(path(`${to}.new`), path(to));
      }
    }
    const printed = (text: string) => running.printed(`"msg":"${text}"`);
    const nameServed = () =>
      new Promise<string>((resolve, reject) => {
        const request = tlsRequest(`${running.endpoint}?wsdl`, { ca: issuer.cert, agent: false }, (response) => {
          const certificate = (
            response.socket as unknown as { getPeerCertificate(): PeerCertificate }
          ).getPeerCertificate();
          response.resume();
          resolve(String(certificate.subject.CN));
        });
        request.on('error', reject).end();
      });
    const call = async () =>
      (await sendAs(requestOver('httpGet', running.endpoint, 'GetDoctor', { centerid: 1 }), {}, issuer.cert)).status;

    const FASTER = `const { setInterval } = globalThis;
      globalThis.setInterval = (work, ms, ...rest) => setInterval(work, ms === 60_000 ? 50 : ms, ...rest);`;

    before(async () => {
      put(server);
      writeClients('127.0.0.1');
      const settings = {
        TLS_CERT: path('tls.crt'),
        TLS_KEY: path('tls.key'),
        CLIENTS_FILE: path('clients.json'),
      };
      // A minute lasts 50 ms.
      const command = [
        '--import',
        `data:text/javascript,${encodeURIComponent(FASTER)}`,
        fileURLToPath(new URL('../../../src/main.ts', import.meta.url)),
      ] as const;
      running = await startReady(home.path, settings, [process.execPath, ...command]);
    });

    it('prints https addresses, and no command that would be refused', () => {
      expect(running.endpoint).to.match(/^https:/);
      expect(running.output()).to.not.include('curl');
    });

    it('uses a new certificate when its files are replaced', async () => {
      expect(await nameServed()).to.equal('server');
      put(issuer.issue('renewed'));
      await printed('TLS files read');
      expect(await nameServed()).to.equal('renewed');
    });

    it('keeps the old certificate if the new files are invalid', async () => {
      copyFileSync(client.keyFile, path('tls.key'));
      await printed('TLS files are invalid, the previous certificate stays');
      expect(await nameServed()).to.equal('renewed');
    });

    it('reads its clients again on SIGHUP, and keeps the old ones if the file is invalid', async function () {
      skipOnWindows(this, 'it has no SIGHUP');
      expect(await call()).to.equal(200);
      writeClients('10.0.0.1');
      running.signal('SIGHUP');
      await printed('clients file read');
      expect(await call()).to.equal(401);
      writeClients('everywhere');
      running.signal('SIGHUP');
      await printed('clients file has mistakes, the previous one stays in use');
      expect(await call()).to.equal(401);
      expect(running.output()).to.include('clients[0].networks[0]: expected an IP address');
    });
  });
});
