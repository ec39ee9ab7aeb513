import { expect } from 'chai';
import type { Gateway, GatewayDependencies, OutgoingMessage } from '../../../src/messages/gateways/gateway.ts';
import type { DeliveryReceipt } from '../../../src/vocabulary/messages.ts';
import { perSuite } from '../../support/prepared.ts';
import { skipTest } from '../../support/skip-test.ts';

/** A message as the other end received it, reassembled from its segments. */
interface ReceivedMessage {
  /** With or without a plus sign: gateways differ. */
  readonly to: string;
  readonly text: string;
  readonly flash: boolean;
}

/** One of our gateways with a real other end. */
export interface GatewayUnderTest {
  /** A new gateway on the same other end. */
  open(dependencies: GatewayDependencies): Gateway;
  /** Messages received by the other end, oldest first; waits for those that are still being processed inside it. */
  received(): Promise<readonly ReceivedMessage[]>;
  /** Stops the other end; a new message is not handed over. */
  makeUnavailable?(): Promise<void>;
  /** Starts it again. */
  makeAvailable?(): Promise<void>;
  dispose(): Promise<void>;
}

export interface GatewaySuiteOptions {
  /** The milliseconds that one test may take. */
  readonly timeout?: number;
}

export const outgoing = (values: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  id: 1,
  mobile: '+919845012345',
  text: 'Your appointment is at 10:15.',
  encoding: 'GSM-7',
  flash: false,
  expiresOn: undefined,
  header: undefined,
  dltTemplateId: undefined,
  principalEntityId: undefined,
  ...values,
});

/** Real time and randomness; `receipts` and `events` collect what the gateway reports. */
export function gatewayDependencies(): GatewayDependencies & {
  readonly receipts: DeliveryReceipt[];
  readonly events: string[];
} {
  const receipts: DeliveryReceipt[] = [];
  const events: string[] = [];
  return {
    receipts,
    events,
    onReceipt: (receipt) => void receipts.push(receipt),
    clock: Date.now,
    stopwatch: () => performance.now(),
    rate: 10_000,
    environment: {},
    random: Math.random,
    baseUrl: 'http://127.0.0.1:8080',
    maySubmit: () => true,
    report: (event, code) => void events.push(code === undefined ? event : `${event} ${code}`),
  };
}

const HINDI = 'नमस्ते 🙏 आपकी अपॉइंटमेंट कल सुबह १०:१५ बजे है। कृपया समय पर पहुँचें 😀';
const TEXTS: readonly (readonly [what: string, encoding: OutgoingMessage['encoding'], text: string])[] = [
  ['a short text', 'GSM-7', 'Your appointment is at 10:15.'],
  ['160 letters', 'GSM-7', 'a'.repeat(160)],
  ['161 letters', 'GSM-7', `${'b'.repeat(160)}c`],
  ['five segments of GSM-7', 'GSM-7', '0123456789'.repeat(76)],
  ['every character of the extension table at a border', 'GSM-7', `${'x'.repeat(152)}€${'y'.repeat(151)}^{}\\[~]|`],
  ['special characters of URLs, JSON and XML', 'GSM-7', `a&b=c+d %41 "q" 'r' <s> #t ; / ? @ $ {text} \n end`],
  ['Hindi with an emoji', 'UCS-2', HINDI],
  ['an emoji at the border of a segment', 'UCS-2', `${'अ'.repeat(66)}😀${'अ'.repeat(60)}`],
  ['five segments of UCS-2', 'UCS-2', 'अआइईउ'.repeat(66)],
];

/** What every gateway promises to the outbox. */
export function gatewaySuite(
  title: string,
  openGatewayUnderTest: () => Promise<GatewayUnderTest>,
  { timeout = 20_000 }: GatewaySuiteOptions = {},
): void {
  describe(`Gateway: ${title}`, function () {
    this.timeout(timeout);
    const under = perSuite(() => openGatewayUnderTest());
    let gateway: Gateway;
    let dependencies: ReturnType<typeof gatewayDependencies>;
    /** Ids are never reused with the same other end. */
    let id = Math.floor(Date.now() / 1000) % 1_000_000;

    beforeEach(() => {
      dependencies = gatewayDependencies();
      gateway = under.open(dependencies);
    });
    afterEach(() => gateway.close());

    /** Sends until the message is accepted: a connection may still be starting. */
    async function submit(message: OutgoingMessage, by = gateway) {
      const late = Date.now() + timeout / 2;
      for (;;) {
        const fate = await by.send(message);
        if (fate.kind !== 'unavailable' || Date.now() > late) return fate;
        await new Promise((resume) => setTimeout(resume, 50));
      }
    }

    const newSince = async (count: number) => (await under.received()).slice(count);
    const digits = (to: string) => to.replace(/\D/g, '');

    for (const [what, encoding, text] of TEXTS) {
      it(`hands over ${what} unchanged`, async () => {
        const { length } = await under.received();
        const message = outgoing({ id: ++id, text, encoding });
        expect(await submit(message)).to.include({ kind: 'submitted' });
        const received = await newSince(length);
        expect(received.map(({ to, flash, ...rest }) => ({ to: digits(to), flash, ...rest }))).to.deep.equal([
          { to: '919845012345', text, flash: false },
        ]);
      });
    }

    for (const [encoding, text] of [
      ['GSM-7', 'Please come to desk 4.'],
      ['UCS-2', HINDI],
    ] as const) {
      it(`hands over a flash message of ${encoding}`, async () => {
        const { length } = await under.received();
        expect(await submit(outgoing({ id: ++id, text, encoding, flash: true }))).to.include({ kind: 'submitted' });
        expect((await newSince(length)).map(({ flash, text: arrived }) => ({ flash, text: arrived }))).to.deep.equal([
          { flash: true, text },
        ]);
      });
    }

    it('hands over many at the same time, each once', async () => {
      const { length } = await under.received();
      await submit(outgoing({ id: ++id, text: 'first' }));
      const texts = Array.from({ length: 10 }, (_, index) => `at once ${index}`);
      const fates = await Promise.all(texts.map((text) => gateway.send(outgoing({ id: ++id, text }))));
      expect(fates.map(({ kind }) => kind)).to.deep.equal(texts.map(() => 'submitted'));
      expect((await newSince(length)).map(({ text }) => text).sort()).to.deep.equal([...texts, 'first'].sort());
    });

    it('submits nothing as soon as another process may', async () => {
      let isHeld = true;
      const leased = under.open({ ...dependencies, maySubmit: () => isHeld });
      try {
        await submit(outgoing({ id: ++id, text: 'held' }), leased);
        const { length } = await under.received();
        isHeld = false;
        expect((await leased.send(outgoing({ id: ++id, text: 'not held' }))).kind).to.equal('unavailable');
        expect(await newSince(length)).to.deep.equal([]);
      } finally {
        await leased.close();
      }
    });

    it('may be closed twice, and before anything was sent', async () => {
      await gateway.close();
      await gateway.close();
    });

    it('reports that the other end is down, and never rejects', async function () {
      if (under.makeUnavailable === undefined || under.makeAvailable === undefined) {
        return skipTest(this, 'its other end cannot be taken away');
      }
      const { length } = await under.received();
      await under.makeUnavailable();
      try {
        const fate = await gateway.send(outgoing({ id: ++id, text: 'nobody is there' }));
        expect(fate.kind).to.equal('unavailable');
        expect(JSON.stringify(fate)).to.not.match(/9845012345|nobody/);
      } finally {
        await under.makeAvailable();
      }
      expect(await submit(outgoing({ id: ++id, text: 'back again' }))).to.include({ kind: 'submitted' });
      expect((await newSince(length)).map(({ text }) => text)).to.deep.equal(['back again']);
    });
  });
}
