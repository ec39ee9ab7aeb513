import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { RawConnection } from '../../support/http/raw-connection.ts';
import { expectCallerFault, resultCodeOf } from './answers.ts';
import type { Attacked } from './attacked.ts';
import {
  bodyOf,
  CONTENT_TYPES,
  envelope,
  FORM_TYPE,
  type Headers,
  operationElement,
  PATH,
  request,
  type SoapVersionName,
  soapRequest,
} from './requests.ts';

const VERSIONS: readonly SoapVersionName[] = ['1.1', '1.2'];
const LARGEST_BODY = 64 * 1024;

/** Bodies, chunks and headers that are too large. */
export function bySize(attacked: Attacked): void {
  const { row, send } = attacked;

  row('refuses a gzip bomb unread', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const encoding: Headers[number] = ['Content-Encoding', 'gzip'];
    for (const version of VERSIONS) {
      const { answer } = await send(soapRequest(version, bomb, [encoding]));
      expectCallerFault(answer, version, 'UnsupportedMediaType', 415);
    }
    const { answer } = await send(request('POST', `${PATH}/GetDoctor`, [FORM_TYPE, encoding], bomb));
    expect(answer.status).to.equal(415);
  });

  row('refuses a Content-Encoding that the bytes do not have', async () => {
    const xml = envelope('1.1', operationElement('GetDoctor', bodyOf('GetDoctor')));
    for (const name of ['gzip', 'deflate', 'br', 'x', 'identity, gzip']) {
      const { answer } = await send(soapRequest('1.1', xml, [['Content-Encoding', name]]));
      expectCallerFault(answer, '1.1', 'UnsupportedMediaType', 415);
    }
  });

  row('refuses a body of 50 MB and closes', async () => {
    const large = Buffer.alloc(50 * 1024 * 1024, 'a');
    for (const version of VERSIONS) {
      const { answer, closed } = await send(soapRequest(version, large), true);
      expectCallerFault(answer, version, 'TooLarge', 413);
      expect(closed).to.equal(true);
    }
    const form = await send(request('POST', `${PATH}/GetDoctor`, [FORM_TYPE], large), true);
    expect([form.answer.status, form.closed]).to.deep.equal([413, true]);
  });

  row('refuses a large body with a type or to an address that accepts none, and closes', async () => {
    const large = Buffer.alloc(50 * 1024 * 1024, 'a');
    for (const [method, path, type, status] of [
      ['POST', PATH, 'application/json', 415],
      ['POST', '/nowhere', 'text/xml', 404],
      ['PUT', PATH, 'text/xml', 405],
    ] as const) {
      const { answer, closed } = await send(request(method, path, [['Content-Type', type]], large), true);
      expect([answer.status, closed]).to.deep.equal([status, true]);
    }
  });

  row('answers a body within its Content-Length, and not the data after it', async () => {
    const good = soapRequest('1.1', envelope('1.1', operationElement('GetDoctor', bodyOf('GetDoctor'))));
    const { answer, closed, rest } = await send(Buffer.concat([good, Buffer.from('<more/>\r\n\r\n')]), true);
    expect(resultCodeOf(answer)).to.equal(0);
    expect(rest.toString('latin1', 0, 12)).to.equal('HTTP/1.1 400');
    expect(closed).to.equal(true);
  });

  row('refuses endless chunks while they arrive, and closes', async () => {
    const sendEndless = async (path: string) => {
      const type = path === PATH ? CONTENT_TYPES['1.1'] : FORM_TYPE[1];
      const connection = new RawConnection(attacked.port());
      void connection.send(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      const chunk = Buffer.from(`4000\r\n${'a'.repeat(0x4000)}\r\n`);
      let sending = true;
      const endless = (async () => {
        while (sending && !connection.closed) {
          await connection.send(chunk);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      })();
      const answer = await connection.answer(8000);
      expect(answer?.status).to.equal(413);
      expect(await connection.closes(3000)).to.equal(true);
      sending = false;
      await endless;
      connection.destroy();
    };
    await Promise.all([sendEndless(PATH), sendEndless(`${PATH}/GetDoctor`)]);
  });

  row('refuses chunks of one byte as soon as they are too many', async () => {
    const head = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const { answer, closed } = await send(head + '1\r\na\r\n'.repeat(300_000), true);
    expectCallerFault(answer, '1.1', 'TooLarge', 413);
    expect(closed).to.equal(true);
  });

  row('accepts a body of the largest size, and refuses one with another byte', async () => {
    const bare = envelope('1.1', operationElement('GetDoctor', bodyOf('GetDoctor')));
    const fill = (length: number) => bare + ' '.repeat(length - bare.length);
    expect(resultCodeOf((await send(soapRequest('1.1', fill(LARGEST_BODY)))).answer)).to.equal(0);
    expectCallerFault((await send(soapRequest('1.1', fill(LARGEST_BODY + 1)))).answer, '1.1', 'TooLarge', 413);
  });

  row('refuses headers of more than 16 KiB', async () => {
    for (const headers of [[['X', 'y'.repeat(20_000)]], Array.from({ length: 2500 }, (_, i) => [`X-${i}`, '1'])]) {
      const { answer, closed } = await send(request('GET', PATH, headers as unknown as Headers), true);
      expect([answer.status, closed]).to.deep.equal([431, true]);
    }
  });
}
