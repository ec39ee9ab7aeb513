import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import { needOpenssl, newIssuer } from '../../support/http/test-certificates.ts';
import { perSuite } from '../../support/prepared.ts';
import { freePort } from '../../support/process/free-port.ts';
import { type MeasuredService, startMeasuredService } from '../../support/process/measured-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { seededRandom } from '../../support/random/seeded-random.ts';
import { exchange, resultCodeOf, textOf } from './answers.ts';
import {
  bodyOf,
  bookableDay,
  envelope,
  formRequest,
  operationElement,
  PATH,
  request,
  soapRequest,
} from './requests.ts';

const SEED = 20261126;
/** Connections that are open at the same time. */
const AT_ONCE = 20;
/** Turns of the event loop before a reset: within them, everything has been sent, and some answers have begun. */
const MOST_TURNS = 12;

interface Target {
  readonly port: number;
  readonly isTls: boolean;
}

/** Bookings that were answered with an AppointmentID before their connection was reset. */
type Acknowledged = number[];

/** Connects, sends what `random` chooses, up to where it chooses, and resets when it chooses. */
async function resetOnce({ port, isTls }: Target, random: () => number, acknowledged: Acknowledged): Promise<void> {
  const below = (most: number) => Math.floor(random() * most);
  const raw = connectTcp(port, '127.0.0.1').on('error', () => {});
  await once(raw, 'connect');
  const socket: Socket = isTls ? connectTls({ socket: raw, rejectUnauthorized: false }).on('error', () => {}) : raw;
  let answers = '';
  socket.on('data', (chunk: Buffer) => {
    answers += chunk.toString('latin1');
  });
  const kinds = requestsOf(below);
  const bytes = kinds[below(kinds.length)] as Buffer;
  const isWhole = random() < 0.6;
  socket.write(isWhole ? bytes : bytes.subarray(0, below(bytes.length)));
  if (isWhole && random() < 0.3) await new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
  for (let turns = below(MOST_TURNS); turns > 0; turns--) await nextTurn();
  for (const [, id] of answers.matchAll(/<ResultCode>0<.{1,200}<AppointmentID>(\d+)</gs)) acknowledged.push(Number(id));
  raw.resetAndDestroy();
}

/** One of each kind; the first `below` chooses whom to book for, so that no two bookings compete. */
function requestsOf(below: (most: number) => number): readonly Buffer[] {
  const day = bookableDay(1 + below(40));
  const time = `${day}T${String(9 + below(8)).padStart(2, '0')}:${String(15 * below(4)).padStart(2, '0')}:00`;
  const values = { app_date: time, app_time: time, Name: `Reset ${'abcdefghijklmnopqrst'.slice(below(18))}` };
  const booking = formRequest('POST', 'Fetch_Details', bodyOf('Fetch_Details', values));
  const bySoap = soapRequest(
    '1.1',
    envelope('1.1', operationElement('Fetch_Details', bodyOf('Fetch_Details', values))),
  );
  const wsdl = request('GET', `${PATH}?wsdl`, []);
  const connect = Buffer.from('CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const upgrade = request('GET', '/healthz', [
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
  ]);
  const expecting = request('POST', PATH, [
    ['Content-Type', 'text/xml'],
    ['Expect', '100-continue'],
    ['Content-Length', '500'],
  ]);
  return [
    booking,
    bySoap,
    connect,
    upgrade,
    expecting,
    Buffer.concat([booking, connect]),
    Buffer.concat([upgrade, booking]),
    Buffer.concat([booking, wsdl, bySoap]),
    // Megabytes of answers, so that the reset comes while they are written.
    Buffer.concat(Array.from({ length: 14 }, () => wsdl)),
    Buffer.concat([wsdl, Buffer.from('nonsense\r\n\r\n')]),
  ];
}

async function resetOften(target: Target, times: number, seed: number): Promise<Acknowledged> {
  const random = seededRandom(seed);
  const acknowledged: Acknowledged = [];
  for (let i = 0; i < times; i += AT_ONCE) {
    const few = Array.from({ length: AT_ONCE }, () => resetOnce(target, random, acknowledged));
    await Promise.all(few);
  }
  return acknowledged;
}

/** Sends and resets before the service can have accepted the connection, or soon after. */
async function sendAndReset({ port }: MeasuredService, bytes: Buffer): Promise<void> {
  const socket = connectTcp(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  socket.resetAndDestroy();
}

/** Resolves once all connections that still wait to be accepted have been: a later one, which is nonsense with or without TLS, was closed. */
async function acceptAll(port: number): Promise<void> {
  const last = connectTcp(port, '127.0.0.1').on('error', () => {});
  last.resume().end('nonsense\r\n\r\n');
  await once(last, 'close');
}

/** Fails unless the process is alive, has as many descriptors as before, and wrote nothing to standard error. */
async function expectUnharmed(service: MeasuredService, descriptors: number, port = service.port): Promise<void> {
  await acceptAll(port);
  let open = descriptorsOf(service);
  // An answer that is being written over TLS may take as long as any answer until its reset is noticed.
  for (let i = 0; i < 400 && open > descriptors; i++) {
    await setTimeout(50);
    open = descriptorsOf(service);
  }
  expect(service.isAlive(), service.errors()).to.equal(true);
  expect(open).to.be.at.most(descriptors);
  expect(service.errors()).to.equal('');
  expect(service.logLines().filter(({ level }) => Number(level) >= 50)).to.deep.equal([]);
}

const descriptorsOf = ({ processId, isAlive }: MeasuredService): number =>
  isAlive() ? readdirSync(`/proc/${processId}/fd`).length : 0;

describe('Connections that are reset at random moments', function () {
  this.timeout(180_000);
  const folder = perSuite(temporaryFolder);
  let operationsPort: number;
  let descriptors: number;

  const service = perSuite(async () => {
    operationsPort = await freePort();
    return startMeasuredService({ OPERATIONS_PORT: `127.0.0.1:${operationsPort}` });
  });
  before(async () => {
    await exchange(service.port, formRequest('GET', 'GetDoctor', bodyOf('GetDoctor')));
    descriptors = descriptorsOf(service);
  });

  it('end neither the service nor leak descriptors, and every booking that was acknowledged is stored', async () => {
    const acknowledged = await resetOften({ port: service.port, isTls: false }, 1000, SEED);
    await expectUnharmed(service, descriptors);
    expect(acknowledged.length).to.be.greaterThan(20);
    for (const id of acknowledged) {
      const values = bodyOf('Appointment_Status', { AppointmentID: String(id) });
      const { answer } = await exchange(service.port, formRequest('GET', 'Appointment_Status', values));
      expect(resultCodeOf(answer), textOf(answer)).to.equal(0);
    }
  });

  it('execute nothing for a caller without an address, whose connection was reset before it was accepted', async () => {
    const feedback = formRequest('POST', 'FB_Push_Details', bodyOf('FB_Push_Details', { dept: 'reset' }));
    for (let i = 0; i < 30; i++)
      await Promise.all(Array.from({ length: AT_ONCE }, () => sendAndReset(service, feedback)));
    await expectUnharmed(service, descriptors);
    const database = openFile(service.databaseFile, { readOnly: true });
    const rows = database.prepare("SELECT client FROM audit_event WHERE address IS NULL OR address = ''").all();
    database.close();
    expect(rows).to.deep.equal([]);
    expect(service.output()).not.to.include('"address":""');
  });

  it('do not end the service at its operations port', async () => {
    await resetOften({ port: operationsPort, isTls: false }, 500, SEED + 1);
    await expectUnharmed(service, descriptors, operationsPort);
  });

  it('do not end a service with TLS, not even in the handshake', async function () {
    needOpenssl(this);
    const { certFile, keyFile } = newIssuer(folder.path).issue('server');
    const settings = { TLS_CERT: certFile, TLS_KEY: keyFile };
    const secure = await startMeasuredService(settings, new URL('./impatient-service.ts', import.meta.url));
    const descriptors = descriptorsOf(secure);
    try {
      const target = { port: secure.port, isTls: true };
      await resetOften(target, 500, SEED + 2);
      await expectUnharmed(secure, descriptors);
    } finally {
      await secure.stop();
    }
  });
});
