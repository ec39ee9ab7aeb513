/** Bytes of a body that is being received, or of an answer that is being sent. */
interface Transfer {
  bytes: number;
  readonly giveUp: () => void;
}

/**
 * Limits the total size of all transfers that have begun and are not complete. Beyond the limit, the one that began first is given up: at
 * full speed, a transfer is complete long before that, so one that is held back on purpose is the first to go.
 */
export class BytesInFlight {
  readonly #most: number;
  /** In the order in which they began. */
  readonly #open = new Set<Transfer>();
  #bytes = 0;

  /** `most` is the limit in bytes for all of them together. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a transfer until it is complete. `giveUp` is called if it must make room. */
  begin(giveUp: () => void) {
    const transfer: Transfer = { bytes: 0, giveUp };
    this.#open.add(transfer);
    return {
      grow: (bytes: number) => {
        if (!this.#open.has(transfer)) return;
        transfer.bytes += bytes;
        this.#bytes += bytes;
        for (const first of this.#open) {
          if (this.#bytes <= this.#most) return;
          this.#remove(first);
          first.giveUp();
        }
      },
      end: () => this.#remove(transfer),
    };
  }

  #remove(transfer: Transfer): void {
    if (this.#open.delete(transfer)) this.#bytes -= transfer.bytes;
  }
}
