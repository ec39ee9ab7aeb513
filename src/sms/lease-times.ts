/**
 * When a process renews its lease on the outbox, and when it may take over from another process. Leases end by the clock, so jumps of the
 * clock are noticed here. Instants are passed in, in milliseconds since the epoch.
 */
export class LeaseTimes {
  readonly #lease: number;
  readonly #interval: number;
  #renewOn = 0;
  /** Until then, an outbox that another process holds is left alone. */
  #patientUntil = 0;
  /** Until then, messages that another process had in flight are left alone. */
  #takeOverOn = 0;
  #noticedOn: number | undefined;

  /** The length of a lease, and the longest time between two calls of `notice`, both in milliseconds. */
  constructor(lease: number, interval: number) {
    this.#lease = lease;
    this.#interval = interval;
  }

  /** Called when the process starts. A receipt may still arrive for a message that a process had in flight before it stopped. */
  begin(now: number): void {
    this.#takeOverOn = now + this.#lease;
  }

  /**
   * Returns whether the clock was set back; nothing waits for the time that it showed before. After it was set forward, or the machine
   * slept, the process that sends gets the time to renew its lease: another one that took the outbox would send again what is being sent.
   */
  notice(now: number): boolean {
    const passed = now - (this.#noticedOn ?? now);
    this.#noticedOn = now;
    if (passed > this.#interval + this.#lease / 3) this.bePatient(now);
    if (passed >= 0) return false;
    this.#renewOn = 0;
    this.#patientUntil = Math.min(this.#patientUntil, now + this.#lease);
    this.#takeOverOn = Math.min(this.#takeOverOn, now + this.#lease);
    return true;
  }

  /** Gives the process that holds the outbox the length of a lease to renew it. */
  bePatient(now: number): void {
    this.#patientUntil = now + this.#lease;
  }

  mayTakeOutbox(now: number): boolean {
    return now >= this.#patientUntil;
  }

  mayTakeMessages(now: number): boolean {
    return now >= this.#takeOverOn;
  }

  mustRenew(now: number): boolean {
    return now >= this.#renewOn;
  }

  renewed(now: number): void {
    this.#renewOn = now + this.#lease / 3;
  }

  /** Milliseconds until the lease must be renewed; negative if that time has passed. */
  untilRenewal(now: number): number {
    return this.#renewOn - now;
  }
}
