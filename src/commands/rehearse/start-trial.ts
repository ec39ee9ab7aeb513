import type { Worker } from 'node:worker_threads';
import { startFailure } from '../../process/start-failure.ts';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { TrialFacts } from './open-trial.ts';
import type { RecordedRequest } from './recorded-request.ts';
import type { TrialMessage, TrialQuestion } from './trial-message.ts';
import type { Verdict } from './verdict.ts';

/** The trial instance as the rehearsal sees it. */
export interface TrialHandle {
  readonly facts: TrialFacts;
  /** Undefined if it was not tried, because too many requests are waiting or the trial instance is gone. */
  judge(request: RecordedRequest): Promise<Verdict | undefined>;
  close(): Promise<void>;
}

/** Requests that may wait for the trial instance. */
const MOST_WAITING = 2000;

/**
 * Runs outside the thread and queries it. The thread is separate so that neither the work nor a crash of the service can delay what passes
 * to the old one. Throws SetUpError with the error of the service's start. `onGone` is called if the thread ends before it is closed.
 */
export async function startTrial(thread: Worker, onGone: (why: string) => void): Promise<TrialHandle> {
  const waiting = new Map<number, (verdict: Verdict | undefined) => void>();
  const started = Promise.withResolvers<Extract<TrialMessage, { kind: 'ready' }>>();
  const ended = Promise.withResolvers<void>();
  let state: 'runs' | 'closes' | 'gone' = 'runs';
  let asked = 0;

  thread.on('message', (message: TrialMessage) => {
    if (message.kind === 'ready') started.resolve(message);
    else if (message.kind === 'failed') started.reject(new SetUpError(message.text));
    else {
      waiting.get(message.id)?.(message.verdict);
      waiting.delete(message.id);
    }
  });
  const gone = (why: string) => {
    if (state === 'runs') onGone(why);
    state = 'gone';
    started.reject(new SetUpError(why));
    for (const settle of waiting.values()) settle(undefined);
    waiting.clear();
    ended.resolve();
  };
  thread.on('error', (error) => gone(startFailure(error)));
  thread.on('exit', (code) => gone(`The trial instance ended with code ${code}.`));

  try {
    const { facts } = await started.promise;
    return {
      facts,
      judge: (request) => {
        if (state !== 'runs' || waiting.size >= MOST_WAITING) return Promise.resolve(undefined);
        const { promise, resolve } = Promise.withResolvers<Verdict | undefined>();
        const id = ++asked;
        waiting.set(id, resolve);
        thread.postMessage({ id, request } satisfies TrialQuestion);
        return promise;
      },
      close: async () => {
        if (state === 'gone') return;
        state = 'closes';
        thread.postMessage('close' satisfies TrialQuestion);
        await ended.promise;
      },
    };
  } catch (error) {
    state = 'closes';
    await thread.terminate();
    throw error;
  }
}
