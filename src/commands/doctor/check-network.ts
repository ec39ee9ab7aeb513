import { connect, createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isLoopback } from '../../access/ip-address.ts';
import { type Finding, ok, warning, wrong } from '../../maintenance/finding.ts';
import type { Config } from '../../settings/config.ts';
import { chooseGateway } from '../../sms/choose-gateway.ts';
import type { GatewayAddress } from '../../sms/gateway.ts';
import { quoted } from '../../vocabulary/text.ts';
import type { CommandHost } from '../command-host.ts';
import { errorText } from './check-access.ts';

/** How long the program that has the port may take to say what it is. */
const LIMIT_MS = 2000;

/** Whether the service can listen where it is configured to, or already does so. */
export async function checkPort(name: string, host: string, port: number): Promise<Finding> {
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

/** Whether clients can use the address that they are given, and by which names they may call. */
export function checkAddress({ host, publicUrl, allowedHosts, access: { trustedProxies } }: Config): Finding {
  const names = allowedHosts.filter((name) => !isLoopback(name));
  const accepted = ['by IP address', 'by names without a dot', ...names].join(', ');
  if (publicUrl !== undefined) {
    const { protocol, hostname } = new URL(publicUrl);
    if (protocol === 'http:' && !isLoopback(hostname)) {
      return warning('PUBLIC_URL', `${publicUrl}: patients' data crosses the network in clear text; use https.`);
    }
    return ok('PUBLIC_URL', `${publicUrl}; without a secret, callers reach the service ${accepted}`);
  }
  if (isLoopback(host) && trustedProxies.length === 0) {
    return ok('PUBLIC_URL', 'not set, and only this machine can reach the service; behind a proxy, set it.');
  }
  if (names.length > 0) return ok('PUBLIC_URL', `not set; without a secret, callers reach the service ${accepted}`);
  const text =
    'callers that prove no secret get 421 under a name with a dot, and other machines get no WSDL; set PUBLIC_URL.';
  return warning('PUBLIC_URL', `not set, and ALLOWED_HOSTS names only this machine: ${text}`);
}

/** How long a gateway may take to accept a connection. */
const GATEWAY_LIMIT_MS = 5000;

/** Where text messages are sent, and whether the gateway's address can be reached. Only connects and disconnects; sends nothing. */
export async function checkMessages(
  { sms }: Config,
  environment: CommandHost['environment'],
): Promise<readonly Finding[]> {
  try {
    const address = (await chooseGateway(sms))?.address;
    if (address === undefined) return [destination(sms)];
    const name = PROXIES.find((each) => (environment[each] ?? '') !== '');
    const isDirect = name === undefined || sms.gateway.kind !== 'http' || isLoopback(address.host);
    return [destination(sms), isDirect ? await checkReachable(address) : proxied(address, name)];
  } catch (error) {
    return [wrong('text messages', errorText(error))];
  }
}

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

const proxied = ({ host, port }: GatewayAddress, name: string): Finding =>
  ok(
    'gateway',
    `${host}, port ${port}, is behind the web proxy of ${name}, unless NO_PROXY excepts it; not tried from here`,
  );

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

function connectionFlaw({ host, port, tls }: GatewayAddress): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const target = { host, port, timeout: GATEWAY_LIMIT_MS };
  const socket = tls ? connectTls(target) : connect(target);
  socket.once(tls ? 'secureConnect' : 'connect', () => resolve(undefined));
  socket.once('timeout', () => resolve(`no answer within ${GATEWAY_LIMIT_MS / 1000} s`));
  socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
  return promise.finally(() => socket.destroy());
}
