import { Agent, request } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { ownContract } from '../../wire/contract/own-wsdl.ts';
import type { PlannedBooking } from './booking-plan.ts';

/** A booking that the service has acknowledged. */
export interface Acknowledged extends PlannedBooking {
  readonly appointmentId: number;
}

/** The clients' results. */
export interface LoadCounts {
  readonly acknowledged: Acknowledged[];
  /** Answers with 503: the caller is told to try again. */
  unavailable: number;
  /** No connection, or one that ended before the first byte of an answer. */
  unanswered: number;
  /** Truncated answers. */
  broken: number;
  /** Wrong answers: the first few, each with its status and text. */
  readonly wrong: string[];
}

const LIMIT = 20_000;

/** The form with every parameter that the contract has. */
const EMPTY = Object.fromEntries(
  ownContract.operations.find(({ name }) => name === 'Fetch_Details')?.parameters.map(({ name }) => [name, '']) ?? [],
);

type Answer = { readonly status: number; readonly text: string } | 'unanswered' | 'broken';

function send(port: number, agent: Agent | TlsAgent, booking: PlannedBooking): Promise<Answer> {
  const body = new URLSearchParams({
    ...EMPTY,
    DoctorID: String(booking.doctorId),
    RegistrationNumber: booking.registrationNumber,
    app_date: booking.date,
    app_time: booking.time,
    Name: `Patient ${booking.registrationNumber}`,
    contactnumber: '9845012345',
    centerid: String(booking.centerId),
  }).toString();
  return new Promise((resolve) => {
    const call = request(
      {
        protocol: agent instanceof TlsAgent ? 'https:' : 'http:',
        host: '127.0.0.1',
        port,
        agent,
        method: 'POST',
        path: '/TPWebServices.asmx/Fetch_Details',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Content-Length': Buffer.byteLength(body),
          Accept: 'application/json',
        },
        timeout: LIMIT,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', () => resolve('broken'));
        response.on('aborted', () => resolve('broken'));
      },
    );
    call.on('timeout', () => call.destroy());
    call.on('error', () => resolve('unanswered'));
    call.end(body);
  });
}

/** Clients that book one appointment after another, each on its own persistent connection. */
export class BookingLoad {
  readonly counts: LoadCounts = { acknowledged: [], unavailable: 0, unanswered: 0, broken: 0, wrong: [] };
  readonly #clients: Promise<void>[] = [];
  #running = true;
  #heard: (() => void) | undefined;

  /** `newAgent` creates the connection of one client. */
  constructor(
    port: number,
    clients: number,
    bookings: Iterator<PlannedBooking>,
    newAgent: () => Agent | TlsAgent = () => new Agent({ keepAlive: true, maxSockets: 1 }),
  ) {
    for (let n = 0; n < clients; n++) this.#clients.push(this.#client(port, newAgent(), bookings));
  }

  /** Resolves when that many bookings were acknowledged; rejects after 20 seconds. */
  async acknowledged(count: number): Promise<void> {
    const late = AbortSignal.timeout(LIMIT);
    while (this.counts.acknowledged.length < count) {
      if (late.aborted) throw new Error(`only ${this.counts.acknowledged.length} of ${count} were acknowledged`);
      await new Promise<void>((resolve) => {
        const wait = setTimeout(resolve, 100);
        this.#heard = () => {
          clearTimeout(wait);
          resolve();
        };
      });
    }
  }

  /** Each client receives its last answer first. */
  async stop(): Promise<LoadCounts> {
    this.#running = false;
    await Promise.all(this.#clients);
    return this.counts;
  }

  async #client(port: number, agent: Agent | TlsAgent, bookings: Iterator<PlannedBooking>): Promise<void> {
    try {
      while (this.#running) {
        const booking = bookings.next().value as PlannedBooking;
        const answer = await send(port, agent, booking);
        this.#count(booking, answer);
        // A client that retried at once would take CPU time from the service that starts, or waits for its database.
        if (answer === 'unanswered' || (answer !== 'broken' && answer.status === 503))
          await new Promise((resume) => setTimeout(resume, 20));
      }
    } finally {
      agent.destroy();
    }
  }

  #count(booking: PlannedBooking, answer: Answer): void {
    const { counts } = this;
    if (answer === 'unanswered' || answer === 'broken') {
      counts[answer]++;
      return;
    }
    if (answer.status === 503) {
      counts.unavailable++;
      return;
    }
    const record = answer.status === 200 ? JSON.parse(answer.text) : undefined;
    // 1 is the answer to a proxy that repeated the request.
    if (record?.ResultCode !== 0 && record?.ResultCode !== 1) {
      if (counts.wrong.length < 5) counts.wrong.push(`${answer.status} ${answer.text.slice(0, 200)}`);
      return;
    }
    counts.acknowledged.push({ ...booking, appointmentId: record.AppointmentID });
    this.#heard?.();
  }
}
