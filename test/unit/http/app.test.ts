import { get, type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import type { Express } from 'express';
import supertest from 'supertest';
import type { Call, Invoke } from '../../../src/calls/call.ts';
import { createApp } from '../../../src/http/app.ts';
import { EVERY_ANSWER } from '../../../src/transports/answer.ts';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { Refusal } from '../../../src/vocabulary/result-codes.ts';
import { appDependencies } from '../../support/http/app-dependencies.ts';
import { listenHere } from '../../support/http/listen-here.ts';
import { envelope, GET_DOCTOR, SOAP_11, SOAP_12 } from '../../support/http/soap-request.ts';
import { TEST_NOW } from '../../support/process/start-service.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';
import { NAMESPACE, SMALL_CONTRACT } from '../../wire/contract/small-contract.ts';
import { wsdlOf } from '../../wire/contract/wsdl-of.ts';

const PATH = ownContract.path;
const LIST = { ResultCode: 0, ResultText: 'OK.', Doctors: { Doctor: [] } };
const succeed: Invoke = async () => ({ record: LIST, refused: false, parameter: undefined });

/** Serves an app, and returns its address. */
const serve = async (app: Express): Promise<string> => `http://127.0.0.1:${(await listenHere(app)).port}`;

/** The address of the app with an `invoke` that the test provides. */
const appWith = async (invoke: Invoke, refusals: 'fault' | 'result' = 'fault'): Promise<string> =>
  serve(await createApp(appDependencies({ invoke, refusals, clock: () => TEST_NOW })));

/** GetDoctor over each transport. */
const TRANSPORTS = {
  soap11: (app: string) =>
    supertest(app).post(PATH).set('Content-Type', SOAP_11.contentType).send(envelope(SOAP_11, GET_DOCTOR)),
  soap12: (app: string) =>
    supertest(app).post(PATH).set('Content-Type', SOAP_12.contentType).send(envelope(SOAP_12, GET_DOCTOR)),
  httpGet: (app: string) => supertest(app).get(`${PATH}/GetDoctor?centerid=2`),
  httpPost: (app: string) => supertest(app).post(`${PATH}/GetDoctor`).type('form').send('centerid=2'),
} as const;
/** What an answer contains if the server is to blame. */
const SERVER_FAULT = { soap11: 'soap:Server</', soap12: 'soap:Receiver</', httpGet: '', httpPost: '' } as const;
const transports = Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[];
const bodyOf = ({ text, body }: supertest.Response): string => text ?? String(body);

describe('The app', () => {
  for (const transport of transports) {
    it(`A call over ${transport} is invoked once, with its operation, its input and its transport.`, async () => {
      const calls: Call[] = [];
      const app = await appWith((call) => {
        calls.push(call);
        return succeed(call);
      });
      const answer = await TRANSPORTS[transport](app);
      expect(answer.status).to.equal(200);
      const seen = calls.map((call) => [call.operation.name, call.input, call.transport, call.correlationId]);
      // As JSON, which leaves out parameters without a value.
      expect(JSON.parse(JSON.stringify(seen))).to.deep.equal([['GetDoctor', { centerid: 2 }, transport, 'id-1']]);
    });

    it(`An internal error over ${transport} is a server fault that discloses only a correlation id.`, async () => {
      const app = await appWith(async () => {
        throw new Error('SELECT secret FROM patients');
      });
      const answer = await TRANSPORTS[transport](app).buffer(true);
      expect(answer.status).to.equal(500);
      expect(bodyOf(answer)).to.include('id-1').and.not.include('secret');
      expect(answer.headers['x-correlation-id']).to.equal('id-1');
      expect(answer.headers['content-length']).to.equal(String(Buffer.byteLength(bodyOf(answer))));
      expect(bodyOf(answer)).to.include(SERVER_FAULT[transport]);
    });

    it(`A busy store over ${transport} is answered with 503 and Retry-After.`, async () => {
      const app = await appWith(async () => {
        throw new ServiceError('Unavailable', undefined, { cause: new Error('SQLITE_BUSY secret') });
      });
      const answer = await TRANSPORTS[transport](app).buffer(true);
      expect(answer.status).to.equal(503);
      expect(answer.headers['retry-after']).to.match(/^[1-9]\d*$/);
      expect(bodyOf(answer)).to.not.include('secret');
      expect(bodyOf(answer)).to.include(SERVER_FAULT[transport]);
    });

    it(`A record that cannot be written over ${transport} is a server fault, not half an answer.`, async () => {
      const record = { ResultCode: 0, ResultText: 'secret \u0000' };
      const app = await appWith(async () => record);
      const answer = await TRANSPORTS[transport](app).buffer(true);
      expect(answer.status).to.equal(500);
      expect(bodyOf(answer)).to.not.include('secret');
    });

    it(`A refusal over ${transport} is a fault or a result, depending on the setting.`, async () => {
      const refuse: Invoke = async () => {
        throw new Refusal('SlotTaken', 'Taken.');
      };
      const asFault = await TRANSPORTS[transport](await appWith(refuse)).buffer(true);
      expect(asFault.status).to.equal({ soap11: 500, soap12: 500, httpGet: 409, httpPost: 409 }[transport]);
      const asResult = await TRANSPORTS[transport](await appWith(refuse, 'result')).buffer(true);
      expect(asResult.status).to.equal(200);
      for (const answer of [asFault, asResult]) expect(bodyOf(answer)).to.include('<ResultCode>14</ResultCode>');
      expect(bodyOf(asResult)).to.not.include('Fault');
    });
  }

  for (const content of ['', ' xsi:nil="true"']) {
    it(`An operation without parameters is called over every transport, in SOAP by <Ping${content}/>.`, async () => {
      const calls: unknown[] = [];
      const invoke: Invoke = async ({ operation, input, transport }) => {
        calls.push([operation.name, { ...input }, transport]);
        return { ResultCode: 0, ResultText: 'OK.' };
      };
      const small = { contract: SMALL_CONTRACT, wsdl: wsdlOf(SMALL_CONTRACT) };
      const app = await serve(await createApp(appDependencies({ invoke, clock: () => TEST_NOW, ...small })));
      const ping = `<Ping xmlns="${NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"${content}/>`;
      const { path } = SMALL_CONTRACT;
      for (const version of [SOAP_11, SOAP_12]) {
        const soap = supertest(app).post(path).set('Content-Type', version.contentType);
        expect(bodyOf(await soap.send(envelope(version, ping)).buffer(true))).to.include('<ResultCode>0</ResultCode>');
      }
      expect((await supertest(app).get(`${path}/Ping`)).status).to.equal(200);
      expect((await supertest(app).post(`${path}/Ping`)).status).to.equal(200);
      expect(calls).to.deep.equal(transports.map((transport) => ['Ping', {}, transport]));
    });
  }

  for (const path of [PATH, PATH.toLowerCase(), `${PATH}/`]) {
    it(`A call to ${path} is served.`, async () => {
      const app = await appWith(succeed);
      const soap = supertest(app).post(path).set('Content-Type', SOAP_11.contentType);
      expect((await soap.send(envelope(SOAP_11, GET_DOCTOR))).status).to.equal(200);
    });
  }
  for (const [path, status] of [
    [`${PATH}/GetDoctor`, 200],
    [`${PATH.toUpperCase()}/GetDoctor/`, 200],
    [`${PATH}/Get%44octor`, 200],
    [`${PATH}/getdoctor`, 404],
    [`${PATH}//GetDoctor`, 200],
    [`${PATH}/GetDoctor/1`, 404],
  ] as const) {
    it(`A form at ${path} is answered ${status}.`, async () => {
      const app = await appWith(succeed);
      expect((await supertest(app).get(`${path}?centerid=2`)).status).to.equal(status);
      expect((await supertest(app).post(path).type('form').send('centerid=2')).status).to.equal(status);
    });
  }

  it('No answer names the server software or has an ETag.', async () => {
    const app = await appWith(succeed);
    for (const target of ['/', PATH, `${PATH}?wsdl`, `${PATH}/GetDoctor?centerid=2`, '/nowhere']) {
      const { headers } = await supertest(app).get(target);
      expect(headers).to.not.have.any.keys('x-powered-by', 'server', 'etag');
      expect(headers).to.include({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    }
  });

  it('No answer gives a header twice, even if a page has a policy of its own.', async () => {
    const app = await appWith(succeed);
    for (const target of ['/', PATH, `${PATH}?op=GetDoctor`, `${PATH}/GetDoctor?centerid=2`, '/nowhere']) {
      const sent = await new Promise<IncomingMessage>((resolve) => {
        get(app + target, resolve);
      });
      sent.resume();
      const names = sent.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
      expect(names).to.include.members(Object.keys(EVERY_ANSWER).map((name) => name.toLowerCase()));
      expect(names, target).to.deep.equal([...new Set(names)]);
    }
  });

  for (const [settings, given, vary] of [
    ['no CORS', {}, 'Accept'],
    ['CORS', { corsOrigins: ['https://a.example'] }, 'Accept, Origin'],
  ] as const) {
    it(`With ${settings}, each answer to a call has its headers once.`, async () => {
      let refused = false;
      const invoke: Invoke = async () => ({ record: { ...LIST, ResultCode: 11 }, refused, parameter: undefined });
      const server = await listenHere(await createApp(appDependencies({ invoke, clock: () => TEST_NOW, ...given })));
      for (const isRefused of [false, true]) {
        refused = isRefused;
        for (const [transport, varies] of [
          ['httpGet', vary],
          ['soap11', undefined],
        ] as const) {
          const { rawHeaders, headers } = await sentFor(transport, server.port);
          const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
          expect(names, transport).to.deep.equal([...new Set(names)]);
          expect(headers).to.include({ 'x-correlation-id': 'id-1' });
          expect(headers['content-type']).to.equal('text/xml; charset=utf-8');
          if (varies !== undefined) expect(headers.vary).to.equal(varies);
        }
      }
    });
  }
});

/** What the server sends for GetDoctor. */
async function sentFor(transport: 'httpGet' | 'soap11', port: number): Promise<IncomingMessage> {
  const sent = await new Promise<IncomingMessage>((resolve) => {
    const of = { host: '127.0.0.1', port };
    if (transport === 'httpGet') get({ ...of, path: `${PATH}/GetDoctor?centerid=2` }, resolve);
    else {
      const headers = { 'Content-Type': SOAP_11.contentType };
      request({ ...of, path: PATH, method: 'POST', headers }, resolve).end(envelope(SOAP_11, GET_DOCTOR));
    }
  });
  return sent.resume();
}
