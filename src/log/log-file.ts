import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';

/** Bytes that wait for a full disk or a slow reader. Further lines are dropped and counted, because logging must never stop the service. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
/** Lines of this time are written together. */
const BATCH_MS = 10;
/** How long the last lines may take when the process ends. */
const LAST_LINES_MS = 500;

/**
 * Writes lines to a file descriptor in the background. What the disk or the reader does not accept now is written with later lines; once
 * too much waits, lines are dropped, and a line says how many as soon as it can be written. A pipe must not be blocking: a write that
 * blocks cannot be interrupted, and would keep the process from ending.
 */
export function openLogFile(fileDescriptor: number, mostWaitingBytes = MOST_WAITING_BYTES) {
  const file = pino.destination({ dest: fileDescriptor, sync: false, maxLength: mostWaitingBytes });
  let batch = '';
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let dropped = 0;
  let reported = 0;

  const write = (line: string) => {
    batch += line;
    if (timer === undefined) timer = setTimeout(passBatch, BATCH_MS).unref();
  };
  const passBatch = () => {
    timer = undefined;
    if (!isClosed && batch !== '') file.write(batch);
    batch = '';
  };

  file.on('drop', (lines: string) => {
    dropped += lines.split('\n').length - 1;
  });
  file.on('drain', () => {
    if (dropped === reported) return;
    const count = dropped - reported;
    reported = dropped;
    write(`${JSON.stringify({ level: 40, msg: 'log lines dropped', count })}\n`);
  });
  // The disk is full, for example. What waits is written with the next lines.
  file.on('error', () => {});

  return {
    /** Accepts a line; never throws, never waits. */
    write,
    /**
     * Writes what waits, and nothing more. Resolves when that is done, or after half a second: what a full pipe has not accepted by then is
     * lost.
     */
    close: async () => {
      passBatch();
      isClosed = true;
      const written = new Promise((resolve) => file.once('finish', resolve));
      file.end();
      await Promise.race([written, sleep(LAST_LINES_MS)]);
    },
    destroy: () => file.destroy(),
    get dropped() {
      return dropped;
    },
  };
}
