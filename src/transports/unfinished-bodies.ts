/** A body that has begun to come. */
interface Body {
  bytes: number;
  readonly giveUp: () => void;
}

/** A body that is counted until it is whole. */
export interface CountedBody {
  grow(bytes: number): void;
  end(): void;
}

/**
 * Bounds what all bodies together may hold that have begun to come and are not whole. Beyond that the one that began first is given up: one
 * that comes as fast as it can is whole long before, and one that is held back on purpose is the first to go.
 */
export class UnfinishedBodies {
  readonly #most: number;
  /** In the order in which they began. */
  readonly #open = new Set<Body>();
  #bytes = 0;

  /** `most`: bytes of all of them. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a body, whose `giveUp` is called if it has to make room. */
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
