import { createServer, type Server } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect } from 'chai';
import { listenOn } from '../../../src/http/listen-on.ts';
import { sendRequest } from '../../../src/messages/gateways/http-exchange.ts';
import type { AnswerRule } from '../../../src/messages/gateways/http-template.ts';
import { fateOf } from '../../../src/messages/gateways/provider-reports.ts';

describe('An exchange with an HTTP gateway', () => {
  let server: Server;
  afterEach(() => void server.close());
  const fateWithin = async (limitMs: number, scheme = 'http') => {
    const url = new URL(`${scheme}://127.0.0.1:${await listenOn(server, '127.0.0.1', 0, 'none')}/`);
    return sendRequest({ method: 'POST', url, headers: {}, body: Buffer.from('x') }, limitMs, {
      environment: {},
      maySubmit: () => true,
    });
  };

  for (const interim of ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n']) {
    it(`ends if it receives only ${interim.slice(9, 12)} responses, again and again`, async () => {
      server = createServer((socket) => {
        socket.on('error', () => {});
        const say = () => {
          while (socket.writable && socket.write(interim.repeat(100))) {
            // As much as can be sent.
          }
        };
        socket.on('drain', say).once('data', say);
      });
      expect(await fateWithin(30_000)).to.include({ kind: 'unknown' });
    });
  }

  it('ends if the answer begins another protocol', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
    server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.write(upgrade));
    });
    expect(await fateWithin(500)).to.deep.equal({ kind: 'unknown', code: 'timeout' });
  });

  it('says of a connection that is never established that it took too long', async () => {
    server = createServer();
    expect(await fateWithin(300, 'https')).to.deep.equal({ kind: 'unavailable', code: 'ETIMEDOUT' });
  });

  const ACCEPTED = '{"status":"ok","id":"abc-1"}';
  const head = (...lines: readonly string[]) => Buffer.from(`HTTP/1.1 ${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const sized = (body: Buffer | string, ...lines: readonly string[]) =>
    Buffer.concat([head('200 OK', ...lines, `Content-Length: ${body.length}`), Buffer.from(body)]);
  const utf16 = Buffer.from(`\ufeff${ACCEPTED}`, 'utf16le');
  const length = `Content-Length: ${ACCEPTED.length}`;
  const chunked = `${ACCEPTED.length.toString(16)}\r\n${ACCEPTED}\r\n0\r\n\r\n`;
  /** curl reads each of them. */
  const peculiar: Readonly<Record<string, Buffer | string>> = {
    'in gzip': sized(gzipSync(ACCEPTED), 'Content-Encoding: gzip'),
    'in gzip that ends early': sized(gzipSync(ACCEPTED).subarray(0, -6), 'Content-Encoding: gzip'),
    'in gzip, without saying so': sized(gzipSync(ACCEPTED)),
    'said to be in gzip, which it is not': sized(ACCEPTED, 'Content-Encoding: gzip'),
    'in deflate': sized(deflateSync(ACCEPTED), 'Content-Encoding: deflate'),
    'in deflate without a header': sized(deflateRawSync(ACCEPTED), 'Content-Encoding: deflate'),
    'in br': sized(brotliCompressSync(ACCEPTED), 'Content-Encoding: br'),
    'in zstd': sized(zstdCompressSync(ACCEPTED), 'Content-Encoding: zstd'),
    'with a byte order mark': sized(Buffer.from(`\ufeff${ACCEPTED}`)),
    'in UTF-16': sized(utf16, 'Content-Type: application/json; charset=utf-16'),
    'in UTF-16 of the other order': sized(Buffer.from(utf16).swap16()),
    'with an unknown charset': sized(ACCEPTED, 'Content-Type: text/json; charset="none"'),
    'whose lines end with LF only': sized(ACCEPTED).toString('latin1').replaceAll('\r', ''),
    'with a control character in a header': sized(ACCEPTED, 'X-A: \x01'),
    'with a blank in the name of a header': sized(ACCEPTED, 'X A: b'),
    'with a line that is no header': sized(ACCEPTED, 'welcome'),
    'with two lengths': sized(ACCEPTED, length),
    'with a list of lengths': Buffer.concat([head('200 OK', `${length}, ${ACCEPTED.length}`), Buffer.from(ACCEPTED)]),
    'with a length and in chunks': Buffer.concat([
      head('200 OK', length, 'Transfer-Encoding: chunked'),
      Buffer.from(chunked),
    ]),
    'said to be in chunks, which it is not': Buffer.concat([
      head('200 OK', 'Transfer-Encoding: chunked'),
      Buffer.from(ACCEPTED),
    ]),
    'behind a warning of PHP': sized(`<br />\n<b>Warning</b>: x() [<a>x</a>] on line \n<b>343</b><br />\n${ACCEPTED}`),
    'with a line break in a text': sized(ACCEPTED.replace('{', '{"text":"a\n\tb",')),
    'with a cookie of 17 KB': sized(ACCEPTED, `Set-Cookie: a=${'x'.repeat(17_000)}`),
    'that is shorter than it says': sized(ACCEPTED)
      .toString('latin1')
      .replace(/(Length: \d)\d/, '$19'),
    'of HTTP/2, in text': sized(ACCEPTED).toString('latin1').replace('/1.1', '/2'),
  };
  const RULES: readonly AnswerRule[] = [{ json: { status: ['ok'] }, means: 'submitted', reference: { json: 'id' } }];
  const fateWith = async (bytes: Buffer | string, isCut: boolean) => {
    server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => (isCut ? socket.end(bytes) : socket.write(bytes)));
    });
    const answer = await fateWithin(500);
    return 'kind' in answer ? answer : fateOf(answer, RULES);
  };

  for (const [what, bytes] of Object.entries(peculiar)) {
    it(`reads an acceptance ${what}`, async () => {
      expect(await fateWith(bytes, true)).to.deep.equal({ kind: 'submitted', reference: 'abc-1' });
    });
  }
  it('believes an acceptance after which the connection stays open, although it says that more follows', async () => {
    const endless = head('200 OK', 'Content-Length: 999');
    expect(await fateWith(Buffer.concat([endless, Buffer.from(ACCEPTED)]), false)).to.include({ kind: 'submitted' });
  });
  for (const [what, bytes, fate] of [
    ['an empty answer', sized(''), { kind: 'not-understood', code: 'not-understood:empty' }],
    ['a login page', sized('<!doctype html><p>Log in'), { kind: 'not-understood', code: 'not-understood:html' }],
    ['other JSON', sized('{"done":1}'), { kind: 'not-understood', code: 'not-understood:json' }],
    ['XML', sized('<?xml version="1.0"?><ok/>'), { kind: 'not-understood', code: 'not-understood:xml' }],
    ['a head that cannot be read', sized('x', 'X A: b'), { kind: 'not-understood', code: 'HPE_INVALID_HEADER_TOKEN' }],
    ['no HTTP at all', 'hello\n', { kind: 'not-understood', code: 'HPE_INVALID_CONSTANT' }],
    ['half an answer', head('200 OK', 'Content-Length: 9'), { kind: 'unknown', code: 'ECONNRESET' }],
    [
      'half a refusal',
      Buffer.concat([head('400 No', length), Buffer.from('no')]),
      { kind: 'unknown', code: 'ECONNRESET' },
    ],
  ] as const) {
    it(`says of ${what} that it is ${fate.kind}, and why`, async () =>
      expect(await fateWith(bytes, true)).to.deep.equal(fate));
  }
  it('asks for an answer as it is', async () => {
    let asked = '';
    server = createServer((socket) =>
      socket.once('data', (data) => socket.end(sized(ACCEPTED), () => (asked = String(data)))),
    );
    await fateWithin(500);
    expect(asked).to.match(/^Accept-Encoding: identity\r$/m);
  });
});
