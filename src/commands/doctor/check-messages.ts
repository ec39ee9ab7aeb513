import { connect } from 'node:net';
import { type Finding, ok, warning, wrong } from '../../maintenance/finding.ts';
import type { Config } from '../../settings/config.ts';
import { chooseGateway } from '../../sms/choose-gateway.ts';
import type { GatewayAddress } from '../../sms/gateway.ts';
import { textOf } from './check-access.ts';

/** How long a gateway may take to accept a connection. */
const LIMIT_MS = 5000;

/** Where text messages are sent, and whether the gateway's address can be reached. Only connects and disconnects; sends nothing. */
export async function checkMessages({ sms }: Config): Promise<readonly Finding[]> {
  try {
    const address = (await chooseGateway(sms))?.address;
    return [destination(sms), ...(address === undefined ? [] : [await checkReachable(address)])];
  } catch (error) {
    return [wrong('text messages', textOf(error))];
  }
}

function destination({ gateway }: Config['sms']): Finding {
  switch (gateway.kind) {
    case 'off':
      return warning('text messages', 'SMS_GATEWAY=off: they are queued and never sent.');
    case 'file':
      return warning(
        'text messages',
        `They are written to the file ${gateway.path} and reach no phone; set SMS_GATEWAY.`,
      );
    case 'http':
      return ok('text messages', `by HTTP, ${'preset' in gateway ? gateway.preset : gateway.template}`);
    case 'smpp':
      return ok('text messages', `by SMPP, ${gateway.host}, port ${gateway.port}`);
  }
}

async function checkReachable(address: GatewayAddress): Promise<Finding> {
  const place = `${address.host}, port ${address.port}`;
  const flaw = await connectionFlaw(address);
  return flaw === undefined
    ? ok('gateway', `${place} accepts connections; nothing was sent`)
    : wrong(
        'gateway',
        `${place} cannot be reached (${flaw}): text messages wait. Correct SMS_GATEWAY, or the connection to it.`,
      );
}

function connectionFlaw({ host, port }: GatewayAddress): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connect({ host, port, timeout: LIMIT_MS });
  socket.once('connect', () => resolve(undefined));
  socket.once('timeout', () => resolve(`no answer within ${LIMIT_MS / 1000} s`));
  socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
  return promise.finally(() => socket.destroy());
}
