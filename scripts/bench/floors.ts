import { type BenchFigures, median, OWN_SERVER } from './bench-table.ts';

interface Floor {
  readonly operation: string;
  readonly transport: string;
  /** The server whose CPU time per answer is compared; without one, `most` is the p99 in ms. */
  readonly peer?: string;
  /** Times the CPU time of the peer. */
  readonly most: number;
}

const SOAP = { transport: 'SOAP 1.1' };
const GET = { transport: 'GET' };

/** What this version reached, and later ones must not exceed. Floors whose peer was not measured are left out. */
const FLOORS: readonly Floor[] = [
  { operation: 'GetDoctor', ...SOAP, peer: 'gSOAP, C++', most: 1.3 },
  { operation: 'GetDoctor', ...SOAP, peer: 'SoapCore, .NET 10', most: 1 / 3 },
  { operation: 'GetDoctor', ...SOAP, peer: 'soap on Express, stock', most: 0.3 },
  { operation: 'Fetch_Details', ...SOAP, peer: 'f0a4d68', most: 2.2 },
  { operation: 'GetDoctor', ...SOAP, most: 15 },
  { operation: 'GetDoctor', ...GET, most: 5 },
  { operation: 'Appointment_Status', ...SOAP, most: 10 },
  { operation: 'Appointment_Status', ...GET, most: 5 },
  { operation: 'Fetch_Details', ...SOAP, most: 25 },
];

/** One line for each floor: medians of the rounds, and whether the floor holds. */
export function compareWithFloors(all: readonly BenchFigures[]): readonly { readonly holds: boolean; text: string }[] {
  const of = ({ operation, transport }: Floor, server: string) =>
    all.filter((each) => each.operation === operation && each.transport === transport && each.server === server);
  return FLOORS.flatMap((floor) => {
    const { operation, transport, peer, most } = floor;
    const own = of(floor, OWN_SERVER);
    const theirs = peer === undefined ? own : of(floor, peer);
    if (own.length === 0 || theirs.length === 0) return [];
    const ratioIn = ({ round, requestsPerCpuSecond }: BenchFigures) =>
      (theirs.find((each) => each.round === round)?.requestsPerCpuSecond ?? Number.NaN) / requestsPerCpuSecond;
    const value = median(own.map((each) => (peer === undefined ? each.p99 : ratioIn(each))));
    const unit = peer === undefined ? 'ms p99' : `times the CPU of ${peer}`;
    const holds = value <= most;
    const verdict = holds ? 'holds' : 'exceeded';
    return {
      holds,
      text: `${operation} by ${transport}: ${value.toFixed(2)} ${unit}; floor ${most.toFixed(2)} ${verdict}`,
    };
  });
}
