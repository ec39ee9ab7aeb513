/** The result of `work`; undefined if it takes longer than `limit` milliseconds. Rejects as `work` does. */
export async function inTime<T>(work: Promise<T>, limit: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, limit, undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
