/** Bytes of a body that is being received, or of an answer that is being sent. */
interface Transfer {
  bytes: number;
  readonly giveUp: () => void;
}

/** Whoever causes transfers. */
interface Sender {
  bytes: number;
  /** In the order in which they began. */
  readonly open: Set<Transfer>;
}

/**
 * Limits the total size of all transfers that have begun and are not complete. Beyond the limit, that of the sender with the most bytes is
 * given up that began first: at full speed, a transfer is complete long before that, so one that is held back on purpose is the first to go.
 */
export class BytesInFlight {
  readonly #most: number;
  /** Those that have open transfers. */
  readonly #senders = new Map<object, Sender>();
  #bytes = 0;

  /** `most` is the limit in bytes for all of them together. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a transfer of a sender until it is complete. `giveUp` is called if it must make room. */
  begin(by: object, giveUp: () => void) {
    const sender = this.#senders.getOrInsertComputed(by, () => ({ bytes: 0, open: new Set() }));
    const transfer: Transfer = { bytes: 0, giveUp };
    sender.open.add(transfer);
    return {
      grow: (bytes: number) => {
        if (!sender.open.has(transfer)) return;
        transfer.bytes += bytes;
        sender.bytes += bytes;
        this.#bytes += bytes;
        while (this.#bytes > this.#most) this.#makeRoom();
      },
      end: () => this.#remove(by, sender, transfer),
    };
  }

  #makeRoom(): void {
    const [by, sender] = [...this.#senders].reduce((most, other) => (other[1].bytes > most[1].bytes ? other : most));
    const [first] = [...sender.open.values().take(1)];
    if (first === undefined) return;
    this.#remove(by, sender, first);
    first.giveUp();
  }

  #remove(by: object, sender: Sender, transfer: Transfer): void {
    if (!sender.open.delete(transfer)) return;
    sender.bytes -= transfer.bytes;
    this.#bytes -= transfer.bytes;
    if (sender.open.size === 0) this.#senders.delete(by);
  }
}
