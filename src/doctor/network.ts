import { connect, createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { chooseGateway } from '../messages/gateways/choose-gateway.ts';
import type { GatewayAddress } from '../messages/gateways/gateway.ts';
import { isLoopback } from '../vocabulary/ip-address.ts';
import { quoted } from '../vocabulary/text.ts';
import { type Context, type Finding, ok, wrong } from './finding.ts';

/** How long the program that has the port may take to say what it is. */
const LIMIT_MS = 2000;

/** Whether the service can listen where it is configured to, or already does so. */
export async function checkPorts({ config: { host, port, monitoring } }: Context): Promise<readonly Finding[]> {
  const { operations } = monitoring;
  return [
    await portFinding('PORT', host, port),
    ...(operations === undefined ? [] : [await portFinding('OPERATIONS_PORT', operations.host, operations.port)]),
  ];
}

async function portFinding(name: string, host: string, port: number): Promise<Finding> {
  const code = await listenCode(host, port);
  const place = `${host}, port ${port}`;
  if (code === undefined) return ok('port', port === 0 ? `${name} uses a free port of ${host}` : `${place} is free`);
  if (code === 'EADDRINUSE') {
    if (await isService(host, port)) return ok('port', `${place} is used by a running instance of this service`);
    return wrong('port', `${place} is used by another program; end it, or set ${name}.`);
  }
  if (code === 'EACCES') {
    const needed = 'a permission that this user does not have; use a port from 1024 on, or a proxy';
    return wrong('port', `${place} needs ${needed}.`);
  }
  const setting = name === 'PORT' ? `HOST=${quoted(host)}` : `${name}=${quoted(host)}:${port}`;
  return wrong('port', `${setting} cannot be used (${code}); expected an address of this machine.`);
}

function listenCode(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function isService(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  for (const scheme of ['http', 'https']) {
    const url = `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}/healthz`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) }).catch((error: unknown) => error);
    if (answer instanceof Response) return answer.ok && (await answer.text()) === 'ok';
    // A hospital's own certificate is not known here, but it is enough to know that there is one.
    if (scheme === 'https' && /CERT|SIGNED|ISSUER|SIGNATURE/.test(codeOfCause(answer))) return true;
  }
  return false;
}

const codeOfCause = (error: unknown): string =>
  String((error as { readonly cause?: { readonly code?: unknown } }).cause?.code ?? '');

/** How long a gateway may take to accept a connection. */
const GATEWAY_LIMIT_MS = 5000;

/** Whether the gateway's address can be reached. Only connects and disconnects; sends nothing. */
export async function checkGatewayAddress({ config: { sms }, environment }: Context): Promise<readonly Finding[]> {
  // One that cannot be chosen is a finding of the settings.
  const address = (await chooseGateway(sms).catch(() => undefined))?.address;
  if (address === undefined) return [];
  const name = PROXIES.find((each) => (environment[each] ?? '') !== '');
  const isDirect = name === undefined || sms.gateway.kind !== 'http' || isLoopback(address.host);
  return [isDirect ? await reachable(address) : proxied(address, name)];
}

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

const proxied = ({ host, port }: GatewayAddress, name: string): Finding =>
  ok(
    'gateway',
    `${host}, port ${port}, is behind the web proxy of ${name}, unless NO_PROXY excepts it; not tried from here`,
  );

async function reachable(address: GatewayAddress): Promise<Finding> {
  const place = `${address.host}, port ${address.port}`;
  const flaw = await connectionFlaw(address);
  return flaw === undefined
    ? ok('gateway', `${place} accepts connections; nothing was sent`)
    : wrong(
        'gateway',
        `${place} cannot be reached (${flaw}): text messages wait. Correct SMS_GATEWAY, or the connection to it.`,
      );
}

function connectionFlaw({ host, port, tls }: GatewayAddress): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const target = { host, port, timeout: GATEWAY_LIMIT_MS };
  const socket = tls ? connectTls(target) : connect(target);
  socket.once(tls ? 'secureConnect' : 'connect', () => resolve(undefined));
  socket.once('timeout', () => resolve(`no answer within ${GATEWAY_LIMIT_MS / 1000} s`));
  socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
  return promise.finally(() => socket.destroy());
}
