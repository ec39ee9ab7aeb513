import { expect } from 'chai';
import { ANONYMOUS, type Client } from '../../../src/access/client.ts';
import type { OperationDependencies } from '../../../src/calls/dependencies.ts';
import { createInvoke } from '../../../src/calls/invoke.ts';
import type { ResultRecord } from '../../../src/contract/contract.ts';
import { readParameterValue } from '../../../src/contract/parameter-values.ts';
import { Budgets } from '../../../src/log/budgets.ts';
import type { LogFields } from '../../../src/log/log.ts';
import { loadDemoData } from '../../../src/reference/demo-data.ts';
import { createImplementations } from '../../../src/service/implementations.ts';
import { readConfig } from '../../../src/settings/config.ts';
import type { HospitalConfig } from '../../../src/settings/hospital-settings.ts';
import type { Doctor, OpeningHours } from '../../../src/store/queries/reference-rows.ts';
import type { Store } from '../../../src/store/store.ts';
import { Refusal, ResultCode } from '../../../src/vocabulary/result-codes.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';
import { FULL_BOOKING_PARAMETERS } from '../http/booking-parameters.ts';
import { TEST_NOW } from '../process/start-service.ts';
import { openTestStore } from './open-test-store.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Parameters as a form passes them: dates and times as text. A parameter that is left out is absent. */
export type Given = Readonly<Record<string, string | number | undefined>>;

/** How a call ended that did not fail. */
interface Outcome {
  readonly record: ResultRecord;
  /** True if a hospital rule refused it. */
  readonly refused: boolean;
  readonly parameter?: string | undefined;
}

async function outcomeOf(result: Promise<ResultRecord>): Promise<Outcome> {
  try {
    return { record: await result, refused: false };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { record: error.record, refused: true, parameter: error.parameter };
  }
}

/** The operations on their own database, with demo data and a clock that stands still until a test sets it. */
export interface Hospital {
  readonly store: Store;
  readonly clock: { now: number };
  call(operation: string, given: Given, idempotencyKey?: string, client?: Client): Promise<Outcome>;
  /** The record; fails the test if the call is refused. */
  ok(operation: string, given: Given): Promise<ResultRecord>;
  /** The record; fails the test unless the call is refused with that ResultCode. */
  refused(operation: string, given: Given, resultCode: number): Promise<ResultRecord>;
  /** Books Dr. Vikram Shetty, who accepts any time, for Asha; `given` overrides those values. */
  book(given?: Given): Promise<ResultRecord>;
  /** Cancels an appointment; the record. */
  cancel(appointmentId: number, centerid?: number): Promise<ResultRecord>;
  /** The rows of OPAppointmentdetail, as returned to a caller. */
  dayOf(doctorid: number, appdate: string, centerid?: number): Promise<readonly ResultRecord[]>;
  /** Records what is recorded by the minute. Resolves with the events that were logged since the last time. */
  minuteOver(): Promise<readonly string[]>;
  readonly budgets: Budgets;
  /** How often the outbox was notified of a message. */
  queued(): number;
  close(): Promise<void>;
}

/** Monday 18 January 2027, 10:15, doctor 102 of center 1. */
export const BOOKING: Given = { ...FULL_BOOKING_PARAMETERS, app_date: '2027-01-18', app_time: '10:15' };

const silent = () => {};

/** On its own database, unless a store is given. */
export async function openHospital(
  {
    messagesPerSecond = 20,
    ...policy
  }: Partial<HospitalConfig & Pick<OperationDependencies, 'messagesPerSecond'>> = {},
  given?: Store,
): Promise<Hospital> {
  const store = given ?? (await openTestStore());
  await loadDemoData(store, 'Asia/Kolkata');
  const clock = { now: TEST_NOW };
  let queued = 0;
  const implementations = createImplementations({
    clock: () => clock.now,
    messageQueued: () => void queued++,
    messagesPerSecond,
    policy: { ...readConfig({}).hospital, ...policy },
  });
  const warnings: string[] = [];
  const warn = (event: string, { count }: LogFields = {}) => void warnings.push(`${event}: ${count}`);
  const log = { error: silent, warn, info: silent, debug: silent, writesDebug: false };
  const budgets = new Budgets(log, () => 0);
  const invoke = createInvoke({
    contract: ownContract,
    implementations,
    store,
    log,
    clock: () => clock.now,
    stopwatch: () => clock.now,
    counters: [],
    budgets,
  });

  async function call(
    name: string,
    values: Given,
    idempotencyKey?: string,
    client: Client = ANONYMOUS,
  ): Promise<Outcome> {
    const operation = ownContract.operations.find((candidate) => candidate.name === name);
    if (operation === undefined) throw new Error(`no operation ${name}`);
    const input = Object.create(null);
    for (const parameter of operation.parameters) {
      const value = values[parameter.name];
      if (value !== undefined) input[parameter.name] = readParameterValue(parameter, String(value), 'form');
    }
    const outcome = await outcomeOf(
      invoke({
        operation,
        input,
        transport: 'httpPost',
        client,
        network: '192.0.2.1',
        address: '10.0.0.7',
        correlationId: 'test',
        idempotencyKey,
      }),
    );
    // Checked in every test: a code that the contract does not list for the operation would surprise its callers.
    const listed = operation.resultCodes.map((code) => ResultCode[code]);
    expect(listed, `the ResultCodes of ${name} in the WSDL`).to.include(outcome.record.ResultCode);
    return outcome;
  }

  async function ok(name: string, values: Given): Promise<ResultRecord> {
    const { record, refused } = await call(name, values);
    if (refused) expect.fail(`${name} is refused: ${record.ResultCode} ${record.ResultText}`);
    return record;
  }

  return {
    store,
    clock,
    budgets,
    call,
    ok,
    refused: async (name, values, resultCode) => {
      const { record, refused } = await call(name, values);
      if (!refused || record.ResultCode !== resultCode) {
        expect.fail(
          `${name} is not refused with ${resultCode}, but answered ${record.ResultCode} ${record.ResultText}`,
        );
      }
      return record;
    },
    book: (values = {}) => ok('Fetch_Details', { ...BOOKING, ...values }),
    cancel: (AppointmentID, centerid = 1) => ok('Appointment_Status_Updates', { AppointmentID, type: 6, centerid }),
    dayOf: async (doctorid, appdate, centerid = 1) => {
      const { Appointments } = present(await ok('OPAppointmentdetail', { doctorid, appdate, centerid }));
      return (Appointments as unknown as { readonly Appointment: readonly ResultRecord[] }).Appointment;
    },
    minuteOver: async () => {
      await budgets.reportEnded(true);
      return warnings.splice(0);
    },
    queued: () => queued,
    close: () => store.close(),
  };
}

/** Runs the callback with a hospital of other settings, on its own database. */
export async function withHospital(
  policy: Parameters<typeof openHospital>[0],
  work: (hospital: Hospital) => Promise<unknown>,
): Promise<void> {
  const hospital = await openHospital(policy);
  try {
    await work(hospital);
  } finally {
    await hospital.close();
  }
}

/** Adds opening hours of a doctor of center 1, without a first and a last day unless the values say otherwise. */
export const addHours = (
  store: Store,
  values: Pick<OpeningHours, 'doctorId' | 'weekday' | 'from' | 'to'> & Partial<OpeningHours>,
): Promise<void> =>
  store.write(({ referenceTables }) =>
    referenceTables.put('opening_hours', { centerId: 1, validFrom: null, validTo: null, ...values }),
  );

/** Adds or changes a center. */
export const addCenter = (store: Store, id: number, timeZone: string, name = timeZone): Promise<void> =>
  store.write(({ referenceTables }) => referenceTables.put('center', { id, name, timeZone, phoneRegion: null }));

/** Changes doctor 102 of center 1. */
export const changeDoctor = (store: Store, values: Partial<Doctor>): Promise<void> =>
  store.write(async ({ referenceTables }) => {
    const doctor = (await referenceTables.rows('doctor')).find(({ id }) => id === 102);
    if (doctor === undefined) throw new Error('no doctor 102');
    await referenceTables.put('doctor', { ...doctor, ...values });
  });

/** Adds doctor 900 of center 1, who accepts any time unless the values say otherwise. */
export const addDoctor = (store: Store, values: Partial<Doctor> = {}): Promise<void> =>
  store.write(({ referenceTables }) =>
    referenceTables.put('doctor', {
      active: 1,
      id: 900,
      centerId: 1,
      name: 'Dr. Zoya Ali',
      department: null,
      specialization: null,
      qualification: null,
      slotMinutes: 15,
      capacity: 1,
      ...values,
    }),
  );

/** The record as returned to a caller: fields without a value are absent. */
export const present = (record: ResultRecord): ResultRecord => JSON.parse(JSON.stringify(record));
