import type { OldAnswer } from './recorded-request.ts';

const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})/;
const END_OF_HEADERS = '\r\n\r\n';

/**
 * Determines the old service's status and time for each request of one connection, without parsing its answers. A request that a caller
 * sent before the previous one was answered has no result, because there is no telling which bytes belong to which request.
 */
export class AnswerWatch {
  readonly #stopwatch: () => number;
  #waiting: { readonly began: number; readonly resolve: (answer: OldAnswer | undefined) => void } | undefined;

  /** `stopwatch` returns monotonic milliseconds. */
  constructor(stopwatch: () => number) {
    this.#stopwatch = stopwatch;
  }

  /** A whole request has been sent. Resolves when its answer begins, with undefined if no answer can be attributed to it. */
  requested(): Promise<OldAnswer | undefined> {
    const { promise, resolve } = Promise.withResolvers<OldAnswer | undefined>();
    if (this.#waiting !== undefined) {
      this.#settle(undefined);
      resolve(undefined);
      return promise;
    }
    this.#waiting = { began: this.#stopwatch(), resolve };
    return promise;
  }

  /** Bytes were received from the old service. */
  data(chunk: Buffer): void {
    if (this.#waiting === undefined) return;
    const status = finalStatus(chunk);
    if (status === 'later') return;
    const milliseconds = this.#stopwatch() - this.#waiting.began;
    this.#settle(status === undefined ? undefined : { status, milliseconds });
  }

  /** The connection has ended. */
  ended(): void {
    this.#settle(undefined);
  }

  #settle(answer: OldAnswer | undefined): void {
    this.#waiting?.resolve(answer);
    this.#waiting = undefined;
  }
}

/** The status with which an answer begins; `later` if there is only an interim one, undefined for anything else. */
function finalStatus(chunk: Buffer): number | 'later' | undefined {
  let text = chunk.toString('latin1');
  for (;;) {
    const status = Number(STATUS_LINE.exec(text)?.[1]);
    if (Number.isNaN(status)) return undefined;
    if (status >= 200) return status;
    const end = text.indexOf(END_OF_HEADERS);
    text = end === -1 ? '' : text.slice(end + END_OF_HEADERS.length);
    if (text === '') return 'later';
  }
}
