import { execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { fuzzedRequest } from '../../../../scripts/fuzz/fuzzed-request.ts';
import { type OldAnswer, openRelay } from '../../../../src/commands/rehearse/relay.ts';
import { type CopiedRequest, createRequestTaps } from '../../../../src/commands/rehearse/request-tap.ts';
import { listenOn } from '../../../../src/http/listen-on.ts';
import { answerBytes, answersAlike, withoutDate } from '../../../support/http/answer-bytes.ts';
import { type OldService, startOldService } from '../../../support/http/old-service.ts';
import { GET_DOCTOR, SOAP_11, soapRequest } from '../../../support/http/soap-request.ts';
import { freePort } from '../../../support/process/free-port.ts';
import { ownContract } from '../../../wire/contract/own-wsdl.ts';

const MUTATED = 300;
const SEED = 18;
/** Longer than the stand-in takes for anything; truncated requests get no answer. */
const SILENCE = 500;
const BUSY_MACHINE = 10_000;

interface Seen {
  readonly request: CopiedRequest;
  readonly answered: Promise<OldAnswer>;
}

describe('The relay of a rehearsal', () => {
  let old: OldService;
  let relay: Awaited<ReturnType<typeof openRelay>>;
  let seen: Seen[];
  let broken: number;
  let connected: (string | undefined)[];
  let onRequest: (seen: Seen) => void;

  beforeEach(async () => {
    seen = [];
    broken = 0;
    connected = [];
    onRequest = (one) => seen.push(one);
    old = await startOldService();
    relay = await relayTo(old.port);
  });
  afterEach(() => relay.close());

  const relayTo = (port: number) =>
    openRelay({
      old: new URL(`http://127.0.0.1:${port}`),
      host: '127.0.0.1',
      port: 0,
      openTap: createRequestTaps(65_536),
      onConnect: (failure) => connected.push(failure),
      onRequest: (request, answered) => onRequest({ request, answered }),
      onBroken: () => broken++,
    });

  it(`answers ${MUTATED} mutated requests as the old service does, byte for byte`, async () => {
    const days = ['2026-11-23', '2026-11-24'];
    const numbers = Array.from({ length: MUTATED }, (_, number) => number);
    const different: string[] = [];
    const differ = async () => {
      for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) {
        const { bytes, mutations } = fuzzedRequest(ownContract, SEED, number, days);
        const isSame = await answersAlike(old.port, relay.port, bytes, [SILENCE, BUSY_MACHINE]);
        if (!isSame) different.push(`${number}: ${mutations.join(', ')}`);
      }
    };
    await Promise.all(Array.from({ length: 10 }, differ));
    expect(different).to.deep.equal([]);
    expect(seen.length).to.be.above(MUTATED / 2);
    expect(broken).to.be.above(0);
  });

  it('passes on a copy of each request of a connection, with headers, body and address', async () => {
    const request = soapRequest(SOAP_11, GET_DOCTOR, { SOAPAction: '"http://tempuri.org/GetDoctor"' });
    await answerBytes(relay.port, Buffer.concat([request]), BUSY_MACHINE);
    const [first] = seen;
    expect(first?.request.method).to.equal('POST');
    expect(first?.request.target).to.equal('/TPWebServices.asmx');
    expect(first?.request.headers).to.include('SOAPAction').and.include('"http://tempuri.org/GetDoctor"');
    expect(Buffer.from(first?.request.body ?? [])).to.deep.equal(request.subarray(request.indexOf('\r\n\r\n') + 4));
    expect(first?.request.address).to.equal('127.0.0.1');
    expect(await first?.answered).to.equal(200);
  });

  it('copies a GET with letters that are not encoded as this service reads it, and what follows it', async () => {
    const targets: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const request = ({ target }: CopiedRequest) => {
      targets.push(target);
      if (target === '/b') resolve();
      else tap.take(Buffer.from('GET /b HTTP/1.1\r\nHost: a\r\n\r\n'));
    };
    const tap = createRequestTaps(1)('192.0.2.1', { request, broken: () => targets.push('broken') });
    tap.take(Buffer.from('GET /a?b=é HTTP/1.1\r\nHost: a\r\n\r\n'));
    await promise;
    expect(targets).to.deep.equal(['/a?b=%c3%a9', '/b']);
  });

  it('truncates the copy of a body that is longer than the service reads, and passes on the whole original', async () => {
    const body = `a=${'b'.repeat(200_000)}`;
    const head = `POST /TPWebServices.asmx/GetDoctor HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { bytes } = await answerBytes(relay.port, Buffer.from(head + body), BUSY_MACHINE);
    expect(bytes.toString()).to.include('Missing parameter');
    expect(seen[0]?.request.body.length).to.equal(65_537);
  });

  it('answers a caller that has closed its sending side', async () => {
    const socket = connect({ port: relay.port, host: '127.0.0.1', allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.end('GET /TPWebServices.asmx/GetDoctor?centerid=1 HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'end');
    expect(Buffer.concat(chunks).toString()).to.match(/^HTTP\/1\.1 200 OK\r\n/);
  });

  /** This process accepts the connection only afterwards, because it waits here for the caller. */
  const resetBeforeAccepted = (): void => {
    const program = "socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', () => socket.resetAndDestroy())";
    const socket = `const socket = require('node:net').connect(${relay.port}, '127.0.0.1')`;
    execFileSync(process.execPath, ['-e', `${socket}; ${program}`]);
  };

  it('does not serve a caller whose connection was reset before it was accepted', async () => {
    resetBeforeAccepted();
    await answerBytes(relay.port, soapRequest(SOAP_11, GET_DOCTOR), BUSY_MACHINE);
    expect(seen.map(({ request }) => request.method)).to.deep.equal(['POST']);
    expect(old.requests).to.deep.equal(['POST /TPWebServices.asmx']);
  });

  it('listens for errors of each socket until it is closed', async () => {
    const listeners: Promise<number>[] = [];
    const watch = (message: unknown) => {
      const { socket } = message as { readonly socket: Socket };
      listeners.push(new Promise((resolve) => socket.on('close', () => resolve(socket.listenerCount('error')))));
    };
    const channels = ['net.client.socket', 'net.server.socket'];
    for (const channel of channels) subscribe(channel, watch);
    await relay.close();
    relay = await relayTo(old.port);
    resetBeforeAccepted();
    await answerBytes(relay.port, soapRequest(SOAP_11, GET_DOCTOR), BUSY_MACHINE);
    await relay.close();
    for (const channel of channels) unsubscribe(channel, watch);
    // Both ends of a caller and of its connection to the old service, and what is left of the other caller.
    expect(await Promise.all(listeners))
      .to.have.length(5)
      .and.not.include(0);
  });

  it('answers as the old service while the copy is never processed', async () => {
    onRequest = () => new Promise(() => {});
    for (let call = 0; call < 3; call++) {
      const request = soapRequest(SOAP_11, GET_DOCTOR);
      const direct = await answerBytes(old.port, request, BUSY_MACHINE);
      expect(withoutDate(await answerBytes(relay.port, request, BUSY_MACHINE))).to.equal(withoutDate(direct));
    }
  });

  it('says of a request that the old service has not answered it if its connection ends before', async () => {
    const silent = createServer((socket) => socket.once('data', () => socket.destroy()));
    const port = await listenOn(silent, '127.0.0.1', 0, 'none');
    await relay.close();
    relay = await relayTo(port);
    await answerBytes(relay.port, soapRequest(SOAP_11, GET_DOCTOR), BUSY_MACHINE);
    silent.close();
    expect(await seen[0]?.answered).to.equal('none');
  });

  it('does not say so of a request that waits for its answer when the rehearsal ends', async () => {
    const silent = createServer((socket) => socket.resume());
    const port = await listenOn(silent, '127.0.0.1', 0, 'waits');
    await relay.close();
    relay = await relayTo(port);
    const { promise: passed, resolve } = Promise.withResolvers<Seen>();
    onRequest = resolve;
    const answered = answerBytes(relay.port, soapRequest(SOAP_11, GET_DOCTOR), BUSY_MACHINE);
    const request = await passed;
    await relay.close();
    silent.close();
    expect(await request.answered).to.equal(undefined);
    expect((await answered).bytes.length).to.equal(0);
  });

  it("resets a caller's connection if the old service is down", async () => {
    await relay.close();
    relay = await relayTo(await freePort());
    const { bytes, end } = await answerBytes(relay.port, soapRequest(SOAP_11, GET_DOCTOR), BUSY_MACHINE);
    expect(bytes.length).to.equal(0);
    expect(end).to.equal('reset');
    expect(await seen[0]?.answered).to.equal('none');
    expect(new Set(connected)).to.include('ECONNREFUSED');
  });
});
