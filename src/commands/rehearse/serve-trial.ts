import type { MessagePort } from 'node:worker_threads';
import { startFailure } from '../../process/start-failure.ts';
import { openTrial, type TrialDependencies } from './open-trial.ts';
import type { TrialMessage, TrialQuestion, TrialStart } from './trial-message.ts';

/** Runs in the thread: opens the trial instance, and answers requests over the port. */
export async function serveTrial(
  port: MessagePort,
  start: TrialStart,
  dependencies: Omit<TrialDependencies, keyof TrialStart>,
): Promise<void> {
  const tell = (message: TrialMessage) => port.postMessage(message);
  try {
    const trial = await openTrial({ ...dependencies, ...start });
    port.on('message', (question: TrialQuestion) => {
      if (question === 'close') void trial.close().then(() => port.close());
      else void trial.judge(question.request).then((verdict) => tell({ kind: 'verdict', id: question.id, verdict }));
    });
    tell({ kind: 'ready', facts: trial.facts });
  } catch (error) {
    tell({ kind: 'failed', text: startFailure(error) });
    port.close();
  }
}
