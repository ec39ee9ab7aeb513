import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SmppServerControl, SmppServerOptions } from './smpp-server.ts';

const SERVER = fileURLToPath(new URL('smpp-server.ts', import.meta.url));

/** The SMS center of smpp-server.ts in a process of its own. */
export interface SmppServerProcess extends SmppServerControl {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts it, and resolves when it is listening. */
export async function startSmppServer(options: SmppServerOptions = {}): Promise<SmppServerProcess> {
  const child = fork(SERVER, [JSON.stringify(options)]);
  const [{ port, methods }] = await once(child, 'message', { signal: AbortSignal.timeout(15_000) });
  const pending = new Map<number, (result: unknown) => void>();
  let calls = 0;
  child.on('message', ({ call, result }: { call: number; result: unknown }) => pending.get(call)?.(result));
  const callable = async (method: string, args: readonly unknown[]) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const call = ++calls;
    pending.set(call, resolve);
    child.send({ call, method, args });
    const result = await promise;
    pending.delete(call);
    if (result !== null && typeof result === 'object' && 'error' in result) throw new Error(String(result.error));
    return result;
  };
  const control = Object.fromEntries(
    (methods as string[]).map((method) => [method, (...args: unknown[]) => callable(method, args)]),
  );
  return {
    ...(control as unknown as SmppServerControl),
    port,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
