import { isDeepStrictEqual } from 'node:util';
import type { Transport } from '../../../src/contract/contract.ts';
import { callOver, type FourTransportsAnswer, TRANSPORTS } from '../../support/http/four-transports.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { Random } from '../../support/random/random.ts';
import { hashOf, writeClients } from '../../unit/access/known-clients.ts';
import { answerMatches } from './answer-matches.ts';
import { compareDatabase } from './compare-database.ts';
import { appointmentOf, type Exchange, type FoundAppointment, findOrder } from './find-order.ts';
import { chooseCall, chooseWanted, listCall, readCall, type Wanted } from './history-calls.ts';
import { dayOf, HospitalModel, wallMinute } from './hospital-model.ts';
import { MODEL_CENTERS, openModelHospital } from './model-hospital.ts';
import type { Appointment, Call } from './model-types.ts';

export interface HistorySettings {
  readonly seed: number;
  /** The total number of calls, except those that compare. */
  readonly operations: number;
  /** Empty, or created by the first start. */
  readonly databaseUrl: string;
  /** Services on that one database, each with its own connections. */
  readonly services?: number;
}

export interface HistoryResult {
  readonly rounds: number;
  /** Calls by operation and ResultCode, such as `Fetch_Details 14`. */
  readonly answers: ReadonlyMap<string, number>;
  /** What was not compared, and why. */
  readonly skipped: readonly string[];
}

const CLIENTS = 16;
const CALLS_A_ROUND = 4;
const MINUTE = 60_000;
/** Of the caller that may overbook; all others are one client, by their address. */
const DESK_KEY = { 'X-API-Key': `desk.${'k'.repeat(32)}` };

/** The operations that change something, so that the answer to an Idempotency-Key is kept. */
const CHANGING = ['Fetch_Details', 'Appointment_Status_Updates', 'FB_Push_Details', 'Sent_SMS'];

/** The status of a refusal over SOAP; the forms have one for each ResultCode. */
const REFUSED_STATUS: Readonly<Record<Transport, readonly number[]>> = {
  soap11: [500],
  soap12: [500],
  httpGet: [404, 409, 422, 429],
  httpPost: [404, 409, 422, 429],
};

/**
 * Sixteen clients call the service in rounds, each several times in a row, over all transports. After a round nothing runs: then there
 * must be an order of its calls that agrees with the model, the days that it touched must read as in the model, and the clock advances. At the
 * end everything is compared. Throws at the first difference. The seed determines the choices, but not the timing of the calls.
 */
export async function runHistory(settings: HistorySettings): Promise<HistoryResult> {
  const { seed, operations, databaseUrl, services = 1 } = settings;
  const running: RunningService[] = [];
  const clients = [
    { name: 'ward', networks: ['127.0.0.1'] },
    { name: 'desk', apiKeyHash: await hashOf(DESK_KEY['X-API-Key']), overbook: true },
  ];
  const environment = { CLIENTS_FILE: writeClients(clients), RATE_LIMIT: '0' };
  try {
    for (let n = 0; n < services; n++) {
      running.push(
        await startService({ environment: { ...environment, DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' } }),
      );
    }
    const [first] = running;
    if (first === undefined) throw new RangeError('expected at least one service');
    const model = new HospitalModel(await openModelHospital(first));
    const history = new History(model, running, seed);
    for (let left = operations; left > 0; left -= CLIENTS * CALLS_A_ROUND) await history.round(left);
    await history.compareAll();
    const skipped = await compareDatabase(model, first.config.database);
    const errors = running.flatMap(({ logLines }) => logLines);
    if (errors.length > 0) throw new Error(`The service logged errors:\n${errors.join('')}`);
    return { rounds: history.rounds, answers: history.answers, skipped };
  } finally {
    for (const service of running) await service.close();
  }
}

class History {
  rounds = 0;
  readonly answers = new Map<string, number>();
  readonly #model: HospitalModel;
  readonly #services: readonly RunningService[];
  readonly #random: Random;
  /** One for each client, so that the others' timing does not change its choices. */
  readonly #clients: readonly Random[];
  readonly #lastCalls: (Call | undefined)[] = [];
  readonly #appointments: { readonly id: number; readonly centerId: number }[] = [];
  #wanted: readonly Wanted[] = [];
  #isRushOfMessages = false;
  #tick = 0;

  constructor(model: HospitalModel, services: readonly RunningService[], seed: number) {
    this.#model = model;
    this.#services = services;
    this.#random = new Random(seed);
    this.#clients = Array.from({ length: CLIENTS }, (_, n) => new Random(seed * CLIENTS + n));
    model.now = services[0]?.clock.now ?? 0;
  }

  async round(most: number): Promise<void> {
    this.rounds++;
    this.#advanceClock();
    const { now, doctors } = this.#model;
    this.#wanted = Array.from({ length: 4 }, () => chooseWanted(this.#random, now, doctors));
    this.#isRushOfMessages = this.#random.oneIn(12);
    const calls = Math.min(most, CLIENTS * CALLS_A_ROUND);
    const exchanges = (
      await Promise.all(
        this.#clients.map((random, client) => {
          const share = Math.floor(calls / CLIENTS) + (client < calls % CLIENTS ? 1 : 0);
          return this.#client(client, random, share);
        }),
      )
    ).flat();
    const days = this.#daysOf(exchanges);
    findOrder(this.#model, exchanges, await this.#found(exchanges));
    for (const day of this.#daysOf(exchanges)) days.add(day);
    await this.#compare([...days].map((day) => listCall(...(JSON.parse(day) as [number, number, number]))));
  }

  /** Every appointment, and every day of every doctor with an appointment. */
  async compareAll(): Promise<void> {
    const appointments = [...this.#model.appointments.values()];
    const days = this.#daysOfIds(this.#model.appointments.keys());
    await this.#compare([
      ...[...days].map((day) => listCall(...(JSON.parse(day) as [number, number, number]))),
      ...appointments.map(({ id, centerId }) => readCall(id, centerId)),
    ]);
  }

  /**
   * Usually by some minutes, sometimes so far that days pass; often to the minute in which a booking is just not too late, or a no-show just
   * not too early, or both.
   */
  #advanceClock(): void {
    let now = this.#model.now + this.#random.pick([0, 1, 1, 7, 15, 16, 60, 240]) * MINUTE;
    const due = this.#random.oneIn(4) ? this.#nextDue() : undefined;
    if (due !== undefined) {
      this.#appointments.push(due);
      now = this.#model.now + (due.start + this.#random.pick([14, 15]) - wallMinute(this.#model.now)) * MINUTE;
    } else if (!this.#random.oneIn(3)) {
      now += ((15 + this.#random.pick([0, 5, 6]) - (wallMinute(now) % 15)) % 15) * MINUTE;
    }
    now += this.#random.below(2) * 31_000;
    this.#model.now = now;
    for (const { clock } of this.#services) clock.now = now;
  }

  /** The booked appointment whose patient is the next to become a no-show. */
  #nextDue(): Appointment | undefined {
    const now = wallMinute(this.#model.now);
    return [...this.#model.appointments.values()]
      .filter(({ status, start }) => status === 2 && start + 14 > now)
      .sort((a, b) => a.start - b.start)[0];
  }

  async #client(client: number, random: Random, calls: number): Promise<readonly Exchange[]> {
    const exchanges: Exchange[] = [];
    for (let n = 0; n < calls; n++) {
      const { now, doctors } = this.#model;
      const rush = { wanted: this.#wanted, isRushOfMessages: this.#isRushOfMessages };
      const known = { now, doctors, ...rush, appointments: this.#appointments };
      const last = random.oneIn(8) ? this.#lastCalls[client] : undefined;
      const call = last ?? chooseCall(random, known);
      const transport = random.pick(TRANSPORTS);
      const sent = this.#tick++;
      const key = { 'Idempotency-Key': `${client}-${sent}` };
      const answer = await this.#send(transport, call, random, key);
      exchanges.push({ client, transport, call, answer, sent, received: this.#tick++ });
      if (random.oneIn(8)) await this.#repeat(call, answer, random, key);
      this.#lastCalls[client] = call;
      const id = Number(answer.record.AppointmentID);
      if (call.operation === 'Fetch_Details' && id > 0 && !this.#appointments.some((a) => a.id === id)) {
        this.#appointments.push({ id, centerId: call.meaning.centerId });
      }
      this.#count(`${call.operation} ${answer.record.ResultCode}`);
    }
    return exchanges;
  }

  /** The same call with its Idempotency-Key, later and over any transport, gets the same record and changes nothing; a refused one is a new call. */
  async #repeat(call: Call, { record }: FourTransportsAnswer, random: Random, key: Readonly<Record<string, string>>) {
    if (Number(record.ResultCode) >= 10 || !CHANGING.includes(call.operation)) return;
    const again = await this.#send(random.pick(TRANSPORTS), call, random, key);
    if (isDeepStrictEqual(again.record, record)) return;
    throw new Error(`${call.operation} with its Idempotency-Key again:\n${JSON.stringify(record)}\n${again.text}`);
  }

  async #send(
    transport: Transport,
    { operation, meaning, parameters }: Call,
    random: Random,
    key: Readonly<Record<string, string>>,
  ): Promise<FourTransportsAnswer> {
    const { endpoint } = random.pick(this.#services);
    const headers = 'isDesk' in meaning && meaning.isDesk ? { ...key, ...DESK_KEY } : key;
    const answer = await callOver(transport, endpoint, operation, parameters, headers);
    const isRefused = Number(answer.record.ResultCode) >= 10;
    const statuses = isRefused ? REFUSED_STATUS[transport] : [200];
    if (!statuses.includes(answer.status) || answer.record.ResultCode === undefined) {
      throw new Error(
        `${operation} ${JSON.stringify(parameters)} over ${transport}: HTTP ${answer.status}\n${answer.text}`,
      );
    }
    return answer;
  }

  #count(key: string): void {
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1);
  }

  /** The appointments of some calls, as stored. */
  async #found(exchanges: readonly Exchange[]): Promise<ReadonlyMap<number, FoundAppointment>> {
    const [service] = this.#services;
    const found = new Map<number, FoundAppointment>();
    await service?.store.read(async ({ appointments }) => {
      for (const exchange of exchanges) {
        const id = appointmentOf(exchange);
        if (id === undefined || found.has(id)) continue;
        for (const centerId of MODEL_CENTERS) {
          const appointment = await appointments.byId({ id, centerId });
          if (appointment !== undefined) found.set(id, appointment);
        }
      }
    });
    return found;
  }

  /** The days and doctors of the appointments of some calls. */
  #daysOf(exchanges: readonly Exchange[]): Set<string> {
    return this.#daysOfIds(exchanges.map(({ answer }) => Number(answer.record.AppointmentID)));
  }

  #daysOfIds(ids: Iterable<number>): Set<string> {
    const days = new Set<string>();
    for (const id of ids) {
      const a = this.#model.appointments.get(id);
      if (a !== undefined) days.add(JSON.stringify([a.doctorId, dayOf(a.start), a.centerId]));
    }
    return days;
  }

  /** Calls that read, one at a time, while nothing else runs. */
  async #compare(calls: readonly Call[]): Promise<void> {
    for (const [n, call] of calls.entries()) {
      const service = this.#services[n % this.#services.length];
      const transport = TRANSPORTS[n % TRANSPORTS.length];
      if (service === undefined || transport === undefined) throw new RangeError('no service to compare with');
      const answer = await callOver(transport, service.endpoint, call.operation, call.parameters);
      const match = answerMatches(this.#model.expect(call), answer);
      if ('difference' in match) {
        const when = new Date(wallMinute(this.#model.now) * MINUTE).toISOString().slice(0, 16);
        throw new Error(
          `At ${when}, after round ${this.rounds}, with nothing running: ${call.operation} ${JSON.stringify(call.parameters)}: ${match.difference}\n${answer.text}`,
        );
      }
    }
  }
}
