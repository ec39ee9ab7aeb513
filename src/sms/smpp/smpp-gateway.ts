import { setTimeout as pause } from 'node:timers/promises';
import { SetUpError } from '../../vocabulary/errors.ts';
import {
  type ChosenGateway,
  type Gateway,
  type GatewayDependencies,
  harmlessReference,
  type OutgoingMessage,
  type SendOutcome,
} from '../gateway.ts';
import { openBoundLink, SMPP_TIMES, type SmppAccount, type SmppTimes } from './bound-link.ts';
import { deliveryReceipt, plainId } from './delivery-receipt.ts';
import type { PduFields } from './pdu.ts';
import type { SmppAddress, SmppAnswer, SmppConnection } from './smpp-connection.ts';
import { submitFields, submitRefusal } from './submit.ts';

/** The settings by which an SMS center differs from most others belong to its address. */
type SmppLocation = SmppAddress & Pick<SmppAccount, 'systemType'>;

interface SmppSettings {
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly sender: string | undefined;
}

/** The SMS center at an address. Throws a SetUpError, which quotes no secret, for settings that do not fit into the protocol's fields. */
export function chooseSmppGateway(location: SmppLocation, settings: SmppSettings): ChosenGateway {
  const { systemType, ...address } = location;
  const { username: systemId = '', password = '', sender } = settings;
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
    open: (dependencies) => openSmppGateway({ address, systemId, password, systemType, sender }, dependencies),
  };
}

/** Source: SMPP 3.4, 5.2.1 to 5.2.3 and 5.2.8: ASCII of limited length. */
function requireText(setting: string, value: string, longest: number): void {
  if (value.length <= longest && /^[\x20-\x7e]*$/.test(value)) return;
  throw new SetUpError(`${setting}: expected up to ${longest} characters of ASCII for an SMPP gateway`);
}

export interface SmppGatewaySettings extends SmppAccount {
  /** For messages without a header of their own. */
  readonly sender: string | undefined;
  readonly times?: Partial<SmppTimes>;
}

/** How often a segment after the first is submitted if the SMS center temporarily does not accept it. */
const SEGMENT_TRIES = 5;

/**
 * An SMS center over SMPP 3.4, bound as transceiver from the start. The segments of a message are sent one after another, so that there are
 * never more submissions than messages in flight. A message counts as submitted when all its segments are accepted. Its reference is the id
 * of the last one, whose receipt decides.
 */
export function openSmppGateway(settings: SmppGatewaySettings, dependencies: GatewayDependencies): Gateway {
  const { clock, random, onReceipt, report } = dependencies;
  const times = { ...SMPP_TIMES, ...settings.times };
  const closing = new AbortController();
  const link = openBoundLink({
    ...settings,
    ...dependencies,
    times,
    onDelivery: async (pdu) => {
      const receipt = deliveryReceipt(pdu, (state) => report('sent a receipt of an unknown state', state));
      if (receipt !== undefined) await onReceipt(receipt);
    },
  });

  async function submit(message: OutgoingMessage): Promise<SendOutcome> {
    const connection = await link.connection();
    if ('code' in connection) return { kind: 'unavailable', code: connection.code };
    let outcome: SendOutcome = { kind: 'submitted', reference: undefined };
    for (const [index, fields] of submitFields(message, settings.sender, clock()).entries()) {
      outcome = await submitSegment(connection, fields, index === 0 ? 1 : SEGMENT_TRIES);
      // Part of the message has already been handed over.
      if (index > 0 && outcome.kind === 'unavailable') return { kind: 'failed', code: outcome.code };
      if (outcome.kind !== 'submitted') break;
    }
    return outcome;
  }

  /** A segment in the middle is tried several times, because otherwise the segments before it would have been sent for nothing. */
  async function submitSegment(connection: SmppConnection, fields: PduFields, tries: number): Promise<SendOutcome> {
    for (let attempt = 1; ; attempt++) {
      const outcome = outcomeOf(await connection.request('submit_sm', fields, times.submitMs));
      const isTemporary = outcome.kind === 'failed' || outcome.kind === 'unavailable';
      if (!isTemporary || attempt === tries || closing.signal.aborted) return outcome;
      const waitMs = random() * times.segmentRetryMs * 2 ** attempt;
      await pause(waitMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  return {
    send: async (message) => {
      if (closing.signal.aborted) return { kind: 'unavailable', code: 'closed' };
      return submit(message).catch((): SendOutcome => ({ kind: 'failed', code: 'internal-error' }));
    },
    close: () => {
      closing.abort();
      return link.close();
    },
  };
}

function outcomeOf(answer: SmppAnswer): SendOutcome {
  switch (answer.kind) {
    case 'not-sent':
      return { kind: 'unavailable', code: answer.code };
    case 'lost':
      return { kind: 'unknown', code: answer.code };
    case 'timeout':
      return { kind: 'unknown', code: 'submit_sm-unanswered' };
    case 'answered': {
      if (answer.status !== 0) return submitRefusal(answer.status);
      const id = answer.pdu.message_id;
      return { kind: 'submitted', reference: typeof id === 'string' ? harmlessReference(plainId(id)) : undefined };
    }
  }
}
