import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type CommandFolder, commandFolder } from '../../../support/commands/command-folder.ts';
import { answerBytes, withoutDate } from '../../../support/http/answer-bytes.ts';
import { type OldService, startOldService } from '../../../support/http/old-service.ts';
import { GET_DOCTOR, postRequest, SOAP_11, soapRequest } from '../../../support/http/soap-request.ts';
import { needOpenssl, newIssuer } from '../../../support/http/test-certificates.ts';
import { freePort } from '../../../support/process/free-port.ts';
import { openSockets } from '../../../support/process/open-sockets.ts';
import { runByNode, type ServiceProcess, startProcess } from '../../../support/process/service-process.ts';
import { Random } from '../../../support/random/random.ts';

const TPWS = fileURLToPath(new URL('../../../../src/tpws.js', import.meta.url));
const SEED = 26;
const ROUNDS = 30;
const AT_ONCE = 20;
const BUSY_MACHINE = 10_000;
/** The rehearsal's connection to its trial instance, which it opens for the first request. */
const KEPT = 1;

const HOST = 'Host: old.example\r\n';
const GET_WSDL = `GET /TPWebServices.asmx?wsdl HTTP/1.1\r\n${HOST}`;
const GOOD_CALL = soapRequest(SOAP_11, GET_DOCTOR);
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const REQUESTS = [
  Buffer.from(`${GET_WSDL}\r\n`.repeat(3)),
  GOOD_CALL,
  soapRequest(SOAP_11, GET_DOCTOR, { Expect: '100-continue' }),
  postRequest('/TPWebServices.asmx/GetDoctor', FORM, `centerid=1&more=${'x'.repeat(100_000)}`),
  Buffer.from(`CONNECT old.example:443 HTTP/1.1\r\n${HOST}\r\n`),
  Buffer.from(`${GET_WSDL}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`),
];

/** When a caller resets its connection. */
const MOMENTS = ['connected', 'partly sent', 'answered', 'half-closed', 'half-closed and answered'] as const;

/** Resolves when the connection is gone. */
async function callAndReset(port: number, random: Random): Promise<void> {
  const [request, moment] = [random.pick(REQUESTS), random.pick(MOMENTS)];
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const reset = () => socket.resetAndDestroy();
  // Others may have ended the connection before.
  socket.on('error', () => {});
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on('close', () => resolve());
  if (moment === 'connected') reset();
  else if (moment === 'partly sent') socket.write(request.subarray(0, 1 + random.below(request.length)), reset);
  else if (moment === 'half-closed') socket.end(request, reset);
  else {
    if (moment === 'answered') socket.write(request);
    else socket.end(request);
    socket.once('data', reset).once('end', reset);
  }
  await closed;
}

for (const protocol of ['http', 'https']) {
  describe(`A rehearsal before an old service over ${protocol}, whose callers reset their connections at random moments`, function () {
    this.timeout(60_000);
    let folder: CommandFolder;
    let old: OldService;
    let rehearsal: ServiceProcess;
    let socketsBefore: number;
    const answers: string[] = [];

    before(async function () {
      if (protocol === 'https') needOpenssl(this);
      folder = commandFolder();
      const issuer = protocol === 'https' ? newIssuer(folder.path) : undefined;
      old = await startOldService(0, issuer?.issue('old'));
      const port = await freePort();
      rehearsal = startProcess(
        folder.path,
        { DATABASE_URL: await folder.databaseUrl(), NODE_EXTRA_CA_CERTS: issuer?.certFile ?? '' },
        [...runByNode(TPWS), 'rehearse', '--old', old.url, '--listen', String(port)],
      );
      await rehearsal.printed('Ctrl-C');
      socketsBefore = openSockets(rehearsal.processId);
      const random = new Random(SEED);
      const call = async () => withoutDate(await answerBytes(port, GOOD_CALL, BUSY_MACHINE));
      answers.push(await call());
      for (let round = 0; round < ROUNDS; round++) {
        await Promise.all(Array.from({ length: AT_ONCE }, () => callAndReset(port, random)));
        answers.push(await call());
      }
    });

    after(async () => {
      rehearsal?.signal('SIGKILL');
      await rehearsal?.exited();
      await old?.close();
      folder?.dispose();
    });

    it('returns the same answers to other callers meanwhile', () => {
      expect(rehearsal.errors()).to.equal('');
      expect(answers[0]).to.match(/^whole HTTP\/1\.1 200 OK\r\n/);
      expect(new Set(answers).size).to.equal(1);
    });

    it('keeps none of their sockets', async () => {
      const late = AbortSignal.timeout(BUSY_MACHINE);
      while (openSockets(rehearsal.processId) > socketsBefore + KEPT && !late.aborted) await sleep(50);
      expect(openSockets(rehearsal.processId)).to.be.at.most(socketsBefore + KEPT);
    });

    it('ends with its report when it is asked to', async () => {
      rehearsal.signal('SIGINT');
      expect(await rehearsal.exited()).to.equal(0);
      expect(rehearsal.errors()).to.equal('');
      expect(rehearsal.output())
        .to.match(/^# Rehearsal$/m)
        .and.match(/^Written to /m);
    });
  });
}
