import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { patient } from '../../support/http/booking-parameters.ts';
import { type Answer, RawConnection } from '../../support/http/raw-connection.ts';
import { rawExchange } from '../../support/http/raw-exchange.ts';
import { exchange, resultCodeOf, textOf } from './answers.ts';
import type { Attacked } from './attacked.ts';
import {
  bodyOf,
  bookableDay,
  encodeForm,
  envelope,
  FORM_TYPE,
  formRequest,
  type Headers,
  operationElement,
  PATH,
  request,
} from './requests.ts';

/** Hosts, methods, echoes and connections. */
export function byHttp(attacked: Attacked): void {
  const { row, send, standing } = attacked;

  row('never shows an invented address from the Host header', async () => {
    const hosts = [
      'evil.example',
      'evil.example:80',
      'localhost.evil.example',
      'localhost@evil.example',
      '"><b>',
      '127.0.0.1, evil.example',
    ];
    for (const host of hosts) {
      for (const path of [`${PATH}?wsdl`, `${PATH}?disco`, PATH, `${PATH}?op=GetDoctor`]) {
        const { answer } = await send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
        expect([host, path, answer.status]).to.deep.equal([host, path, 421]);
        expect(answer.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
      }
      const root = await send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect(root.answer.headers.get('location')).to.equal(PATH);
    }
    const forwarded: Headers = [
      ['X-Forwarded-Host', 'evil.example'],
      ['X-Forwarded-Proto', 'https'],
      ['Forwarded', 'host=evil.example'],
      ['X-Original-URL', '//evil.example/'],
    ];
    for (const path of [`${PATH}?wsdl`, `${PATH}?disco`, PATH, `${PATH}?op=GetDoctor`]) {
      const { answer } = await send(request('GET', path, forwarded));
      expect(answer.status).to.equal(200);
      expect(textOf(answer) + answer.head).not.to.include('evil');
    }
  });

  row('answers 405 to other methods, and runs nothing for them', async () => {
    const before = await standing();
    const query = `?${encodeForm(bodyOf('Fetch_Details'))}`;
    for (const [path, allow] of [
      [PATH, 'GET, HEAD, POST'],
      [`${PATH}/Fetch_Details${query}`, 'GET, POST'],
      ['/', 'GET, HEAD'],
    ] as const) {
      for (const method of ['PUT', 'DELETE', 'TRACE', 'OPTIONS', 'HEAD', 'PATCH']) {
        if (allow.includes(method)) continue;
        const outcome = await exchange(attacked.port(), request(method, path, [['X-Secret', 'canary']]), {
          isHead: method === 'HEAD',
        });
        expect([method, outcome.answer.status]).to.deep.equal([method, 405]);
        expect(outcome.answer.headers.get('allow')).to.equal(allow);
        expect(textOf(outcome.answer)).not.to.include('canary');
        expect(outcome.rest.length).to.equal(0);
      }
    }
    const overridden = await send(
      request('GET', `${PATH}/GetDoctor?centerid=1`, [['X-HTTP-Method-Override', 'DELETE']]),
    );
    expect(resultCodeOf(overridden.answer)).to.equal(0);
    expect(await standing()).to.equal(before);
  });

  row('shows HTML in an echoed value as text', async () => {
    const html = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>';
    const encoded = encodeURIComponent(html);
    for (const bytes of [
      request('GET', `${PATH}?op=${encoded}`, []),
      request('GET', `${PATH}/${encoded}`, []),
      request('GET', `${PATH}/GetDoctor?centerid=${encoded}`, []),
      request('GET', `${PATH}/GetDoctor?${encoded}=${encoded}`, []),
      request('GET', `/${encoded}`, []),
      request('POST', `${PATH}/GetDoctor`, [FORM_TYPE], `centerid=${encoded}`),
      request('POST', `${PATH}/GetDoctor`, [['Content-Type', html]], 'centerid=1'),
      request(
        'POST',
        PATH,
        [
          ['Content-Type', 'text/xml'],
          ['SOAPAction', html],
        ],
        envelope('1.1', operationElement('GetDoctor', { centerid: html })),
      ),
      request(
        'POST',
        PATH,
        [['Content-Type', 'text/xml']],
        envelope('1.1', operationElement('GetDoctor', { centerid: html })),
      ),
      request('GET', `${PATH}/GetDoctor?centerid=${encoded}`, [['Accept', 'application/json']]),
    ]) {
      const { answer } = await send(bytes);
      expect(answer.status).to.be.within(400, 500);
      expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
      const type = answer.headers.get('content-type') ?? '';
      expect(type).to.match(/^(text\/plain|text\/xml|application\/problem\+json); charset=utf-8$/);
      if (type.startsWith('text/xml')) expect(textOf(answer)).not.to.match(/<(script|img)/);
    }
  });

  row('answers CONNECT with 405 behind what was executed before it, and closes the connection', async () => {
    const day = bookableDay(9);
    const connect = Buffer.from('CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const booking = formRequest('POST', 'Fetch_Details', bodyOf('Fetch_Details', { app_date: `${day}T00:00:00` }));
    for (const [before, statuses] of [
      [Buffer.alloc(0), [405]],
      [booking, [200, 405]],
    ] as const) {
      const connection = new RawConnection(attacked.port());
      await connection.send(Buffer.concat([before, connect]));
      let last: Answer | undefined;
      for (const status of statuses) {
        last = await connection.answer(3000);
        expect(last?.status).to.equal(status);
      }
      expect(last?.headers.get('allow')).to.equal('GET, HEAD, POST');
      expect(await connection.closes(3000)).to.equal(true);
      connection.destroy();
    }
    expect(await standing(day)).to.equal(1);
  });

  row('executes a GET with a body once all of it has arrived, and not if it breaks off', async () => {
    const day = bookableDay(10);
    const chunked: Headers = [['Transfer-Encoding', 'chunked']];
    const path = `${PATH}/Fetch_Details?${encodeForm(bodyOf('Fetch_Details', { app_date: `${day}T00:00:00` }))}`;
    const head = request('GET', path, chunked);
    for (const broken of ['zz\r\n', '1\r\nab', '5\r\nab\r\nzz']) {
      const { answer, closed } = await send(Buffer.concat([head, Buffer.from(broken)]), true);
      expect([broken, answer.status, closed]).to.deep.equal([broken, 400, true]);
    }
    const begun = new RawConnection(attacked.port());
    await begun.send(Buffer.concat([head, Buffer.from('5\r\nab')]));
    begun.destroy();
    expect(await standing(day)).to.equal(0);
    const { answer } = await send(Buffer.concat([head, Buffer.from('1\r\na\r\n0\r\n\r\n')]));
    expect(resultCodeOf(answer)).to.equal(0);
    expect(await standing(day)).to.equal(1);
  });

  row(
    'closes the connection of a request to upgrade with its answer, so that nothing behind it is lost unnoticed',
    async () => {
      const day = bookableDay(6);
      const upgrade = request('GET', '/healthz', [
        ['Connection', 'Upgrade'],
        ['Upgrade', 'h2c'],
      ]);
      const booking = formRequest('POST', 'Fetch_Details', bodyOf('Fetch_Details', { app_date: `${day}T00:00:00` }));
      const { answer, closed, rest } = await send(Buffer.concat([upgrade, booking]), true);
      expect([answer.status, answer.headers.get('connection'), closed]).to.deep.equal([200, 'close', true]);
      expect(rest.length).to.equal(0);
      expect(await standing(day)).to.equal(0);
    },
  );

  row('executes nothing behind an answer that closes the connection', async () => {
    const day = bookableDay(7);
    const booking = formRequest('POST', 'Fetch_Details', bodyOf('Fetch_Details', { app_date: `${day}T00:00:00` }));
    const closing = [
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      'GET /healthz HTTP/1.1\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n',
      'POST /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n',
    ];
    for (const first of closing) {
      const { closed, rest } = await send(Buffer.concat([Buffer.from(first), booking]), true);
      expect([closed, rest.length], first).to.deep.equal([true, 0]);
    }
    expect(await standing(day)).to.equal(0);
  });

  row(
    'executes a GET with letters that are not encoded once, as the last of its connection, and nothing beside it',
    async () => {
      const day = bookableDay(8);
      const raw = (hour: number, end = '') => {
        const values = bodyOf('Fetch_Details', { app_date: `${day}T00:00:00`, app_time: `${day}T${hour}:00:00` });
        const form = encodeForm({ ...values, ...patient(hour), Name: 'NAME' }).replace('NAME', 'रवि');
        return Buffer.from(`GET ${PATH}/Fetch_Details?${form} HTTP/1.1\r\nHost: localhost\r\n${end}\r\n`);
      };
      const other = formRequest('GET', 'GetDoctor', bodyOf('GetDoctor'));
      const { answer, closed } = await send(raw(10), true);
      expect([resultCodeOf(answer), answer.headers.get('connection'), closed]).to.deep.equal([0, 'close', true]);
      expect((await send(raw(10), true)).answer.status).to.equal(200);
      expect(await standing(day)).to.equal(1);

      const begun = new RawConnection(attacked.port());
      await begun.send(other);
      expect((await begun.answer(8000))?.status).to.equal(200);
      await begun.send(raw(11));
      begun.endSending();
      expect(resultCodeOf((await begun.answer(8000)) as Answer)).to.equal(0);
      expect(await begun.closes(3000)).to.equal(true);
      expect(await standing(day)).to.equal(2);

      for (const refused of [
        Buffer.concat([raw(12), raw(13)]),
        Buffer.concat([raw(12), other]),
        ...['Content-Length: 5', 'transfer-encoding: chunked', 'Upgrade: h2c'].map((header) =>
          raw(12, `${header}\r\n`),
        ),
        Buffer.from(raw(12).toString().replace('GET ', 'POST ')),
        Buffer.from(raw(12).toString().replace('GET ', '\r\nGET ')),
        Buffer.from(raw(12).toString().replace('R-12', 'R-\x01')),
      ]) {
        const { answer, closed } = await send(refused, true);
        expect([answer.status, closed], refused.toString()).to.deep.equal([400, true]);
      }
      const behind = new RawConnection(attacked.port());
      await behind.send(Buffer.concat([other, raw(12)]));
      expect([(await behind.answer(8000))?.status, (await behind.answer(8000))?.status]).to.deep.equal([200, 400]);
      const inParts = new RawConnection(attacked.port());
      await inParts.send(raw(12).subarray(0, 60));
      await inParts.send(raw(12).subarray(60));
      expect([200, 400]).to.include((await inParts.answer(8000))?.status);
      const last = new RawConnection(attacked.port());
      await last.send('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      await last.send(raw(14));
      expect(await last.closes(3000)).to.equal(true);
      expect(await standing(day)).to.be.within(2, 3);
      for (const connection of [begun, behind, inParts, last]) connection.destroy();
    },
  );

  row('requests a body with 100 Continue only if it will read it', async () => {
    const asked = async (headers: string, body = '', version = '1.1') =>
      (
        await rawExchange(
          attacked.port(),
          `POST ${PATH} HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\n${headers}Expect: 100-continue\r\n\r\n${body}`,
        )
      ).raw.toString();
    const small = envelope('1.1', operationElement('GetDoctor', bodyOf('GetDoctor')));
    expect(await asked(`Content-Type: text/xml\r\nContent-Length: ${small.length}\r\n`, small)).to.match(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /,
    );
    expect(await asked('Content-Type: text/xml\r\nContent-Length: 65537\r\n')).to.match(/^HTTP\/1\.1 413 /);
    expect(await asked('Content-Type: text/x\r\nContent-Length: 5\r\n')).to.match(/^HTTP\/1\.1 415 /);
    const encoded = 'Content-Type: text/xml\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n';
    expect(await asked(encoded)).to.match(/^HTTP\/1\.1 415 /);
    const length = `Content-Type: text/xml\r\nContent-Length: ${small.length}\r\n`;
    expect(await asked(length, small, '1.0')).to.match(/^HTTP\/1\.1 200 /);
  });

  row('answers a complete request before it refuses invalid data that follows it', async () => {
    const day = bookableDay(5);
    const booking = bodyOf('Fetch_Details', { app_date: `${day}T00:00:00`, app_time: `${day}T11:00:00` });
    const connection = new RawConnection(attacked.port());
    await connection.send(
      Buffer.concat([formRequest('POST', 'Fetch_Details', booking), Buffer.from('nonsense\r\n\r\n')]),
    );
    const first = await connection.answer(8000);
    expect(first === undefined ? undefined : resultCodeOf(first)).to.equal(0);
    expect((await connection.answer(8000))?.status).to.equal(400);
    expect(await connection.closes(3000)).to.equal(true);
    connection.destroy();
  });

  row('answers a client that has closed its own side', async () => {
    const encoded = formRequest('GET', 'GetDoctor', bodyOf('GetDoctor'));
    for (const bytes of [encoded, Buffer.from(encoded.toString().replace('?', '?x=é&'))]) {
      const connection = new RawConnection(attacked.port());
      void connection.send(bytes);
      connection.endSending();
      expect((await connection.answer(8000))?.status).to.equal(200);
      connection.destroy();
    }
  });

  row('works as usual with 500 idle connections', async () => {
    const before = await standing();
    const idle: Socket[] = [];
    const hello = formRequest('GET', 'GetDoctor', bodyOf('GetDoctor'));
    await Promise.all(
      Array.from({ length: 500 }, async (_, i) => {
        const socket = connect(attacked.port(), '127.0.0.1');
        socket.on('error', () => socket.destroy()).resume();
        idle.push(socket);
        await once(socket, 'connect');
        // Half of them have called before; the others have sent nothing, or only the beginning of a request.
        if (i % 2 === 0) socket.write(hello);
        else if (i % 4 === 1) socket.write('POST ');
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (let i = 0; i < 20; i++) expect(await standing()).to.equal(before);
    for (const socket of idle) socket.destroy();
  });
}
