import { createHistogram } from 'node:perf_hooks';
import type { Transport } from '../../contract/contract.ts';
import type { Observation } from './observe-request.ts';
import type { Imported } from './open-trial.ts';
import type { OldAnswer } from './recorded-request.ts';
import type { RefusalCode, Verdict } from './verdict.ts';

/** Maximum number of different values that are counted individually. Any further ones are counted together. */
const MOST_VALUES = 500;

/** Counts how often each of some keys was seen. Keys are compared as JSON. */
export class Counter<Key> {
  readonly #counts = new Map<string, { readonly key: Key; count: number }>();
  #others = 0;

  add(key: Key): void {
    const name = JSON.stringify(key);
    const known = this.#counts.get(name);
    if (known !== undefined) known.count++;
    else if (this.#counts.size < MOST_VALUES) this.#counts.set(name, { key, count: 1 });
    else this.#others++;
  }

  /** The most frequent first. */
  entries(): readonly { readonly key: Key; readonly count: number }[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count);
  }

  /** How often keys were seen for which there was no room left. */
  get others(): number {
    return this.#others;
  }
}

export interface CallKey {
  readonly operation: string;
  readonly transport: Transport | undefined;
  readonly program: string;
}

export interface RefusalKey {
  readonly code: RefusalCode;
  readonly parameter: string | undefined;
  readonly operation: string;
  readonly program: string;
  /** Whether the old service executed it, which means that its status is below 400. Undefined if its answer is not known. */
  readonly doneByOld: boolean | undefined;
}

export interface TypeKey {
  readonly type: number;
  readonly hasStart: boolean;
}

/** Milliseconds of one operation. */
export class Latency {
  // In microseconds, because a histogram counts integers.
  readonly #histogram = createHistogram();

  add(milliseconds: number): void {
    this.#histogram.record(Math.max(1, Math.round(milliseconds * 1000)));
  }

  get count(): number {
    return this.#histogram.count;
  }

  /** `share` is a percentage, 50 for the median. */
  percentile(share: number): number {
    return this.#histogram.percentile(share) / 1000;
  }
}

/** All data from which a report is made. Its size is limited, however long the rehearsal takes. */
export class Tally {
  requests = 0;
  /** Requests that only the old service received. */
  notTried = 0;
  /** Connections whose bytes are not HTTP. */
  broken = 0;
  readonly calls = new Counter<CallKey>();
  readonly refusals = new Counter<RefusalKey>();
  readonly types = new Counter<TypeKey>();
  readonly unknownCenters = new Counter<number>();
  readonly unknownDoctors = new Counter<{ readonly centerId: number; readonly doctorId: number }>();
  readonly contentTypes = new Counter<string>();
  readonly soapActions = new Counter<string>();
  readonly dates = new Counter<{ readonly parameter: string; readonly form: string }>();
  readonly oldLatencies = new Map<string, Latency>();
  readonly ownLatencies = new Map<string, Latency>();
  readonly #centers: ReadonlySet<number>;
  readonly #doctors: ReadonlySet<string>;

  constructor({ centers, doctors }: Imported) {
    this.#centers = new Set(centers);
    this.#doctors = new Set(doctors.map(({ centerId, id }) => `${centerId}/${id}`));
  }

  add(seen: Observation, old: OldAnswer | undefined, verdict: Verdict | undefined): void {
    const { operation, transport, program, contentType, soapAction, type, hasStart } = seen;
    this.requests++;
    this.calls.add({ operation, transport, program });
    if (contentType !== undefined) this.contentTypes.add(contentType);
    if (soapAction !== undefined) this.soapActions.add(soapAction);
    if (type !== undefined) this.types.add({ type, hasStart });
    for (const date of seen.dates) this.dates.add(date);
    this.#countUnknown(seen);
    if (old?.milliseconds !== undefined) latencyOf(this.oldLatencies, operation).add(old.milliseconds);
    if (verdict === undefined) {
      this.notTried++;
      return;
    }
    latencyOf(this.ownLatencies, operation).add(verdict.milliseconds);
    const { code, parameter } = verdict;
    if (code === undefined) return;
    this.refusals.add({ code, parameter, operation, program, doneByOld: old && old.status < 400 });
  }

  #countUnknown({ centerId, doctorId }: Observation): void {
    if (centerId === undefined) return;
    if (!this.#centers.has(centerId)) this.unknownCenters.add(centerId);
    else if (doctorId !== undefined && !this.#doctors.has(`${centerId}/${doctorId}`)) {
      this.unknownDoctors.add({ centerId, doctorId });
    }
  }
}

function latencyOf(latencies: Map<string, Latency>, operation: string): Latency {
  const known = latencies.get(operation);
  if (known !== undefined) return known;
  const latency = new Latency();
  latencies.set(operation, latency);
  return latency;
}
