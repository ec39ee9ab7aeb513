import { setTimeout as pause } from 'node:timers/promises';
import type { Gateway, GatewayDependencies, OutgoingMessage, SendOutcome } from '../gateway.ts';
import { type LinkTimes, openBoundLink } from './bound-link.ts';
import { deliveryReport } from './delivery-report.ts';
import type { PduFields } from './pdu.ts';
import { createReceiptBook, type ReceiptPage } from './receipt-book.ts';
import type { SmppAddress, SmppConnection } from './smpp-connection.ts';
import { submitFields } from './submit-fields.ts';
import { submitRefusal } from './submit-refusal.ts';

export interface SmppGatewaySettings {
  readonly address: SmppAddress;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  /** For messages without a header of their own. */
  readonly sender: string | undefined;
  readonly longMessages: 'udh' | 'payload';
  readonly times?: Partial<SmppTimes>;
}

/** All in milliseconds. */
interface SmppTimes extends LinkTimes {
  /** For the answer to a submission. */
  readonly submit: number;
  /**
   * The delay before a segment in the middle of a message is submitted again is random, up to this value, then up to twice this value, and
   * so on.
   */
  readonly segmentRetry: number;
}

const TIMES: SmppTimes = {
  connect: 10_000,
  answer: 10_000,
  enquireLink: 30_000,
  reconnect: 1000,
  longestReconnect: 60_000,
  submit: 10_000,
  segmentRetry: 500,
};
interface Segment {
  readonly connection: SmppConnection;
  readonly fields: PduFields;
  readonly isFirst: boolean;
  /** Called before any receipt that arrives after the answer is read. */
  readonly onAccepted: (id: string | undefined, isLate: boolean) => Promise<void>;
}

/** How often a segment after the first is submitted if the SMS center temporarily does not accept it. */
const SEGMENT_TRIES = 5;

export const smppDescription = ({ host, port, tls }: SmppAddress): string =>
  `${tls ? 'ssmpp' : 'smpp'}://${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * An SMS center over SMPP 3.4, bound as transceiver from the start. The segments of a message are sent one after another, so that there are
 * never more submissions than messages in flight. A message counts as submitted when all its segments are accepted. Its reference is the id
 * of the last one.
 */
export function openSmppGateway(settings: SmppGatewaySettings, dependencies: GatewayDependencies): Gateway {
  const { sender, longMessages } = settings;
  const { clock, random, onReceipt } = dependencies;
  const times = { ...TIMES, ...settings.times };
  const book = createReceiptBook(onReceipt);
  const onTheirWay = new Set<Promise<SendOutcome>>();
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
    const page = book.open(message, segments.length);
    try {
      return await submitSegments(connection, message.id, segments, page);
    } finally {
      page.finish();
    }
  }

  async function submitSegments(
    connection: SmppConnection,
    messageId: number,
    segments: readonly PduFields[],
    page: ReceiptPage,
  ): Promise<SendOutcome> {
    const isAlone = segments.length === 1;
    async function onAccepted(id: string | undefined, isLate: boolean): Promise<void> {
      if (id !== undefined) page.accepted(id);
      // It was unknown whether the SMS center has the message; now it is known.
      if (isLate && isAlone) await onReceipt({ messageId, reference: id, status: 'submitted', code: undefined });
    }
    let reference: string | undefined;
    for (const [index, fields] of segments.entries()) {
      const outcome = await submitSegment({ connection, fields, isFirst: index === 0, onAccepted });
      if (outcome.kind === 'submitted') {
        reference = outcome.reference;
        continue;
      }
      // A late answer still finds the page only if the message has a single segment.
      if (!isAlone) page.close();
      // Part of the message has already been handed over.
      return index > 0 && outcome.kind === 'unavailable' ? { kind: 'failed', code: outcome.code } : outcome;
    }
    return { kind: 'submitted', reference };
  }

  /** A segment in the middle is retried, because otherwise the segments before it would have been sent for nothing. */
  async function submitSegment(segment: Segment): Promise<SendOutcome> {
    for (let tries = 1; ; tries++) {
      const outcome = await submitOnce(segment);
      const isPassing = outcome.kind === 'failed' || outcome.kind === 'unavailable';
      if (segment.isFirst || !isPassing || tries === SEGMENT_TRIES || closing.signal.aborted) return outcome;
      const wait = random() * times.segmentRetry * 2 ** tries;
      await pause(wait, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  async function submitOnce({ connection, fields, onAccepted }: Segment): Promise<SendOutcome> {
    const answer = await connection.request('submit_sm', fields, {
      timeout: times.submit,
      onAnswer: ({ status, pdu }, isLate) => {
        // If a late answer cannot be stored, the outcome of the message remains unknown.
        if (status === 0) onAccepted(idOf(pdu.message_id), isLate).catch(() => {});
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
        return { kind: 'submitted', reference: idOf(answer.pdu.message_id) };
    }
  }

  return {
    description: smppDescription(settings.address),
    send: async (message) => {
      if (closing.signal.aborted) return { kind: 'unavailable', code: 'closed' };
      const submission = submit(message).catch((): SendOutcome => ({ kind: 'failed', code: 'internal-error' }));
      onTheirWay.add(submission);
      try {
        return await submission;
      } finally {
        onTheirWay.delete(submission);
      }
    },
    close: async () => {
      closing.abort();
      await Promise.all(onTheirWay);
      await link.close();
    },
  };
}

const idOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
