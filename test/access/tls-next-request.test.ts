import { connect } from 'node:tls';
import { expect } from 'chai';
import { envelope, GET_DOCTOR, SOAP_11 } from '../support/http/soap-request.ts';
import { needOpenssl, newIssuer } from '../support/http/test-certificates.ts';
import { type ReadyService, startReady } from '../support/process/service-process.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

const CONNECTIONS = 100;
const BODY = envelope(SOAP_11, GET_DOCTOR);

/** Fetches the WSDL and, at its last byte, calls over the same connection with head and body apart; gives the call's status line. */
function fetchAndCall(port: number, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca }, () => {
      socket.write('GET /TPWebServices.asmx?wsdl HTTP/1.1\r\nHost: localhost\r\n\r\n');
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
      socket.write(
        `POST /TPWebServices.asmx HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: ${BODY.length}\r\n\r\n`,
      );
      socket.write(BODY);
    });
    socket.on('error', reject);
  });
}

describe('A call over TLS', () => {
  const folder = temporaryFolder();
  let service: ReadyService | undefined;
  after(async () => {
    await service?.stop();
    folder.remove();
  });

  it('is read whole where it follows an answer larger than a socket buffers', async function () {
    needOpenssl(this);
    const issuer = newIssuer(folder.path);
    const { certFile, keyFile } = issuer.issue('server');
    service = await startReady(folder.path, { TLS_CERT: certFile, TLS_KEY: keyFile, LOG_LEVEL: 'info' });
    const seen = new Set<string>();
    for (let i = 0; i < CONNECTIONS; i++) seen.add(await fetchAndCall(service.port, issuer.cert));
    expect([...seen].join(', ')).to.equal('HTTP/1.1 200 OK');
  });
});
