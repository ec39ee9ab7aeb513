import type { Transport } from '../../contract/contract.ts';
import type { Move } from '../../vocabulary/appointments.ts';
import { ResultCode } from '../../vocabulary/result-codes.ts';
import { adviceOn } from './advice.ts';
import { proposeTypes, type TypeProposal } from './propose-types.ts';
import type { Counter, Latency, RefusalKey, Tally } from './tally.ts';
import type { RefusalCode } from './verdict.ts';

/** A value and how often it was seen. */
type Counted<T> = T & { readonly calls: number };

/** Requests that this service would not have executed, with the same code, parameter and operation. */
interface RefusedCalls {
  readonly code: RefusalCode;
  /** For a refusal by the hospital's rules. */
  readonly resultCode: number | undefined;
  readonly parameter: string | undefined;
  readonly operation: string;
  readonly calls: number;
  /** How many of them the old service executed. */
  readonly doneByOld: number;
  readonly programs: readonly string[];
  readonly advice: string;
}

/** Milliseconds; undefined if nothing was measured. */
export interface Times {
  readonly median: number;
  readonly p95: number;
  readonly most: number;
}

/** The results of a rehearsal, as they are written as JSON. Nothing in them identifies a person. */
export interface RehearsalReport {
  /** ISO instants. */
  readonly from: string;
  readonly to: string;
  readonly requests: number;
  /** Answered as expected by this service, too. */
  readonly done: number;
  readonly refused: number;
  /** Requests that only the old service received: the trial instance had fallen behind, or was gone. */
  readonly notTried: number;
  /** Connections whose bytes are not HTTP. */
  readonly notHttp: number;
  readonly calls: readonly Counted<{ operation: string; transport: Transport | undefined; program: string }>[];
  readonly refusals: readonly RefusedCalls[];
  readonly types: TypeProposal;
  readonly notImported: {
    readonly centers: readonly Counted<{ centerId: number }>[];
    readonly doctors: readonly Counted<{ centerId: number; doctorId: number }>[];
  };
  readonly contentTypes: readonly Counted<{ contentType: string }>[];
  readonly soapActions: readonly Counted<{ soapAction: string }>[];
  readonly dates: readonly Counted<{ parameter: string; form: string }>[];
  readonly latencies: readonly { operation: string; old: Times | undefined; ours: Times | undefined }[];
  /** How many values exceeded the limit for being counted individually, by kind. */
  readonly uncounted: Readonly<Record<string, number>>;
}

export interface ReportFrame {
  /** ISO instants. */
  readonly from: string;
  readonly to: string;
  /** The settings of the rehearsal. */
  readonly moves: readonly Move[];
}

export function reportOf(tally: Tally, { from, to, moves }: ReportFrame): RehearsalReport {
  const refused = tally.refusals.entries().reduce((sum, { count }) => sum + count, tally.refusals.others);
  const counters = {
    calls: tally.calls,
    refusals: tally.refusals,
    types: tally.types,
    contentTypes: tally.contentTypes,
    soapActions: tally.soapActions,
    dates: tally.dates,
    centers: tally.unknownCenters,
    doctors: tally.unknownDoctors,
  };
  return {
    from,
    to,
    requests: tally.requests,
    done: tally.requests - tally.notTried - refused,
    refused,
    notTried: tally.notTried,
    notHttp: tally.broken,
    calls: counted(tally.calls, (key) => key),
    refusals: refusalsOf(tally.refusals),
    types: proposeTypes(tally.types.entries(), moves),
    notImported: {
      centers: counted(tally.unknownCenters, (centerId) => ({ centerId })),
      doctors: counted(tally.unknownDoctors, (key) => key),
    },
    contentTypes: counted(tally.contentTypes, (contentType) => ({ contentType })),
    soapActions: counted(tally.soapActions, (soapAction) => ({ soapAction })),
    dates: counted(tally.dates, (key) => key).sort((a, b) =>
      a.parameter < b.parameter ? -1 : Number(a.parameter > b.parameter),
    ),
    latencies: [...tally.ownLatencies.keys(), ...tally.oldLatencies.keys()]
      .filter((operation, index, all) => all.indexOf(operation) === index)
      .sort()
      .map((operation) => ({
        operation,
        old: timesOf(tally.oldLatencies.get(operation)),
        ours: timesOf(tally.ownLatencies.get(operation)),
      })),
    uncounted: Object.fromEntries(
      Object.entries(counters).flatMap(([name, { others }]) => (others === 0 ? [] : [[name, others]])),
    ),
  };
}

const counted = <Key, Shown>(counter: Counter<Key>, show: (key: Key) => Shown): Counted<Shown>[] =>
  counter.entries().map(({ key, count }) => ({ ...show(key), calls: count }));

/** One for each code, parameter and operation, the most frequent first. */
function refusalsOf(counter: Counter<RefusalKey>): RefusedCalls[] {
  const alike = Map.groupBy(counter.entries(), ({ key }) => JSON.stringify([key.code, key.parameter, key.operation]));
  return [...alike.values()]
    .flatMap((entries) => {
      const [first] = entries;
      if (first === undefined) return [];
      const { code, parameter, operation } = first.key;
      const calls = entries.reduce((sum, { count }) => sum + count, 0);
      const doneByOld = entries.reduce((sum, { key, count }) => sum + (key.doneByOld === true ? count : 0), 0);
      const programs = [...new Set(entries.map(({ key }) => key.program))];
      const resultCode = code in ResultCode ? ResultCode[code as keyof typeof ResultCode] : undefined;
      return [{ code, resultCode, parameter, operation, calls, doneByOld, programs, advice: adviceOn(code) }];
    })
    .sort((a, b) => b.calls - a.calls);
}

const timesOf = (latency: Latency | undefined): Times | undefined =>
  latency && { median: latency.percentile(50), p95: latency.percentile(95), most: latency.percentile(100) };
