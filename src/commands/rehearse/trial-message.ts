import type { Environment, TrialFacts } from './open-trial.ts';
import type { RecordedRequest } from './recorded-request.ts';
import type { Verdict } from './verdict.ts';

/** What the thread is started with. */
export interface TrialStart {
  readonly environment: Environment;
  readonly prefix: string;
}

/** What the thread is asked. */
export type TrialQuestion = { readonly id: number; readonly request: RecordedRequest } | 'close';
/** What the thread answers. */
export type TrialMessage =
  | { readonly kind: 'ready'; readonly facts: TrialFacts }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'verdict'; readonly id: number; readonly verdict: Verdict };
