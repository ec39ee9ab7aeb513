import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { correlationIdOf } from '../../src/transports/request-ids.ts';
import { type RunningService, startService } from '../support/process/start-service.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const idOf = (headers: Readonly<Record<string, string | undefined>>) =>
  correlationIdOf({ headers } as unknown as IncomingMessage, () => 'new');

describe('The correlation id', () => {
  it("is the caller’s X-Request-Id, otherwise the caller's trace id, otherwise a new one", () => {
    const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
    expect(idOf({ 'x-request-id': 'desk-7:42.a_B', traceparent })).to.equal('desk-7:42.a_B');
    expect(idOf({ 'x-request-id': 'x'.repeat(64) })).to.equal('x'.repeat(64));
    expect(idOf({ traceparent })).to.equal(TRACE);
    expect(idOf({})).to.equal('new');
  });

  it('is a new one if the caller’s is too long or has unsafe characters', () => {
    for (const id of ['', 'x'.repeat(65), 'a b', 'a"b', 'a<b', 'a\nb', 'a,b', 'é', 'a/b']) {
      expect(idOf({ 'x-request-id': id }), id).to.equal('new');
    }
    for (const traceparent of [
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `ff-${TRACE}-00f067aa0ba902b7-01`,
      `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
      TRACE,
    ]) {
      expect(idOf({ traceparent }), traceparent).to.equal('new');
    }
  });
});

const SOAP = (namespace: string, center: string) =>
  `<s:Envelope xmlns:s="${namespace}"><s:Body><GetDoctor xmlns="http://tempuri.org/"><centerid>${center}</centerid></GetDoctor></s:Body></s:Envelope>`;

/** GetDoctor of a center over each transport; `none` is not a number. */
const CALLS: Readonly<
  Record<string, (endpoint: string, center: string, headers: Readonly<Record<string, string>>) => Promise<Response>>
> = {
  soap11: (endpoint, center, headers) =>
    fetch(endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'text/xml; charset=utf-8', ...headers },
      body: SOAP('http://schemas.xmlsoap.org/soap/envelope/', center),
    }),
  soap12: (endpoint, center, headers) =>
    fetch(endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/soap+xml; charset=utf-8', ...headers },
      body: SOAP('http://www.w3.org/2003/05/soap-envelope', center),
    }),
  httpGet: (endpoint, center, headers) => fetch(`${endpoint}/GetDoctor?centerid=${center}`, { headers }),
  httpPost: (endpoint, center, headers) =>
    fetch(`${endpoint}/GetDoctor`, { method: 'POST', headers, body: new URLSearchParams({ centerid: center }) }),
};

describe('The caller', () => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });

  const linesOf = (correlationId: string) =>
    service.logLines.map((line) => JSON.parse(line)).filter((line) => line.correlationId === correlationId);

  for (const [transport, call] of Object.entries(CALLS)) {
    it(`is logged for success and fault alike over ${transport}, with the caller's id, the client and the address`, async () => {
      for (const [center, status, msg] of [
        ['1', 200, 'call'],
        ['none', undefined, 'call rejected'],
      ] as const) {
        const id = `${transport}-${center}`;
        const answer = await call(service.endpoint, center, { 'X-Request-Id': id });
        await answer.text();
        if (status !== undefined) expect(answer.status).to.equal(status);
        else expect(answer.status).to.be.within(400, 500);
        expect(answer.headers.get('x-correlation-id')).to.equal(id);
        const [line] = linesOf(id);
        expect(line).to.include({ msg, transport, client: 'anonymous', address: '127.0.0.1' });
      }
    });

    it(`gets a new id over ${transport} if the call has none`, async () => {
      const answer = await call(service.endpoint, '1', {});
      await answer.text();
      expect(linesOf(answer.headers.get('x-correlation-id') ?? '')).to.have.length(1);
    });
  }
});
