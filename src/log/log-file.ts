import { write, writeSync } from 'node:fs';

/** Maximum number of bytes that wait for the disk. Further lines are dropped and counted, because logging must never stop the service. */
const MOST_WAITING = 4 * 1024 * 1024;
/**
 * Milliseconds between writes, each of several lines: a separate write for each line would cost a call as much as its XML. Under load, lines
 * that wait for 100 ms survive two collections of young objects and fill the heap for old ones.
 */
const PAUSE = 10;
/** The first and the longest delay before a write to a full pipe is retried, in milliseconds. The delay doubles while the pipe stays full. */
const FULL_PAUSE = 1;
const LONGEST_FULL_PAUSE = 100;
/** How long the last lines may wait for a full pipe when the process ends, in milliseconds. */
const LAST_PATIENCE = 500;
/** Milliseconds between two attempts to write them. */
const FLUSH_PAUSE = 10;
const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4));
/** A pipe accepts this many bytes as a unit, even if others write to it. Source: pipe(7), PIPE_BUF. */
const WHOLE = 4096;
const LINE_END = 10;

export interface LogFileOptions {
  /** Whether other processes write to the same destination, so that their lines must not get mixed into ours. */
  readonly shared?: boolean;
  /**
   * Called before each write; makes the destination non-blocking if it is a pipe. A blocking write cannot be interrupted, so a reader that
   * hangs would keep the process from ending.
   */
  readonly beforeWrite?: () => void;
}

export interface LogFile {
  /** Accepts a line; never throws, never waits. */
  write(line: string): void;
  /** Writes the waiting lines before the process ends, and drops what a full pipe does not accept within half a second. Never throws. */
  flush(): void;
  /** Number of lines dropped since the start. */
  readonly dropped: number;
}

/**
 * Writes lines to a file descriptor in the background. If the disk is full or the pipe is closed, it drops them, and reports how many once
 * it can write again. (pino's own destination retries forever at exit, and ends the process on an unhandled error.)
 */
export function openLogFile(
  fileDescriptor: number,
  { shared = false, beforeWrite = () => {} }: LogFileOptions = {},
): LogFile {
  let waiting = '';
  let dropped = 0;
  let untold = 0;
  let isWriting = false;
  /** What a full pipe has not accepted yet. */
  let delayed: Buffer | undefined;
  let timer: NodeJS.Timeout | undefined;

  const countDropped = (lines: string) => {
    const count = lines.split('\n').length - 1;
    dropped += count;
    untold += count;
  };

  const takeWaiting = (): Buffer => {
    const lost = untold === 0 ? '' : `${JSON.stringify({ level: 40, msg: 'log lines dropped', count: untold })}\n`;
    untold = 0;
    const bytes = Buffer.from(lost + waiting);
    waiting = '';
    return bytes;
  };

  /** Bytes of the next write: all, or as many whole lines as a pipe accepts as a unit. */
  const portion = (bytes: Buffer, from: number): number => {
    if (!shared || bytes.length - from <= WHOLE) return bytes.length - from;
    const end = bytes.lastIndexOf(LINE_END, from + WHOLE - 1);
    return end < from ? WHOLE : end + 1 - from;
  };

  const writeOn = (bytes: Buffer, from: number, pause = FULL_PAUSE): void => {
    beforeWrite();
    write(fileDescriptor, bytes, from, portion(bytes, from), (error, written) => {
      // A non-blocking pipe with a slow reader.
      if (error?.code === 'EAGAIN') {
        const rest = bytes.subarray(from);
        delayed = rest;
        const again = () => {
          // Unless a flush has already taken it.
          if (delayed !== rest) return;
          delayed = undefined;
          writeOn(rest, 0, Math.min(2 * pause, LONGEST_FULL_PAUSE));
        };
        return void setTimeout(again, pause).unref();
      }
      if (error !== null) countDropped(bytes.subarray(from).toString());
      else if (from + written < bytes.length) return writeOn(bytes, from + written);
      isWriting = false;
      if (waiting !== '') schedule();
    });
  };

  const schedule = (): void => {
    if (isWriting || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      isWriting = true;
      writeOn(takeWaiting(), 0);
    }, PAUSE);
    timer.unref();
  };

  return {
    write(line) {
      if (waiting.length + line.length > MOST_WAITING) {
        countDropped(line);
        return;
      }
      waiting += line;
      schedule();
    },
    flush() {
      if (waiting === '' && untold === 0 && delayed === undefined) return;
      const bytes = Buffer.concat([delayed ?? Buffer.alloc(0), takeWaiting()]);
      delayed = undefined;
      let from = 0;
      for (let patience = LAST_PATIENCE; from < bytes.length; ) {
        try {
          beforeWrite();
          from += writeSync(fileDescriptor, bytes, from, portion(bytes, from));
        } catch (error) {
          patience -= FLUSH_PAUSE;
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || patience < 0) break;
          Atomics.wait(NEVER_WOKEN, 0, 0, FLUSH_PAUSE);
        }
      }
      if (from < bytes.length) countDropped(bytes.subarray(from).toString());
    },
    get dropped() {
      return dropped;
    },
  };
}
