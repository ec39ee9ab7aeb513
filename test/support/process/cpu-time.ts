/** The CPU time of this thread for some work, in microseconds: the least of several attempts, because other work of the process disturbs some. */
export function leastCpuOf(work: () => unknown, attempts = 3): number {
  const times = Array.from({ length: attempts }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}

/** More growth than that of work in proportion to the length, which is 16, and less than that to its square, which is 256. */
export const MORE_THAN_LINEAR = 64;

/**
 * How many times as long work on a text takes as on a sixteenth of it, whatever the speed of the machine. Less than a millisecond counts as one,
 * because it measures nothing.
 */
export const growthOf = (work: (length: number) => unknown, length: number): number =>
  leastCpuOf(() => work(length)) /
  Math.max(
    1000,
    leastCpuOf(() => work(length / 16)),
  );
