import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Transport } from '../../contract/contract.ts';
import { formatInstant } from '../../rules/time-zone.ts';
import { ResultCode } from '../../vocabulary/result-codes.ts';
import { adviceOn } from './advice.ts';
import type { Observation } from './observe-request.ts';
import { proposeTypes } from './propose-types.ts';
import type { OldAnswer } from './relay.ts';
import type { TrialFacts } from './trial.ts';
import type { RefusalCode, Verdict } from './verdict.ts';

/** Maximum number of different values that are listed. Any further ones are only counted. */
const MOST_VALUES = 500;

/** Counts how many requests had some value, with details that all of them share. Values are compared as JSON. */
class Counter<Value extends object, Details extends object = object> {
  readonly #values = new Map<string, Value & Details & { calls: number }>();
  /** Requests with values for which there was no room left. */
  unlisted = 0;

  /** Returns the details; undefined if there is no room for the value. */
  add(value: Value, details: Details): Details | undefined {
    const name = JSON.stringify(value);
    const known = this.#values.get(name);
    if (known !== undefined) known.calls++;
    else if (this.#values.size < MOST_VALUES) this.#values.set(name, { ...value, ...details, calls: 1 });
    else this.unlisted++;
    return this.#values.get(name);
  }

  /** The most frequent first. */
  list(): readonly (Value & Details & { readonly calls: number })[] {
    return [...this.#values.values()].sort((a, b) => b.calls - a.calls);
  }
}

/** Milliseconds. */
export interface Times {
  readonly median: number;
  readonly p95: number;
  readonly most: number;
}

/** The results of a rehearsal, as they are written as JSON. Nothing in them identifies a person. */
export type RehearsalReport = ReturnType<Tally['report']>;

/** Counts everything from which the report is made. Its size is limited, however long the rehearsal takes. */
export class Tally {
  #requests = 0;
  #notTried = 0;
  #refused = 0;
  #notHttp = 0;
  readonly #calls = new Counter<{ operation: string; transport: Transport | undefined; program: string }>();
  readonly #refusals = new Counter<
    { code: RefusalCode; parameter: string | undefined; operation: string },
    { doneByOld: number; readonly programs: string[] }
  >();
  readonly #types = new Counter<{ type: number; hasStart: boolean }>();
  readonly #unknownCenters = new Counter<{ centerId: number }>();
  readonly #unknownDoctors = new Counter<{ centerId: number; doctorId: number }>();
  readonly #contentTypes = new Counter<{ contentType: string }>();
  readonly #soapActions = new Counter<{ soapAction: string }>();
  readonly #dates = new Counter<{ parameter: string; form: string }>();
  /** In microseconds, because a histogram counts integers. */
  readonly #latencies = new Map<string, Readonly<Record<'old' | 'ours', RecordableHistogram>>>();
  readonly #facts: Pick<TrialFacts, 'centers' | 'doctors' | 'moves'>;

  constructor(facts: Pick<TrialFacts, 'centers' | 'doctors' | 'moves'>) {
    this.#facts = facts;
  }

  /** There were bytes that are not HTTP on a connection. */
  addBroken(): void {
    this.#notHttp++;
  }

  /** `old` is undefined if its answer is not known, `verdict` if only the old service received the request. */
  add(request: Observation, old: OldAnswer | undefined, verdict: Verdict | undefined): void {
    const { operation, transport, program, contentType, soapAction, type, hasStart } = request;
    this.#requests++;
    this.#calls.add({ operation, transport, program }, {});
    if (contentType !== undefined) this.#contentTypes.add({ contentType }, {});
    if (soapAction !== undefined) this.#soapActions.add({ soapAction }, {});
    if (type !== undefined) this.#types.add({ type, hasStart }, {});
    for (const date of request.dates) this.#dates.add(date, {});
    this.#addUnknown(request);
    const latencies = this.#latencies.getOrInsertComputed(operation, () => ({
      old: createHistogram(),
      ours: createHistogram(),
    }));
    if (old !== undefined) record(latencies.old, old.milliseconds);
    if (verdict === undefined) {
      this.#notTried++;
      return;
    }
    record(latencies.ours, verdict.milliseconds);
    const { code, parameter } = verdict;
    if (code === undefined) return;
    this.#refused++;
    const refusal = this.#refusals.add({ code, parameter, operation }, { doneByOld: 0, programs: [] });
    if (refusal === undefined) return;
    if (old !== undefined && old.status < 400) refusal.doneByOld++;
    if (!refusal.programs.includes(program) && refusal.programs.length < MOST_VALUES) refusal.programs.push(program);
  }

  #addUnknown({ centerId, doctorId }: Observation): void {
    const { centers, doctors } = this.#facts;
    if (centerId === undefined) return;
    if (!centers.includes(centerId)) this.#unknownCenters.add({ centerId }, {});
    else if (
      doctorId !== undefined &&
      !doctors.some((doctor) => doctor.centerId === centerId && doctor.id === doctorId)
    )
      this.#unknownDoctors.add({ centerId, doctorId }, {});
  }

  /** `from` and `to` are milliseconds since the epoch. */
  report(from: number, to: number) {
    const counters = {
      calls: this.#calls,
      refusals: this.#refusals,
      types: this.#types,
      contentTypes: this.#contentTypes,
      soapActions: this.#soapActions,
      dates: this.#dates,
      centers: this.#unknownCenters,
      doctors: this.#unknownDoctors,
    };
    return {
      from: formatInstant(from),
      to: formatInstant(to),
      requests: this.#requests,
      /** Answered as expected by this service, too. */
      done: this.#requests - this.#notTried - this.#refused,
      refused: this.#refused,
      /** Only the old service received them: the trial instance had fallen behind, or was gone. */
      notTried: this.#notTried,
      /** Connections whose bytes are not HTTP. */
      notHttp: this.#notHttp,
      calls: this.#calls.list(),
      refusals: this.#refusals.list().map((refusal) => ({
        ...refusal,
        /** For a refusal by the hospital's rules. */
        resultCode: refusal.code in ResultCode ? ResultCode[refusal.code as keyof typeof ResultCode] : undefined,
        advice: adviceOn(refusal.code),
      })),
      types: proposeTypes(this.#types.list(), this.#facts.moves),
      notImported: { centers: this.#unknownCenters.list(), doctors: this.#unknownDoctors.list() },
      contentTypes: this.#contentTypes.list(),
      soapActions: this.#soapActions.list(),
      dates: this.#dates
        .list()
        .toSorted((a, b) => (a.parameter < b.parameter ? -1 : Number(a.parameter > b.parameter))),
      latencies: [...this.#latencies]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([operation, { old, ours }]) => ({ operation, old: timesOf(old), ours: timesOf(ours) })),
      /** How many requests had values beyond those that are listed, by kind. */
      unlisted: Object.fromEntries(
        Object.entries(counters).flatMap(([name, { unlisted }]) => (unlisted === 0 ? [] : [[name, unlisted]])),
      ),
    };
  }
}

const record = (histogram: RecordableHistogram, milliseconds: number): void =>
  histogram.record(Math.max(1, Math.round(milliseconds * 1000)));

const timesOf = (histogram: RecordableHistogram): Times | undefined =>
  histogram.count === 0
    ? undefined
    : {
        median: histogram.percentile(50) / 1000,
        p95: histogram.percentile(95) / 1000,
        most: histogram.percentile(100) / 1000,
      };
