import { readFileSync } from 'node:fs';
import { readContract } from '../../src/contract/read-contract.ts';
import { type Answer, RawConnection } from '../../test/support/http/raw-connection.ts';
import { createAnswerCheck } from './check-answer.ts';
import { type FuzzedRequest, fuzzedRequest } from './fuzzed-request.ts';
import { findIllFormed } from './ill-formed-xml.ts';

export interface FuzzSettings {
  readonly port: number;
  readonly seed: number;
  /** Number of the first request. */
  readonly first: number;
  readonly count: number;
  readonly connections: number;
  /** Milliseconds within which an answer must arrive. */
  readonly longestAnswer: number;
}

export interface FuzzFinding {
  /** Of the request; -1 if it belongs to none. */
  readonly number: number;
  readonly mutations: readonly string[];
  readonly problems: readonly string[];
  readonly sent: string;
  readonly answered: string;
}

export interface FuzzResult {
  readonly findings: readonly FuzzFinding[];
  /** Answers by status and the transport that the request was made from. */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Milliseconds. */
  readonly slowest: number;
}

/** How long an unfinished request is left open before the connection's sending side is closed, in milliseconds. */
const PATIENCE = 40;
const MOST_FINDINGS = 50;
/** XML answers that libxml2 reads. */
const MOST_SAMPLES = 3000;
const DAYS_AHEAD = 40;

/** Sends requests `first` to `first + count - 1` and checks what is received. */
export async function fuzz(settings: FuzzSettings): Promise<FuzzResult> {
  const { port, seed, first, count, connections, longestAnswer } = settings;
  const contract = readContract(readFileSync(new URL('../../wsdl/TPWebServices.wsdl', import.meta.url), 'utf8'));
  const samples: string[] = [];
  const check = createAnswerCheck(contract, (xml) => {
    if (samples.length < MOST_SAMPLES) samples.push(xml);
  });
  const days = daysFrom(Date.now());
  const findings: FuzzFinding[] = [];
  const statuses: Record<string, Record<string, number>> = {};
  let slowest = 0;
  let next = first;

  const count1 = (transport: string, status: string) => {
    statuses[status] ??= {};
    statuses[status][transport] = (statuses[status][transport] ?? 0) + 1;
  };

  async function runner(): Promise<void> {
    let shared: RawConnection | undefined;
    while (next < first + count && findings.length < MOST_FINDINGS) {
      const number = next++;
      const request = fuzzedRequest(contract, seed, number, days);
      const problems: string[] = [];
      let last: Answer | undefined;
      if (shared?.closed) shared = undefined;
      const connection: RawConnection = request.isWhole ? (shared ?? new RawConnection(port)) : new RawConnection(port);
      try {
        const began = performance.now();
        const answers = request.isWhole
          ? [await exchangeWhole(connection, request, longestAnswer)]
          : await exchangeBroken(connection, request, longestAnswer);
        // The time for which a broken request was left open is not the service's.
        if (request.isWhole) slowest = Math.max(slowest, performance.now() - began);
        for (const answer of answers) {
          last = answer;
          count1(request.transport, String(answer.status));
          problems.push(...check(request, answer));
          if (request.mutations.length === 0 && request.transport.startsWith('http') && answer.status === 400) {
            problems.push('a good request is answered 400');
          }
        }
        if (request.isWhole && connection.rest.length > 0) problems.push('bytes come after the answer');
      } catch (error) {
        problems.push((error as Error).message);
        connection.destroy();
      }
      shared = keep(connection, request, last);
      if (problems.length > 0) {
        findings.push({
          number,
          mutations: request.mutations,
          problems,
          sent: request.bytes.toString('latin1').slice(0, 20_000),
          answered: last === undefined ? '' : `${last.head}\n\n${last.body.toString('utf8').slice(0, 5000)}`,
        });
      }
    }
    shared?.destroy();

    function keep(connection: RawConnection, request: FuzzedRequest, answer: Answer | undefined) {
      if (!request.isWhole) {
        connection.destroy();
        return shared;
      }
      if (answer !== undefined && answer.headers.get('connection') !== 'close' && !connection.closed) return connection;
      connection.destroy();
      return undefined;
    }
  }

  await Promise.all(Array.from({ length: connections }, runner));
  for (const problem of await findIllFormed(samples)) {
    findings.push({ number: -1, mutations: [], problems: [problem.message], sent: '', answered: problem.xml });
  }
  return { findings, statuses, slowest };
}

async function exchangeWhole(connection: RawConnection, request: FuzzedRequest, limit: number): Promise<Answer> {
  void connection.send(request.bytes);
  const answer = await connection.answer(limit, request.method === 'HEAD');
  if (answer === undefined) throw new Error('the connection was closed without an answer');
  return answer;
}

/** Bytes that are not a request: any number of answers, at least one, the last of them after the sending side was closed. */
async function exchangeBroken(connection: RawConnection, request: FuzzedRequest, limit: number): Promise<Answer[]> {
  void connection.send(request.bytes);
  const answers: Answer[] = [];
  const isHead = request.method === 'HEAD';
  try {
    for (;;) {
      const answer = await connection.answer(PATIENCE, isHead);
      if (answer === undefined) break;
      answers.push(answer);
    }
  } catch (error) {
    if (!/within/.test((error as Error).message)) throw error;
  }
  if (answers.length > 0) return answers;
  connection.endSending();
  const answer = await connection.answer(limit, isHead);
  if (answer !== undefined) return [answer];
  // Line ends alone are not a request yet: RFC 9112, 2.2.
  if (/^[\r\n]*$/.test(request.bytes.toString('latin1'))) return [];
  throw new Error('the connection was closed without an answer');
}

/** ISO days after today: those that a booking may be for. */
function daysFrom(now: number): readonly string[] {
  return Array.from({ length: DAYS_AHEAD }, (_, i) => new Date(now + (i + 1) * 86_400_000).toISOString().slice(0, 10));
}
