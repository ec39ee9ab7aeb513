import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { correlationIdOf } from '../../../src/transports/request-ids.ts';
import { requestOver, TRANSPORTS } from '../../support/http/four-transports.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';

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

describe('The caller', () => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });

  const linesOf = (correlationId: string) =>
    service.logLines.map((line) => JSON.parse(line)).filter((line) => line.correlationId === correlationId);

  for (const transport of TRANSPORTS) {
    const call = (centerid: string, more: Readonly<Record<string, string>>) => {
      const { url, headers, ...init } = requestOver(transport, service.endpoint, 'GetDoctor', { centerid });
      return fetch(url, { ...init, headers: { ...headers, ...more } });
    };

    it(`is logged for success and fault alike over ${transport}, with the caller's id, the client and the address`, async () => {
      for (const [center, status, msg] of [
        ['1', 200, 'call'],
        ['none', undefined, 'call rejected'],
      ] as const) {
        const id = `${transport}-${center}`;
        const answer = await call(center, { 'X-Request-Id': id });
        await answer.text();
        if (status !== undefined) expect(answer.status).to.equal(status);
        else expect(answer.status).to.be.within(400, 500);
        expect(answer.headers.get('x-correlation-id')).to.equal(id);
        const [line] = linesOf(id);
        expect(line).to.include({ msg, transport, client: 'anonymous', address: '127.0.0.1' });
      }
    });

    it(`gets a new id over ${transport} if the call has none`, async () => {
      const answer = await call('1', {});
      await answer.text();
      expect(linesOf(answer.headers.get('x-correlation-id') ?? '')).to.have.length(1);
    });
  }
});
