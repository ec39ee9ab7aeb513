import { ServiceError } from '../vocabulary/errors.ts';

/** A caller that waits for a turn. */
export interface Waiter {
  readonly network: string;
  /** Whether the network has already proved a secret. */
  readonly isProved: boolean;
}

export interface FairTurnsLimits {
  /** Turns at the same time. */
  readonly mostAtOnce: number;
  /** Per queue. */
  readonly mostWaiting: number;
}

interface Turn {
  readonly start: () => void;
  readonly refuse: (error: ServiceError) => void;
}

/** Those that are waiting, by network, in the order of the networks' turns. */
type Queue = Map<string, Turn[]>;

/**
 * Shares turns between networks: each network that is waiting gets one turn before any gets its second, however many it requests. Networks
 * that have proved a secret have a queue of their own, which gets every other turn while both queues are waiting. If a queue is full, the
 * network with the most entries in it loses its latest one.
 */
export class FairTurns {
  readonly #limits: FairTurnsLimits;
  readonly #proved: Queue = new Map();
  readonly #unproved: Queue = new Map();
  #running = 0;
  #wasProved = false;

  constructor(limits: FairTurnsLimits) {
    this.#limits = limits;
  }

  /** Runs `work` when its turn comes. Rejects with ServiceError `TooManyRequests` if too many are waiting. */
  async take<Result>(waiter: Waiter, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limits.mostAtOnce) this.#running++;
    else await this.#wait(waiter);
    try {
      return await work();
    } finally {
      this.#running--;
      this.#startNext();
    }
  }

  #wait({ network, isProved }: Waiter): Promise<void> {
    const queue = isProved ? this.#proved : this.#unproved;
    if (lengthOf(queue) >= this.#limits.mostWaiting) makeRoom(queue, network);
    return new Promise((start, refuse) => {
      const turns = queue.get(network);
      if (turns === undefined) queue.set(network, [{ start, refuse }]);
      else turns.push({ start, refuse });
    });
  }

  #startNext(): void {
    const first = this.#wasProved ? this.#unproved : this.#proved;
    const queue = first.size > 0 ? first : this.#wasProved ? this.#proved : this.#unproved;
    const [next] = queue;
    if (next === undefined) return;
    const [network, turns] = next;
    const turn = turns.shift();
    // Moves the network to the end of the round.
    queue.delete(network);
    if (turns.length > 0) queue.set(network, turns);
    this.#wasProved = queue === this.#proved;
    this.#running++;
    turn?.start();
  }
}

function lengthOf(queue: Queue): number {
  let length = 0;
  for (const turns of queue.values()) length += turns.length;
  return length;
}

/** Refuses the latest entry of the network that has the most entries in the queue. Throws if that is the network that makes the request. */
function makeRoom(queue: Queue, network: string): void {
  let [longest, most] = [network, queue.get(network)?.length ?? 0];
  for (const [other, { length }] of queue) if (length > most + 1) [longest, most] = [other, length];
  if (longest === network) throw tooMany();
  queue.get(longest)?.pop()?.refuse(tooMany());
}

const tooMany = () =>
  new ServiceError('TooManyRequests', 'Too many clients are logging in at the moment. Try again in a few seconds.', {
    reason: 'logins at once',
  });
