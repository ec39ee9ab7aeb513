import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'chai';
import type { Gateway, SendFate } from '../../../src/messages/gateways/gateway.ts';
import { statusOf } from '../../../src/messages/gateways/pdu.ts';
import type { SmppGatewaySettings } from '../../../src/messages/gateways/smpp-gateway.ts';
import { needOpenssl, newIssuer } from '../../support/http/test-certificates.ts';
import { perSuite } from '../../support/prepared.ts';
import { freePort } from '../../support/process/free-port.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { until } from '../../support/process/until.ts';
import { gatewayDependencies, gatewaySuite, outgoing } from './gateway-suite.ts';
import { startSmppServer } from './smpp-server-process.ts';
import { openOn, PASSWORD, SHORT_TIMES, SYSTEM_ID, smppUnderTest } from './smpp-under-test.ts';

gatewaySuite('SMPP', smppUnderTest);

const LONG_HINDI = `${'नमस्ते '.repeat(9)}नमस 😀 ${'आपकी अपॉइंटमेंट कल है। '.repeat(5)}`;

describe('The SMPP gateway', () => {
  const server = perSuite(() => startSmppServer({ systemId: SYSTEM_ID, password: PASSWORD }));
  let dependencies: ReturnType<typeof gatewayDependencies>;
  let gateway: Gateway | undefined;
  beforeEach(async () => {
    await server.reset();
    dependencies = gatewayDependencies();
  });
  afterEach(async () => {
    await gateway?.close();
    gateway = undefined;
  });

  function open(settings: Partial<SmppGatewaySettings> = {}): Gateway {
    gateway = openOn(server, dependencies, settings);
    return gateway;
  }
  const receipts = () => dependencies.receipts.map(({ reference, status, code }) => `${reference} ${status} ${code}`);

  it('binds once, submits everything that belongs to a message, and unbinds', async () => {
    const dlt = { header: 'CLINIC', dltTemplateId: '1107160000000000001', principalEntityId: '1101000000000000001' };
    const sent = await open().send(outgoing({ id: 65_543, expiresOn: Date.now() + 600_500, ...dlt }));
    const [submit] = await server.submits();
    expect(sent).to.deep.equal({ kind: 'submitted', reference: submit?.id });
    const addresses = { from: 'CLINIC', fromTon: 5, fromNpi: 0, to: '919845012345', toTon: 1, toNpi: 1 };
    const form = { dataCoding: 0, esmClass: 0, registeredDelivery: 1, validityPeriod: '000000001000000R' };
    const ids = { templateId: dlt.dltTemplateId, principalEntityId: dlt.principalEntityId };
    expect(submit).to.deep.include({ ...addresses, ...form, ...ids, userMessageReference: 7 });
    await gateway?.close();
    expect(await server.counts({ unbinds: 1 })).to.include({ binds: 1, unbinds: 1 });
    expect(dependencies.events).to.deep.equal(['connected']);
  });

  it('submits as many segments as were counted, and returns the id of the last', async () => {
    const text = `${'a'.repeat(152)}€${'b'.repeat(151)}^{}`;
    const sent = await open().send(outgoing({ text }));
    const [message] = await server.messages(1);
    expect(message).to.deep.include({ text });
    expect(message?.parts.map(({ length }) => length)).to.deep.equal([6 + 152, 6 + 153, 6 + 6]);
    expect(sent).to.deep.equal({ kind: 'submitted', reference: message?.ids.at(-1) });
  });

  describe('when it cannot bind', () => {
    it('says why, tries again after a while, and delays no message', async () => {
      const sent = await open({ password: 'wrong' }).send(outgoing());
      expect(sent).to.deep.equal({ kind: 'unavailable', code: 'ESME_RINVPASWD' });
      expect((await server.counts({ bindsRefused: 3 })).bindsRefused).to.be.at.least(3);
      // Reported once, not each time.
      expect(dependencies.events).to.deep.equal(['disconnected ESME_RINVPASWD']);
    });

    it('waits for increasing times, up to a limit', async () => {
      const port = await freePort();
      let asked = 0;
      const times = { reconnectMs: 5, longestReconnectMs: 40 };
      const random = () => {
        asked++;
        return 0.999;
      };
      dependencies = { ...dependencies, random };
      const since = performance.now();
      open({ address: { host: '127.0.0.1', port, tls: false }, times });
      await until(() => asked === 7);
      // 5 + 10 + 20 + 40 + 40 + 40, a little less for timers that fire a fraction of a millisecond early.
      expect(performance.now() - since).to.be.at.least(145);
      expect(await gateway?.send(outgoing())).to.deep.equal({ kind: 'unavailable', code: 'ECONNREFUSED' });
    });

    for (const [what, answer, code] of [
      ['never answers', '', 'bind_transceiver-unanswered'],
      ['refuses without saying what', '00000010800000000000000400000000', 'ESME_RINVBNDSTS'],
    ] as const) {
      it(`gives up on a server that accepts the connection and ${what}`, async () => {
        const odd = createServer((socket) => socket.on('data', () => socket.write(Buffer.from(answer, 'hex'))));
        await once(odd.listen(0, '127.0.0.1'), 'listening');
        const { port } = odd.address() as { port: number };
        const refused = open({ address: { host: '127.0.0.1', port, tls: false }, times: { responseMs: 100 } });
        expect(await refused.send(outgoing())).to.deep.equal({ kind: 'unavailable', code });
        await refused.close();
        odd.close();
      });
    }
  });

  describe('when the connection drops', () => {
    it('binds again', async () => {
      await open().send(outgoing({ id: 1 }));
      await server.drop();
      await server.counts({ binds: 2 });
      await until(() => dependencies.events.length === 3);
      expect((await gateway?.send(outgoing({ id: 2 })))?.kind).to.equal('submitted');
      const [first, second = '', third] = dependencies.events;
      expect([first, third]).to.deep.equal(['connected', 'connected']);
      expect(second).to.match(/^disconnected /);
    });

    it('reports a message that was being sent as unknown', async () => {
      await server.behave({ answer: 'drop', times: 1 });
      const sent = await open().send(outgoing());
      expect(sent.kind).to.equal('unknown');
      expect(sent)
        .to.have.property('code')
        .that.matches(/^closed-by-gateway$|^ECONNRESET$/);
      await server.counts({ binds: 2 });
      expect((await gateway?.send(outgoing({ id: 2 })))?.kind).to.equal('submitted');
    });

    it('notices a connection that died silently', async () => {
      await server.behave({ enquireLink: false });
      await open({ times: { enquireLinkMs: 30, responseMs: 30 } }).send(outgoing());
      await server.counts({ enquireLinks: 1 });
      await until(() => dependencies.events.includes('disconnected enquire_link-unanswered'));
    });
  });

  it('keeps an idle connection alive with enquire_link', async () => {
    await open({ times: { enquireLinkMs: 10 } }).send(outgoing());
    await server.counts({ enquireLinks: 3 });
    expect(await server.counts()).to.include({ binds: 1, bound: 1 });
  });

  it('answers a PDU that it cannot read, and continues reading', async () => {
    await open().send(outgoing());
    // A deliver_sm whose TLV extends beyond its end, then an unknown command.
    await server.sendRaw(`00000025000000050000000000000063${'00'.repeat(17)}04270001`);
    await server.sendRaw('00000010000007770000000000000064');
    expect(await server.counts({ deliverResps: 1, genericNacks: 1 })).to.include({ binds: 1 });
    expect((await gateway?.send(outgoing({ id: 2 })))?.kind).to.equal('submitted');
    expect(dependencies.events).to.deep.equal(['connected', 'sent a message that is no receipt']);
  });

  it('reconnects if the stream no longer makes sense', async () => {
    await open().send(outgoing());
    await server.sendRaw('0000000300');
    await server.counts({ binds: 2 });
    expect((await gateway?.send(outgoing({ id: 2 })))?.kind).to.equal('submitted');
  });

  for (const [name, kind] of [
    ['ESME_RTHROTTLED', 'unavailable'],
    ['ESME_RSYSERR', 'failed'],
    ['ESME_RINVDSTADR', 'refused'],
  ] as const) {
    it(`takes ${name} as ${kind}`, async () => {
      await server.behave({ status: statusOf(name), times: 1 });
      expect(await open().send(outgoing())).to.deep.equal({ kind, code: name });
      expect((await gateway?.send(outgoing({ id: 2 })))?.kind).to.equal('submitted');
    });
  }

  describe('in the middle of a long message', () => {
    const text = 'x'.repeat(400);

    it('goes on there when an SMS center accepted no more segments for the moment', async () => {
      await server.behave({ status: statusOf('ESME_RTHROTTLED'), after: 1, times: 1 });
      const sent = await open().send(outgoing({ text }));
      expect(sent).to.deep.equal({ kind: 'unavailable', code: 'ESME_RTHROTTLED' });
      expect((await gateway?.send(outgoing({ text })))?.kind).to.equal('submitted');
      expect((await server.messages(1)).map((message) => message.text)).to.deep.equal([text]);
      // It went on at the segment that was refused.
      expect(await server.counts()).to.include({ submits: 4 });
    });

    it('sends an SMS center no more than it takes, no segment twice, and all of it', async () => {
      await server.behave({ perSecond: 20 });
      dependencies = { ...dependencies, rate: 40 };
      open();
      const sendAll = async (id: number) => {
        while ((await gateway?.send(outgoing({ id, text: 'x'.repeat(760) })))?.kind !== 'submitted');
      };
      await Promise.all(Array.from({ length: 12 }, (_, id) => sendAll(id + 1)));
      expect(await server.messages(12)).to.have.length(12);
      const { submits, throttled } = await server.counts();
      expect(submits - throttled).to.equal(60);
      expect(throttled).to.be.below(20);
    }).timeout(30_000);

    it('reports unknown if the answer to a segment is missing', async () => {
      await server.behave({ answer: 'silent', after: 1 });
      const sent = await open({ times: { submitMs: 50 } }).send(outgoing({ text }));
      expect(sent).to.deep.equal({ kind: 'unknown', code: 'submit_sm-unanswered' });
      await server.behave({ answer: 'answer' });
      expect((await gateway?.send(outgoing({ text })))?.kind).to.equal('submitted');
      expect(await server.counts()).to.include({ submits: 4 });
    });
  });

  describe('receipts', () => {
    for (const form of ['text', 'tlv', 'both'] as const) {
      for (const [stat, status] of [
        ['DELIVRD', 'delivered'],
        ['UNDELIV', 'failed'],
        ['EXPIRED', 'expired'],
      ]) {
        it(`of ${stat} in the form ${form} report ${status}, and are acknowledged`, async () => {
          await server.behave({ receipts: { stat: stat ?? '', err: '001', form } });
          const sent = await open().send(outgoing({ id: 9 }));
          await server.counts({ deliverResps: 1 });
          const reference = 'reference' in sent ? sent.reference : undefined;
          expect(receipts()).to.deep.equal([`${reference} ${status} ${stat}${form === 'tlv' ? '' : ':001'}`]);
        });
      }
    }

    for (const [ids, other] of [
      ['hexadecimal', 'decimal'],
      ['decimal', 'hexadecimal'],
    ] as const) {
      it(`in ${other} name a message that was accepted in ${ids}, with its phone and our own reference`, async () => {
        await server.behave({ ids, receipts: { stat: 'DELIVRD', form: 'tlv', ids: other } });
        const sent = await open().send(outgoing({ id: 9 }));
        await server.counts({ deliverResps: 1 });
        const [receipt] = dependencies.receipts;
        expect(receipt?.hints?.references).to.include('reference' in sent ? sent.reference : undefined);
        expect(receipt?.hints).to.deep.include({ idEnd: 9, mobiles: ['919845012345'] });
      });
    }

    it('of a long message in Hindi come for its last segment', async () => {
      await server.behave({ receipts: { stat: 'DELIVRD', form: 'both' } });
      const sent = await open().send(outgoing({ id: 9, text: LONG_HINDI }));
      const [message] = await server.messages(1);
      expect(message?.text).to.equal(LONG_HINDI);
      await server.counts({ deliverResps: 1 });
      expect(sent).to.deep.equal({ kind: 'submitted', reference: message?.ids.at(-1) });
      expect(receipts()).to.deep.equal([`${message?.ids.at(-1)} delivered DELIVRD:000`]);
    });

    it('of another segment than the last fail its message, and say nothing else', async () => {
      await open().send(outgoing({ id: 9, text: LONG_HINDI }));
      const [first] = await server.submits();
      for (const stat of ['DELIVRD', 'UNDELIV']) await server.sendReceipt({ id: first?.id ?? '', stat });
      await server.counts({ deliverResps: 2 });
      expect(dependencies.receipts.map(({ messageId, status }) => [messageId, status])).to.deep.equal([[9, 'failed']]);
    });

    it('that cannot be stored are requested again', async () => {
      dependencies = { ...dependencies, onReceipt: () => Promise.reject(new Error('disk full')) };
      await server.behave({ receipts: { stat: 'DELIVRD', form: 'both' } });
      await open().send(outgoing({ id: 9 }));
      expect(await server.counts({ deliverRefusals: 1 })).to.include({ deliverResps: 0 });
    });

    it('that are not marked name the phone, so that nobody can write them about the messages of others', async () => {
      await open().send(outgoing({ id: 9 }));
      const [submit] = await server.submits();
      for (const from of ['919845099999', 'HOSPTL']) {
        await server.sendIncoming({ from, to: 'HOSPTL', text: `id:${submit?.id} stat:UNDELIV err:001` });
      }
      await server.counts({ deliverResps: 2 });
      expect(dependencies.receipts.map(({ hints }) => hints?.mobiles)).to.deep.equal([['919845099999']]);
      expect(dependencies.events).to.include('sent a message that is no receipt');
    });
  });

  it('reports nothing about the message, its phone or the password in its events', async () => {
    const fates: SendFate[] = [];
    for (const status of ['ESME_RINVDSTADR', 'ESME_RSYSERR', 'ESME_RTHROTTLED']) {
      await server.behave({ status: statusOf(status), times: 1 });
      fates.push(await (gateway ?? open()).send(outgoing()));
    }
    await server.drop();
    await until(() => dependencies.events.length > 1);
    expect(JSON.stringify([fates, dependencies.events])).to.not.match(
      new RegExp(`9845012345|appointment|${PASSWORD}`, 'i'),
    );
  });

  it('leaves nothing behind that keeps a process alive', async () => {
    const program = `
      import { openOn } from './test/unit/messages/smpp-under-test.ts';
      import { gatewayDependencies, outgoing } from './test/unit/messages/gateway-suite.ts';
      const up = openOn({ port: ${server.port} }, gatewayDependencies(), { times: { submitMs: 60000, enquireLinkMs: 60000 } });
      const away = openOn({ port: 1 }, gatewayDependencies(), { times: { reconnectMs: 1e6, longestReconnectMs: 1e6 } });
      const { kind } = await up.send(outgoing());
      await away.send(outgoing());
      await Promise.all([up.close(), away.close()]);
      process.stdout.write(kind);
    `;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close', { signal: AbortSignal.timeout(10_000) });
    const output = await text(child.stdout);
    const [code] = await closed;
    expect([code, output]).to.deep.equal([0, 'submitted']);
  });

  describe('over TLS', () => {
    const folder = perSuite(temporaryFolder);
    let ca: string;
    const trusted = getCACertificates('default');
    const secure = perSuite((context) => {
      needOpenssl(context);
      const issuer = newIssuer(folder.path);
      ca = issuer.cert;
      const { keyFile: key, certFile: cert } = issuer.issue('center');
      return startSmppServer({ tls: { key, cert } });
    });
    after(() => setDefaultCACertificates(trusted));

    it('refuses an untrusted certificate, and accepts a trusted one', async () => {
      const address = { host: '127.0.0.1', port: secure.port, tls: true };
      const distrustful = openOn(secure, dependencies, { address });
      const refused = await distrustful.send(outgoing());
      await distrustful.close();
      expect(refused).to.deep.equal({ kind: 'unavailable', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
      expect(await secure.counts()).to.include({ binds: 0 });
      setDefaultCACertificates([...trusted, ca]);
      const sent = await open({ address, times: { ...SHORT_TIMES } }).send(outgoing());
      expect(sent.kind).to.equal('submitted');
    });
  });
});
