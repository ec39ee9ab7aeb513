import { join } from 'node:path';
import { expect } from 'chai';
import { chooseHttpGateway } from '../../../src/messages/gateways/http-gateway.ts';
import { perSuite } from '../../support/prepared.ts';
import { freePort } from '../../support/process/free-port.ts';
import { startReady } from '../../support/process/service-process.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { gatewayAt } from './example-gateways.ts';
import { gatewayDependencies, gatewaySuite, outgoing } from './gateway-suite.ts';
import { startKannel } from './kannel.ts';
import { reaches, sendSms } from './sent-messages.ts';
import { startSmppServer } from './smpp-server-process.ts';

const HINDI = 'नमस्ते 🙏 आपकी अपॉइंटमेंट कल सुबह १०:१५ बजे है। कृपया समय पर पहुँचें 😀';
/** Our gateway connected to Kannel, and Kannel to an SMS center. */
async function throughKannel() {
  const folder = temporaryFolder();
  const center = await startSmppServer();
  const kannel = await startKannel(folder.path, center.port).catch(async (error: unknown) => {
    // Otherwise the SMS center would keep the tests from ending.
    await center.stop();
    throw error;
  });
  const chosen = chooseHttpGateway(gatewayAt(folder.path, kannel.url), {
    ...kannel,
    sender: 'HOSPTL',
    callbackSecret: undefined,
  });
  return {
    folder,
    center,
    kannel,
    chosen,
    dispose: async () => {
      await kannel.stop();
      await center.stop();
      folder.remove();
    },
  };
}

gatewaySuite(
  'the Kannel preset to an SMS center, by Kannel',
  async () => {
    const { center, kannel, chosen, dispose } = await throughKannel();
    let taken = 0;
    return {
      open: (dependencies) => {
        const gateway = chosen.open(dependencies);
        return {
          ...gateway,
          send: async (message) => {
            const fate = await gateway.send(message);
            if (fate.kind === 'submitted') taken++;
            return fate;
          },
        };
      },
      received: async () => (await center.messages(taken)).map(({ to, text, flash }) => ({ to, text, flash })),
      makeUnavailable: () => kannel.takeAway(),
      makeAvailable: () => kannel.bringBack(),
      dispose,
    };
  },
  { timeout: 60_000 },
);

describe('Kannel: how it handles a message', function () {
  this.timeout(60_000);
  const under = perSuite(() => throughKannel());

  it('passes on the sender, DLT ids and the expiry time', async () => {
    const gateway = under.chosen.open(gatewayDependencies());
    await gateway.send(
      outgoing({
        header: 'TPHOSP',
        dltTemplateId: '1107161234567890123',
        principalEntityId: '1101234567890123456',
        expiresOn: Date.now() + 600_000,
      }),
    );
    const [message] = await under.center.messages(1);
    expect(message?.from).to.equal('TPHOSP');
    expect(message?.parts[0]).to.include({
      principalEntityId: '1101234567890123456',
      templateId: '1107161234567890123',
    });
    expect(message?.parts[0]?.validityPeriod).to.match(/^\d{15}[+-]$/);
  });

  it('refuses a wrong password, which counts against no message', async () => {
    const settings = { ...under.kannel, password: 'wrong', sender: undefined, callbackSecret: undefined };
    const chosen = chooseHttpGateway(gatewayAt(under.folder.path, under.kannel.url), settings);
    const fate = await chosen.open(gatewayDependencies()).send(outgoing());
    expect(fate).to.deep.equal({ kind: 'unavailable', code: 'http-403' });
  });
});

describe('The service, Kannel and an SMS center', function () {
  this.timeout(60_000);
  const folder = perSuite(temporaryFolder);
  const database = () => join(folder.path, 'service.db');
  const center = perSuite(() => startSmppServer());
  const kannel = perSuite(() => startKannel(folder.path, center.port));
  const service = perSuite(async () =>
    startReady(folder.path, {
      PORT: String(await freePort()),
      DATABASE_URL: `sqlite:${database()}`,
      SMS_GATEWAY: `http:${gatewayAt(folder.path, kannel.url)}`,
      SMS_USERNAME: kannel.username,
      SMS_PASSWORD: kannel.password,
      SMS_SENDER: 'HOSPTL',
      SMS_CALLBACK_SECRET: 'callback-secret-0001',
    }),
  );

  for (const [stat, status, word] of [
    ['DELIVRD', 4, 'Delivered'],
    ['UNDELIV', 5, 'Failed'],
    ['EXPIRED', 6, 'Expired'],
  ] as const) {
    it(`move a message whose receipt says ${stat} from Submitted to ${word}`, async () => {
      await center.reset();
      await center.behave({ receipts: null });
      const text = `${HINDI} ${stat}`;
      const id = await sendSms(service, text);
      const [message] = await center.messages(1);
      expect(message).to.include({ text, to: '919845054321', from: 'HOSPTL', flash: false });
      await reaches(database(), id, 3);
      for (const part of message?.parts ?? []) await center.sendReceipt({ id: part.id, stat, form: 'both' });
      await reaches(database(), id, status);
    });
  }

  it('deliver a flash message', async () => {
    await center.reset();
    await center.behave({ receipts: { stat: 'DELIVRD', form: 'text', delay: 20 } });
    const id = await sendSms(service, 'Please come to desk 4.', { SMSmode: 4 });
    expect(await center.messages(1)).to.have.nested.property('[0].flash', true);
    await reaches(database(), id, 4);
  });

  for (const [what, peculiar] of [
    ['masks the phone', { source_addr: '91984XXXXX21' }],
    ['leaves the phone out', { source_addr: '' }],
    ['swaps sender and phone', { source_addr: 'HOSPTL', destination_addr: '919845054321' }],
  ] as const) {
    it(`count a receipt that ${what}`, async () => {
      await center.reset();
      await center.behave({ receipts: { stat: 'DELIVRD', form: 'text', delay: 20, peculiar } });
      await reaches(database(), await sendSms(service, what), 4);
    });
  }

  it('say that the SMS center refused the account', async () => {
    await center.reset();
    await center.behave({ status: 0x0a });
    expect(await reaches(database(), await sendSms(service, 'No sender'), 5)).to.equal('16');
  });

  it('write no secret, number or text to the log', () => {
    const printed = service.output() + service.errors();
    expect(printed).to.contain('kannel.json at http://');
    expect(printed).to.not.match(/callback-secret|9845054321|नमस्ते|a\+b&c/);
  });
});
