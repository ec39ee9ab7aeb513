import { parentPort, workerData } from 'node:worker_threads';
import { RawConnection } from '../../support/http/raw-connection.ts';

// The good client of `good-client.ts`. It has its own thread, so that what the tests do does not count as the service's time.

/** Milliseconds between two calls. */
const PACE = 2;
const PATIENCE = 10_000;

const { port, request } = workerData as { port: number; request: string };
let latencies: number[] = [];
let failures: string[] = [];
let stopped = false;

parentPort?.on('message', (message: 'begin' | 'report' | 'stop') => {
  if (message === 'begin') {
    latencies = [];
    failures = [];
  } else if (message === 'report') {
    parentPort?.postMessage({ latencies, failures });
  } else {
    stopped = true;
  }
});

let connection = new RawConnection(port);
while (!stopped) {
  const began = performance.now();
  try {
    void connection.send(request);
    const answer = await connection.answer(PATIENCE);
    if (answer?.status !== 200) failures.push(`answered ${answer?.status}`);
  } catch (error) {
    failures.push((error as Error).message);
    connection.destroy();
    connection = new RawConnection(port);
  }
  latencies.push(performance.now() - began);
  await new Promise((resolve) => setTimeout(resolve, PACE));
}
connection.destroy();
parentPort?.close();
