import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Behaviour, ReceivedMessage, ReceivedSubmit, ServerCounts } from './smpp-server.ts';

const SERVER = fileURLToPath(new URL('smpp-server.ts', import.meta.url));

/** The SMS center of smpp-server.ts in a process of its own. */
export interface SmppServerProcess {
  readonly port: number;
  /** Port of its control channel, on 127.0.0.1. */
  readonly control: number;
  /** Messages received in full; waits up to 5 s until there are that many. */
  messages(atLeast?: number): Promise<readonly ReceivedMessage[]>;
  submits(): Promise<readonly ReceivedSubmit[]>;
  /** Waits up to 5 s until each named count is at least the given number. */
  counts(atLeast?: Partial<ServerCounts>): Promise<ServerCounts>;
  behave(behaviour: Partial<Behaviour>): Promise<void>;
  sendReceipt(receipt: { id: string; stat: string; err?: string; form?: 'tlv' | 'text' | 'both' }): Promise<void>;
  sendIncoming(message: { from: string; to: string; text: string }): Promise<void>;
  sendRaw(hex: string): Promise<void>;
  drop(): Promise<void>;
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export interface SmppServerOptions {
  readonly systemId?: string;
  readonly password?: string;
  readonly port?: number;
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** Starts it, and resolves when it is listening. */
export async function startSmppServer(options: SmppServerOptions = {}): Promise<SmppServerProcess> {
  const { systemId, password, port = 0, tls } = options;
  const args = ['--port', String(port)];
  if (systemId !== undefined) args.push('--system-id', systemId);
  if (password !== undefined) args.push('--password', password);
  if (tls !== undefined) args.push('--tls-key', tls.key, '--tls-cert', tls.cert);
  const child = spawn(process.execPath, [SERVER, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line', { signal: AbortSignal.timeout(15_000) });
  const ports: { port: number; control: number } = JSON.parse(line);

  async function ask<Answer>(path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${ports.control}${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  return {
    ...ports,
    messages: (atLeast = 0) => ask(`/messages?atLeast=${atLeast}`),
    submits: () => ask('/submits'),
    counts: (atLeast = {}) => {
      const least = Object.entries(atLeast).map(([name, count]): [string, string] => [name, String(count)]);
      return ask(`/counts?${new URLSearchParams(least)}`);
    },
    behave: (behaviour) => ask('/behave', behaviour),
    sendReceipt: (receipt) => ask('/receipt', receipt),
    sendIncoming: (message) => ask('/incoming', message),
    sendRaw: (hex) => ask('/raw', { hex }),
    drop: () => ask('/drop', {}),
    reset: () => ask('/reset', {}),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
    },
  };
}
