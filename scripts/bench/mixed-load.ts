import { setTimeout as sleep } from 'node:timers/promises';
import { CALLS, call } from './hospital-calls.ts';
import type { Hospital } from './write-hospital.ts';

/** Not measured: a service that has just started compiles its code. */
const WARM_UP_SECONDS = 5;

/**
 * Sends so many calls per second, of each operation in turn, until `isOver`, whether or not the earlier ones are answered. Prints a table of
 * the latencies, which count from when a call was due. Returns how many failed.
 */
export async function mixedLoad(port: number, rate: number, hospital: Hospital, isOver: () => boolean) {
  const operations = Object.entries(CALLS).map(([name, pathOf]) => ({ name, pathOf, latencies: [] as number[] }));
  const failures: string[] = [];
  const answers: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; !isOver(); n++) {
    const due = began + (n * 1000) / rate;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    const { pathOf, latencies: measured } = operations[n % operations.length] as (typeof operations)[number];
    const path = pathOf(Math.floor(n / operations.length), hospital);
    const latencies = n < rate * WARM_UP_SECONDS ? [] : measured;
    const answered = call(port, path).then(() => void latencies.push(performance.now() - due));
    answers.push(answered.catch(({ message }: Error) => void failures.push(message)));
  }
  await Promise.all(answers);
  console.log(`\n| Operation, ${hospital.appointments} appointments | calls | p50 ms | p99 ms | longest ms |`);
  console.log('|---|---:|---:|---:|---:|');
  for (const { name, latencies } of operations) {
    latencies.sort((a, b) => a - b);
    const cells = [0.5, 0.99, 1].map((part) => latencies[Math.ceil(latencies.length * part) - 1]?.toFixed(0));
    console.log(`| ${name} | ${latencies.length} | ${cells.join(' | ')} |`);
  }
  console.log(`\n${failures.length} calls failed. ${failures[0] ?? ''}`);
  return failures.length;
}
