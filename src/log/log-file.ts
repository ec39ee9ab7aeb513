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
export class LogFile {
  readonly #file: ReturnType<typeof pino.destination>;
  #batch = '';
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #reported = 0;
  /** Lines, since the start. */
  dropped = 0;

  constructor(fileDescriptor: number, mostWaitingBytes = MOST_WAITING_BYTES) {
    this.#file = pino.destination({ dest: fileDescriptor, sync: false, maxLength: mostWaitingBytes });
    this.#file.on('drop', (lines: string) => {
      this.dropped += lines.split('\n').length - 1;
    });
    this.#file.on('drain', () => this.#reportDropped());
    // The disk is full, for example. What waits is written with the next lines.
    this.#file.on('error', () => {});
  }

  /** Accepts a line; never throws, never waits. */
  write(line: string): void {
    this.#batch += line;
    this.#timer ??= setTimeout(() => this.#passBatch(), BATCH_MS).unref();
  }

  /**
   * Writes what waits, and nothing more. Resolves when that is done, or after half a second: what a full pipe has not accepted by then is
   * lost.
   */
  async close(): Promise<void> {
    this.#passBatch();
    this.#isClosed = true;
    const written = new Promise((resolve) => this.#file.once('finish', resolve));
    this.#file.end();
    await Promise.race([written, sleep(LAST_LINES_MS)]);
  }

  destroy(): void {
    this.#file.destroy();
  }

  #passBatch(): void {
    this.#timer = undefined;
    if (!this.#isClosed && this.#batch !== '') this.#file.write(this.#batch);
    this.#batch = '';
  }

  #reportDropped(): void {
    const count = this.dropped - this.#reported;
    this.#reported = this.dropped;
    if (count > 0) this.write(`${JSON.stringify({ level: 40, msg: 'log lines dropped', count })}\n`);
  }
}
