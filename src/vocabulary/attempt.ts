import { channel, subscribe } from 'node:diagnostics_channel';

/** What was attempted, and why it failed. */
type Told = (what: string, error: unknown) => void;

const failures = channel('tpws.attempt');
const told = new Set<string>();

/** Calls back once for each kind of attempt that fails in this process, from now on. */
export const onFailedAttempt = (tell: Told): void =>
  subscribe('tpws.attempt', (failure) => tell(...(failure as Parameters<Told>)));

/**
 * Does what is nice but not needed, such as protecting a file from others. If it fails, the process says so once and goes on without it.
 * `what` says that in words, with what is done instead.
 */
export function attempt<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined>;
export function attempt<Result>(what: string, work: () => Result): Result | undefined;
export function attempt<Result>(what: string, work: () => Result | Promise<Result>) {
  const failed = (error: unknown): undefined => {
    if (told.has(what)) return;
    told.add(what);
    failures.publish([what, error]);
  };
  try {
    const result = work();
    return result instanceof Promise ? result.catch(failed) : result;
  } catch (error) {
    return failed(error);
  }
}
