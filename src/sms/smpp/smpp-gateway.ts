import { setTimeout as pause } from 'node:timers/promises';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { ChosenGateway, Gateway, GatewayDependencies, OutgoingMessage, SendOutcome } from '../gateway.ts';
import { type LinkTimes, openBoundLink } from './bound-link.ts';
import { deliveryReport } from './delivery-report.ts';
import type { PduFields } from './pdu.ts';
import { plainId, ReceiptBook } from './receipt-book.ts';
import type { SmppAddress, SmppConnection } from './smpp-connection.ts';
import { submitFields, submitRefusal } from './submit.ts';

/** The address of an SMS center, with the settings by which it differs from most others. */
interface SmppLocation extends SmppAddress {
  readonly systemType: string;
  readonly longMessages: 'udh' | 'payload';
}

interface SmppAccount {
  /** system_id. */
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** For messages without a header of their own. */
  readonly sender: string | undefined;
}

/** The SMS center at an address. Throws a SetUpError, which quotes no secret, for settings that do not fit into the protocol's fields. */
export function chooseSmppGateway(location: SmppLocation, account: SmppAccount): ChosenGateway {
  const { systemType, longMessages, ...address } = location;
  const { username: systemId = '', password = '', sender } = account;
  if (systemId === '') throw new SetUpError('SMS_USERNAME: expected the system_id, which an SMPP gateway needs');
  requireText('SMS_USERNAME', systemId, 15);
  requireText('SMS_GATEWAY, system_type', systemType, 12);
  requireText('SMS_SENDER', sender ?? '', 20);
  // The protocol allows 8; many SMS centers accept more.
  requireText('SMS_PASSWORD', password, 64);
  const { host, port, tls } = address;
  return {
    description: `${tls ? 'ssmpp' : 'smpp'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    address,
    open: (dependencies) =>
      openSmppGateway({ address, systemId, password, systemType, sender, longMessages }, dependencies),
  };
}

/** Source: SMPP 3.4, 5.2.1 to 5.2.3 and 5.2.8: ASCII of limited length. */
function requireText(setting: string, value: string, longest: number): void {
  if (value.length > longest || !/^[\x20-\x7e]*$/.test(value)) {
    throw new SetUpError(`${setting}: expected up to ${longest} characters of ASCII for an SMPP gateway`);
  }
}

export interface SmppGatewaySettings {
  readonly address: SmppAddress;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  readonly sender: string | undefined;
  readonly longMessages: 'udh' | 'payload';
  readonly times?: Partial<SmppTimes>;
}

interface SmppTimes extends LinkTimes {
  /** Timeout for the answer to a submission. */
  readonly submitMs: number;
  /** The delay before a segment is submitted again is random, up to twice this value, then up to four times, and so on. */
  readonly segmentRetryMs: number;
}

const TIMES: SmppTimes = {
  connectMs: 10_000,
  answerMs: 10_000,
  enquireLinkMs: 30_000,
  reconnectMs: 1000,
  longestReconnectMs: 60_000,
  submitMs: 10_000,
  segmentRetryMs: 500,
};

/** How often a segment after the first is submitted if the SMS center temporarily does not accept it. */
const SEGMENT_TRIES = 5;

/**
 * An SMS center over SMPP 3.4, bound as transceiver from the start. The segments of a message are sent one after another, so that there are
 * never more submissions than messages in flight. A message counts as submitted when all its segments are accepted. Its reference is the id
 * of the last one.
 */
export function openSmppGateway(settings: SmppGatewaySettings, dependencies: GatewayDependencies): Gateway {
  const { sender, longMessages } = settings;
  const { clock, random, onReceipt } = dependencies;
  const times = { ...TIMES, ...settings.times };
  const book = new ReceiptBook(onReceipt);
  const closing = new AbortController();
  const link = openBoundLink({
    ...settings,
    ...dependencies,
    times,
    onDelivery: async (pdu) => {
      const report = deliveryReport(pdu);
      if (report !== undefined) await book.receive(report);
    },
  });

  async function submit(message: OutgoingMessage): Promise<SendOutcome> {
    const connection = await link.connection();
    if ('code' in connection) return { kind: 'unavailable', code: connection.code };
    const segments = submitFields(message, { sender, longMessages, now: clock() });
    return book.record(message, segments.length, async (accepted) => {
      async function onAccepted(reference: string | undefined, isLate: boolean): Promise<void> {
        if (reference !== undefined) accepted(reference);
        // It was unknown whether the SMS center has the message; now it is known.
        if (isLate && segments.length === 1) {
          await onReceipt({ messageId: message.id, reference, status: 'submitted', code: undefined });
        }
      }
      let outcome: SendOutcome = { kind: 'submitted', reference: undefined };
      for (const [index, fields] of segments.entries()) {
        outcome = await submitSegment({ connection, fields, isFirst: index === 0, onAccepted });
        // Part of the message has already been handed over.
        if (index > 0 && outcome.kind === 'unavailable') return { kind: 'failed', code: outcome.code };
        if (outcome.kind !== 'submitted') break;
      }
      return outcome;
    });
  }

  interface Segment {
    readonly connection: SmppConnection;
    readonly fields: PduFields;
    readonly isFirst: boolean;
    /** Called before any receipt that arrives after the answer is read. */
    readonly onAccepted: (reference: string | undefined, isLate: boolean) => Promise<void>;
  }

  /** A segment in the middle is retried, because otherwise the segments before it would have been sent for nothing. */
  async function submitSegment(segment: Segment): Promise<SendOutcome> {
    for (let tries = 1; ; tries++) {
      const outcome = await submitOnce(segment);
      const isTemporary = outcome.kind === 'failed' || outcome.kind === 'unavailable';
      if (segment.isFirst || !isTemporary || tries === SEGMENT_TRIES || closing.signal.aborted) return outcome;
      const waitMs = random() * times.segmentRetryMs * 2 ** tries;
      await pause(waitMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  async function submitOnce({ connection, fields, onAccepted }: Segment): Promise<SendOutcome> {
    const answer = await connection.request('submit_sm', fields, {
      timeoutMs: times.submitMs,
      onAnswer: ({ status, pdu }, isLate) => {
        // If a late answer cannot be stored, the outcome of the message remains unknown.
        if (status === 0) onAccepted(referenceOf(pdu.message_id), isLate).catch(() => {});
      },
    });
    switch (answer.kind) {
      case 'not-sent':
        return { kind: 'unavailable', code: answer.code };
      case 'lost':
        return { kind: 'unknown', code: answer.code };
      case 'timeout':
        return { kind: 'unknown', code: 'submit_sm-unanswered' };
      case 'answered':
        if (answer.status !== 0) return submitRefusal(answer.status);
        return { kind: 'submitted', reference: referenceOf(answer.pdu.message_id) };
    }
  }

  return {
    send: async (message) => {
      if (closing.signal.aborted) return { kind: 'unavailable', code: 'closed' };
      return submit(message).catch((): SendOutcome => ({ kind: 'failed', code: 'internal-error' }));
    },
    close: async () => {
      closing.abort();
      await link.close();
    },
  };
}

const referenceOf = (id: unknown): string | undefined =>
  typeof id === 'string' && id !== '' ? plainId(id) : undefined;
