import { Budgets } from '../../../src/log/budgets.ts';
import type { LogFields } from '../../../src/log/log.ts';
import type { GatewayDependencies, OutgoingMessage, SendFate } from '../../../src/messages/gateways/gateway.ts';
import { type OutboxDependencies, type OutboxLimits, outboxLimits } from '../../../src/messages/outbox-settings.ts';
import { OutboxWorker } from '../../../src/messages/outbox-worker.ts';
import type { NewMessage } from '../../../src/store/queries/message-queries.ts';
import type { Queries, Store } from '../../../src/store/store.ts';
import type { DeliveryReceipt } from '../../../src/vocabulary/messages.ts';
import { TEST_NOW } from '../../support/process/start-service.ts';
import { ManualTime } from './manual-time.ts';
import { newMessage, otherNumber } from './new-message.ts';

export const SUBMITTED: SendFate = { kind: 'submitted', reference: undefined };

/** A gateway's behaviour, as defined by a test. */
class ScriptedGateway {
  readonly sent: OutgoingMessage[] = [];
  /** The largest number being sent at the same time. */
  busiest = 0;
  opened = 0;
  closed = 0;
  dependencies: GatewayDependencies | undefined;
  /** Answers a message; accepts every message unless a test says otherwise. */
  answer: (message: OutgoingMessage) => SendFate | Promise<SendFate> = () => SUBMITTED;
  #busy = 0;

  readonly description = 'scripted';
  open(dependencies: GatewayDependencies) {
    this.opened++;
    this.dependencies = dependencies;
    return {
      send: async (message: OutgoingMessage) => {
        this.sent.push(message);
        this.busiest = Math.max(this.busiest, ++this.#busy);
        try {
          return await this.answer(message);
        } finally {
          this.#busy--;
        }
      },
      close: async () => {
        this.closed++;
      },
    };
  }

  get texts(): string[] {
    return this.sent.map(({ text }) => text);
  }
  receipt(receipt: Partial<DeliveryReceipt>): void | Promise<void> | undefined {
    const whole = { messageId: undefined, reference: undefined, code: undefined, status: 'delivered' } as const;
    return this.dependencies?.onReceipt({ ...whole, ...receipt });
  }
}

interface LogLine extends LogFields {
  readonly event: string;
}

type MessageRow = NonNullable<Awaited<ReturnType<Queries['messageList']['show']>>>;

/** A worker on a database, with a gateway that does what a test says. */
export interface Bench {
  readonly store: Store;
  readonly time: ManualTime;
  readonly gateway: ScriptedGateway;
  readonly worker: OutboxWorker;
  readonly log: LogLine[];
  events(): string[];
  /** Queues a message now and returns its id. */
  queue(text: string, values?: Partial<NewMessage>): Promise<number>;
  row(id: number): Promise<MessageRow>;
  status(id: number): Promise<number>;
}

export interface BenchOptions
  extends Partial<OutboxLimits & Pick<OutboxDependencies, 'rate' | 'clock' | 'machineClock'>> {
  readonly time?: ManualTime;
  readonly holder?: string;
  readonly random?: () => number;
}

/** Not started; unless the options say otherwise, its rate is never reached and waits are half their maximum. */
export function outboxBench(store: Store, options: BenchOptions = {}): Bench {
  const { time = new ManualTime(TEST_NOW), holder = 'one', random = () => 1 / 2, ...rest } = options;
  const gateway = new ScriptedGateway();
  const log: LogLine[] = [];
  const write = (event: string, fields: LogFields = {}) => void log.push({ event, ...fields });
  const lines = { error: write, warn: write, info: write, debug: write, writesDebug: true };
  const worker = new OutboxWorker({
    budgets: new Budgets(lines, () => 0),
    store,
    gateway,
    timeZone: 'Asia/Kolkata',
    rate: 10_000,
    ...outboxLimits(20),
    newId: () => holder,
    environment: {},
    log: lines,
    clock: time.clock,
    machineClock: time.clock,
    stopwatch: time.clock,
    random,
    pause: time.wait,
    ...rest,
  });
  const row = async (id: number): Promise<MessageRow> => {
    const found = await store.read(({ messageList }) => messageList.show({ id }));
    if (found === undefined) throw new Error(`no message ${id}`);
    return found;
  };
  return {
    store,
    time,
    gateway,
    worker,
    log,
    events: () => log.map(({ event }) => event),
    queue: (text, values = {}) =>
      store.write(({ messages }) => messages.insert(newMessage(time.now, { mobile: otherNumber(), text, ...values }))),
    row,
    status: async (id) => (await row(id)).status,
  };
}
