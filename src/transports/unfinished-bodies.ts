/** A body that has begun to arrive. */
interface Body {
  bytes: number;
  readonly giveUp: () => void;
}

/** A body that is counted until it is complete. */
export interface CountedBody {
  grow(bytes: number): void;
  end(): void;
}

/**
 * Limits the total size of all bodies that have begun to arrive and are not complete. Beyond the limit, the one that began first is
 * dropped: a body sent at full speed is complete long before that, so one that is held back on purpose is the first to go.
 */
export class UnfinishedBodies {
  readonly #most: number;
  /** In the order in which they began. */
  readonly #open = new Set<Body>();
  #bytes = 0;

  /** `most` is the limit in bytes for all of them together. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a body. `giveUp` is called if the body must make room. */
  begin(giveUp: () => void): CountedBody {
    const body: Body = { bytes: 0, giveUp };
    this.#open.add(body);
    return {
      grow: (bytes) => {
        if (!this.#open.has(body)) return;
        body.bytes += bytes;
        this.#bytes += bytes;
        while (this.#bytes > this.#most) this.#giveUpFirst();
      },
      end: () => this.#remove(body),
    };
  }

  #giveUpFirst(): void {
    const [first] = this.#open;
    if (first === undefined) return;
    this.#remove(first);
    first.giveUp();
  }

  #remove(body: Body): void {
    if (this.#open.delete(body)) this.#bytes -= body.bytes;
  }
}
