import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/process/free-port.ts';

const USERNAME = 'hospital';
const PASSWORD = 'a+b&c=d %41';
const ADMIN_PASSWORD = 'admin';
/** The milliseconds that a start or an end may take. */
const LIMIT = 30_000;

/** Kannel's bearerbox and smsbox on loopback ports, in front of an SMS center. */
export interface Kannel {
  /** The address of its sendsms. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Ends smsbox: no more messages are accepted. */
  takeAway(): Promise<void>;
  bringBack(): Promise<void>;
  /** Messages in its queues that have not been forwarded. */
  queued(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts it, and resolves when it accepts messages and is bound to the center. Its files are in `folder`. */
export async function startKannel(folder: string, smscPort: number): Promise<Kannel> {
  const [adminPort, smsboxPort, sendsmsPort] = [await freePort(), await freePort(), await freePort()];
  const config = join(folder, 'kannel.conf');
  writeFileSync(
    config,
    `group = core
admin-port = ${adminPort}
admin-interface = 127.0.0.1
admin-password = ${ADMIN_PASSWORD}
smsbox-port = ${smsboxPort}
smsbox-interface = 127.0.0.1
box-allow-ip = 127.0.0.1
dlr-storage = internal
sms-resend-freq = 1

group = smsc
smsc = smpp
smsc-id = center
host = 127.0.0.1
port = ${smscPort}
transceiver-mode = true
smsc-username = kannel
smsc-password = kannel
system-type = ""
reconnect-delay = 1
max-pending-submits = 50

group = smpp-tlv
name = PE_ID
tag = 0x1400
type = octetstring
length = 20

group = smpp-tlv
name = TEMPLATE_ID
tag = 0x1401
type = octetstring
length = 20

group = smsbox
bearerbox-host = 127.0.0.1
bearerbox-port = ${smsboxPort}
sendsms-port = ${sendsmsPort}
sendsms-interface = 127.0.0.1
http-request-retry = 3
http-queue-delay = 1

group = sendsms-user
username = ${USERNAME}
password = "${PASSWORD}"
max-messages = 5
concatenation = true
default-sender = HOSPTL
`,
  );
  const bearerbox = await startBox('bearerbox', config, folder);
  const status = async (): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${adminPort}/status.txt?password=${ADMIN_PASSWORD}`);
    return response.text();
  };
  let smsbox: ChildProcess | undefined;
  const bringBack = async () => {
    smsbox = await startBox('smsbox', config, folder);
    await until(
      () => `smsbox:\n${logOf('smsbox', folder)}`,
      async () => (await fetchStatus(url)) !== undefined,
    );
    await until(
      () => 'smsbox at bearerbox',
      async () => /smsbox:[^\n]*127\.0\.0\.1/.test(await status()),
    );
  };
  const url = `http://127.0.0.1:${sendsmsPort}/cgi-bin/sendsms`;
  const takeAway = async () => {
    await end(smsbox);
    smsbox = undefined;
  };
  const stop = async () => {
    await takeAway();
    await end(bearerbox);
  };
  try {
    await until(
      () => `bearerbox and its center:\n${logOf('bearerbox', folder)}`,
      async () => /center[^\n]*online/.test(await status()),
    );
    await bringBack();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    username: USERNAME,
    password: PASSWORD,
    takeAway,
    bringBack,
    queued: async () => Number(/SMS:[\s\S]*?sent \d+ \((\d+) queued\)/.exec(await status())?.[1] ?? Number.NaN),
    stop,
  };
}

const logOf = (box: string, folder: string): string => {
  try {
    return readFileSync(join(folder, `${box}.log`), 'utf8').slice(-2000);
  } catch {
    return '';
  }
};

async function startBox(box: 'bearerbox' | 'smsbox', config: string, folder: string): Promise<ChildProcess> {
  const log = openSync(join(folder, `${box}.log`), 'a', 0o600);
  try {
    const child = spawn(`/usr/sbin/${box}`, ['-v', '1', config], { cwd: folder, stdio: ['ignore', log, log] });
    await once(child, 'spawn');
    const kill = () => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.removeListener('exit', kill));
    return child;
  } finally {
    closeSync(log);
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), LIMIT / 3);
  await closed;
  clearTimeout(late);
}

const fetchStatus = (url: string): Promise<number | undefined> =>
  fetch(url).then(
    ({ status }) => status,
    () => undefined,
  );

/** Checks every 50 ms, up to the limit. */
async function until(what: () => string, reached: () => Promise<boolean>): Promise<void> {
  const late = Date.now() + LIMIT;
  while (!(await reached().catch(() => false))) {
    if (Date.now() > late) throw new Error(`not within ${LIMIT / 1000} s: ${what()}`);
    await new Promise((resume) => setTimeout(resume, 50));
  }
}
