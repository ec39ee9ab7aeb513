import { expect } from 'chai';
import { type Parameters, requestOver, TRANSPORTS } from '../../support/http/four-transports.ts';
import { type Caller, sendAs } from '../../support/http/send-as.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { hashOf, writeClients } from './known-clients.ts';

const APP: Caller = { headers: { 'X-API-Key': 'app.right' } };
const CAMPAIGN: Caller = { headers: { 'X-API-Key': 'campaign.right' } };
const HERE: Caller = { localAddress: '127.0.0.5' };
const THERE: Caller = { localAddress: '127.0.0.6' };

const MODES = { service: 1, promotional: 2, password: 3, flash: 4 } as const;
const SMS_RATE = 2;
/** What waits of one client, by kind, once there is no room for more. */
const ROOM = { service: 60 * SMS_RATE, promotional: 600 * SMS_RATE, password: 5 * SMS_RATE, flash: 60 * SMS_RATE };

/** Nothing is sent: the service's outbox is not started. */
describe('A caller', () => {
  let CLIENTS_FILE: string;
  let service: RunningService;
  let count = 0;
  before(async () => {
    const clients = [
      { name: 'app', apiKeyHash: await hashOf('app.right') },
      { name: 'campaign', apiKeyHash: await hashOf('campaign.right'), fields: 'minimal', operations: ['Sent_SMS'] },
    ];
    CLIENTS_FILE = writeClients(clients);
  });

  const start = async (environment: Readonly<Record<string, string>> = {}) => {
    service = await startService({ environment: { RATE_LIMIT: '100000', SMS_RATE: `${SMS_RATE}`, ...environment } });
  };
  /** The status and the body, without what differs in each answer: ids. */
  const answer = async (
    caller: Caller,
    operation: string,
    parameters: Parameters,
    transport: (typeof TRANSPORTS)[number] = 'httpPost',
  ) => {
    const { status, body } = await sendAs(requestOver(transport, service.endpoint, operation, parameters), caller);
    return `${status} ${body}`.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replace(/(SMSID>)\d+/g, '$1N');
  };
  const codeOf = (text: string) => Number(/<ResultCode>(\d+)/.exec(text)?.[1]);
  const sms = (mode: number, Message: string, Mobileno = '9845012345') => ({
    Mobileno,
    Message,
    tempid: 0,
    SMSmode: mode,
  });
  const otherNumber = () => `98450${10_000 + count++}`;
  const queue = async (caller: Caller, kind: keyof typeof MODES) =>
    codeOf(await answer(caller, 'Sent_SMS', sms(MODES[kind], 'A text.', otherNumber())));
  /** As many messages of a kind as there is room for. */
  const fill = async (caller: Caller, kind: keyof typeof MODES, times = ROOM[kind]) => {
    for (let left = times; left > 0; left -= 20) {
      const codes = await Promise.all(Array.from({ length: Math.min(20, left) }, () => queue(caller, kind)));
      expect(new Set(codes)).to.deep.equal(new Set([0]));
    }
  };

  for (const [room, prepare] of [
    ['with room', async () => {}],
    ['without room', () => fill(CAMPAIGN, 'password')],
  ] as const) {
    for (const transport of TRANSPORTS) {
      it(`gets over ${transport} byte for byte the same answer to another client's one-time password as to a wrong one, ${room}`, async () => {
        await start({ CLIENTS_FILE });
        await prepare();
        expect(codeOf(await answer(APP, 'Sent_SMS', sms(3, 'Your OTP is 0989')))).to.equal(0);
        const guess = (digits: string) => answer(CAMPAIGN, 'Sent_SMS', sms(3, `Your OTP is ${digits}`), transport);
        const wrong = await guess('0001');
        expect(codeOf(wrong)).to.equal(room === 'without room' ? 35 : 0);
        expect(await guess('0989')).to.equal(wrong);
      });
    }
  }

  it('finds its own one-time password repeated, although there is no room for another', async () => {
    await start({ CLIENTS_FILE });
    const own = sms(3, 'Your OTP is 0989');
    expect(codeOf(await answer(APP, 'Sent_SMS', own))).to.equal(0);
    await fill(APP, 'password', ROOM.password - 1);
    expect(await queue(APP, 'password')).to.equal(35);
    expect(codeOf(await answer(APP, 'Sent_SMS', own))).to.equal(1);
  });

  it('that is not identified finds nothing repeated that another network has sent, and has room of its own', async () => {
    await start();
    const feedback = { ipno: 'IP-1', roomno: '12', moblieno: '', dept: 'Nursing', needsimprovementcommit: 'Cold tea.' };
    for (const [operation, parameters] of [
      ['Sent_SMS', sms(1, 'Your appointment is at 10:15.')],
      ['FB_Push_Details', feedback],
    ] as const) {
      for (const caller of [HERE, THERE]) expect(codeOf(await answer(caller, operation, parameters))).to.equal(0);
      for (const caller of [HERE, THERE]) expect(codeOf(await answer(caller, operation, parameters))).to.equal(1);
    }
    await fill(HERE, 'service', ROOM.service - 1);
    expect([await queue(HERE, 'service'), await queue(THERE, 'service')]).to.deep.equal([35, 0]);
  });

  it('that is not identified has its own Idempotency-Keys, by network', async () => {
    await start();
    const keyed = (caller: Caller) => ({ ...caller, headers: { 'Idempotency-Key': 'key-1' } });
    const here = await answer(keyed(HERE), 'Sent_SMS', sms(1, 'One'));
    expect(codeOf(here)).to.equal(0);
    expect(codeOf(await answer(keyed(THERE), 'Sent_SMS', sms(1, 'Two')))).to.equal(0);
    expect(await answer(keyed(HERE), 'Sent_SMS', sms(1, 'One'))).to.equal(here);
  });

  it('may send a one-time password, a service and a flash message while 1,200 promotional ones are held for the night', async () => {
    await start({ CLIENTS_FILE, SMS_RATE: '20' });
    await fill(CAMPAIGN, 'promotional', 1200);
    for (const kind of ['password', 'service', 'flash', 'promotional'] as const) {
      expect(await queue(CAMPAIGN, kind), kind).to.equal(0);
    }
  });
});
