import { Agent, get } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { expect } from 'chai';
import express from 'express';
import { readTlsFiles } from '../../../src/http/tls-files.ts';
import { listenHere } from '../../support/http/listen-here.ts';
import { envelope, GET_DOCTOR, SOAP_11 } from '../../support/http/soap-request.ts';
import { needOpenssl, newIssuer, type TestCertificate } from '../../support/http/test-certificates.ts';
import { type ReadyService, startReady } from '../../support/process/service-process.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const CONNECTIONS = 100;
/** More than a socket can buffer. */
const LARGE = Buffer.alloc(1 << 20, '\n');
const BODY = envelope(SOAP_11, GET_DOCTOR);
const FETCH = 'GET /TPWebServices.asmx?wsdl HTTP/1.1\r\nHost: localhost\r\n\r\n';
const HEAD = `POST /TPWebServices.asmx HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: ${BODY.length}\r\n\r\n`;

/** Fetches the WSDL and, at its last byte, calls over the same connection with head and body apart; returns the call's status line. */
function fetchAndCall(port: number, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca }, () => {
      socket.write(FETCH);
    });
    socket
      .setNoDelay(true)
      .setEncoding('latin1')
      .setTimeout(5000, () => socket.destroy(new Error('no answer')));
    let text = '';
    let called = false;
    socket.on('data', (chunk: string) => {
      text += chunk;
      const head = text.indexOf('\r\n\r\n');
      if (head === -1) return;
      if (called) {
        socket.destroy();
        resolve(text.slice(0, text.indexOf('\r\n')));
        return;
      }
      if (text.length < head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1])) return;
      called = true;
      text = '';
      socket.write(HEAD);
      socket.write(BODY);
    });
    socket.on('error', reject);
  });
}

/** Fetches the WSDL and calls without waiting for it, each part in its own TLS record, all in one segment; returns both status lines. */
function fetchAndCallAtOnce(port: number, ca: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let held: Buffer[] | undefined;
    const plain = connectPlain(port, '127.0.0.1');
    const collecting = new Duplex({
      read: () => {},
      write: (chunk: Buffer, _encoding, done) => {
        if (held === undefined) plain.write(chunk);
        else held.push(chunk);
        done();
      },
    });
    plain.on('data', (chunk) => collecting.push(chunk)).on('error', reject);
    plain.on('close', () => reject(new Error('closed before the second answer')));
    const socket = connect({ socket: collecting, host: '127.0.0.1', ca }, async () => {
      held = [];
      for (const part of [FETCH, HEAD, BODY]) await new Promise((written) => socket.write(part, written));
      plain.write(Buffer.concat(held));
    });
    let text = '';
    socket.setEncoding('latin1').on('error', reject);
    socket.on('data', (chunk: string) => {
      text += chunk;
      const lines = text.match(/^HTTP\/1\.1 .*(?=\r$)/gm) ?? [];
      if (lines.length < 2) return;
      resolve(lines);
      plain.destroy();
    });
  });
}

describe('A call over TLS', () => {
  const folder = temporaryFolder();
  let service: ReadyService;
  let certificate: TestCertificate;
  let ca: string;
  before(async function () {
    needOpenssl(this);
    const issuer = newIssuer(folder.path);
    certificate = issuer.issue('server');
    ca = issuer.cert;
    const { certFile, keyFile } = certificate;
    service = await startReady(folder.path, { TLS_CERT: certFile, TLS_KEY: keyFile, LOG_LEVEL: 'info' });
  });

  it("is read in full if it follows an answer larger than the socket's buffer", async () => {
    const seen = new Set<string>();
    for (let i = 0; i < CONNECTIONS; i++) seen.add(await fetchAndCall(service.port, ca));
    expect([...seen].join(', ')).to.equal('HTTP/1.1 200 OK');
  });

  it('is read in full if it was sent ahead of such an answer, with head and body in two records', async () => {
    expect(await fetchAndCallAtOnce(service.port, ca)).to.deep.equal(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);
  });

  it('is read in full while the previous answer is still being sent', async () => {
    const app = express();
    app.get('/*path', (_request, response) => void response.end(LARGE));
    app.post('/*path', (request, response) => void request.resume().on('end', () => response.end()));
    const files = { cert: certificate.certFile, key: certificate.keyFile };
    const tls = readTlsFiles({ ...files, clientCa: undefined, clientCertRequired: false }, Date.now());
    const server = await listenHere(app, {}, 0, tls);
    expect(await fetchAndCallAtOnce(server.port, ca)).to.deep.equal(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);
  });

  it('is the last if the issuers of client certificates were changed before it', async () => {
    const folder = temporaryFolder();
    const app = express().get('/', (_request, response) => void response.end());
    const issuers = ['old', 'new'].map((name) => newIssuer(folder.path, name));
    const [before, after] = issuers.map(({ certFile }) =>
      readTlsFiles(
        { cert: certificate.certFile, key: certificate.keyFile, clientCa: certFile, clientCertRequired: false },
        Date.now(),
      ),
    );
    const server = await listenHere(app, {}, 0, before);
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
    const kept = () =>
      new Promise<unknown>((resolve, reject) => {
        const asked = get({ port: server.port, host: '127.0.0.1', agent }, (answer) => {
          answer.resume().on('end', () => resolve(answer.headers.connection));
        });
        asked.on('error', reject);
      });
    try {
      expect(await kept()).to.equal('keep-alive');
      server.setTls(before as NonNullable<typeof before>);
      expect(await kept()).to.equal('keep-alive');
      server.setTls(after as NonNullable<typeof after>);
      expect([await kept(), await kept()]).to.deep.equal(['close', 'keep-alive']);
    } finally {
      agent.destroy();
      await server.close();
      folder.remove();
    }
  });
});
