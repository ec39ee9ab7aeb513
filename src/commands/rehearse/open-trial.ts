import type { Contract } from '../../contract/contract.ts';
import { listen } from '../../http/http-server.ts';
import { connectionLimits } from '../../process/connection-limits.ts';
import { openService, type ServiceDependencies } from '../../process/open-service.ts';
import { type HospitalState, readHospitalState } from '../../reference-data/hospital-state.ts';
import { readConfig } from '../../settings/config.ts';
import { outboxLimits } from '../../sms/outbox-limits.ts';
import { openStore } from '../../store/open-store.ts';
import { BEFORE_FIRST } from '../../store/queries/export-queries.ts';
import type { DayToken } from '../../store/queries/import-queries.ts';
import type { Queries } from '../../store/store.ts';
import { LARGEST_BODY } from '../../transports/read-body.ts';
import type { Move } from '../../vocabulary/appointments.ts';
import type { StoredAppointment } from '../../vocabulary/stored-records.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { createTrialClient } from './trial-client.ts';
import { createReadVerdict, type Verdict } from './verdict.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The same as those of a process that serves. The settings are those of the service that will take over. */
export interface TrialDependencies extends Omit<ServiceDependencies, 'config' | 'giveUp' | 'outboxLimits'> {
  readonly environment: Environment;
  /** The prefix of the old service's paths before the contract's path, which is removed. */
  readonly prefix: string;
}

/** This service with the hospital's reference data, in memory and only for the rehearsal. */
export interface Trial {
  readonly facts: TrialFacts;
  /** Never rejects: if a request cannot be tried, that is a failure of this service. Requests are processed one after another. */
  judge(request: RecordedRequest): Promise<Verdict>;
  close(): Promise<void>;
}

/** Plain data, which can be passed to another thread. */
export interface TrialFacts {
  readonly contract: Contract;
  readonly imported: Imported;
  /** The moves by their number in parameter `type`. */
  readonly moves: readonly Move[];
  /** Maximum size in bytes of a body that it reads. */
  readonly largestBody: number;
}

/** What was imported before. */
export interface Imported {
  readonly centers: readonly number[];
  readonly doctors: readonly { readonly centerId: number; readonly id: number }[];
}

/** Patient data disappears with the process: none of it is written to a disk or sent to a phone. */
const OVERRIDDEN: Environment = {
  DATABASE_URL: 'sqlite::memory:',
  DEMO_DATA: 'false',
  SMS_GATEWAY: 'off',
  LOG_LEVEL: 'error',
};

const LOOPBACK = '127.0.0.1';

/** Throws as a start of the service would, and also if the database of the environment does not exist. */
export async function openTrial(dependencies: TrialDependencies): Promise<Trial> {
  const { environment, prefix, clock, stopwatch } = dependencies;
  const { state, appointments, tokens } = await importedData(environment);
  const config = readConfig(trialSettings(environment));
  let sentOn: number | undefined;
  const service = await openService({
    ...dependencies,
    config,
    clock: () => sentOn ?? clock(),
    giveUp: () => {},
    outboxLimits: outboxLimits(config.sms.rate),
  });
  await service.store.write(async (queries) => {
    await putState(queries, state);
    await queries.imports.addAppointments(appointments, () => {});
    for (const token of tokens) await queries.imports.putDayToken(token);
  });
  const server = await listen(service.app, LOOPBACK, 0, connectionLimits(config), undefined);
  const send = createTrialClient(server.port, prefix);
  const readVerdict = createReadVerdict(service.contract);

  async function judge(request: RecordedRequest): Promise<Verdict> {
    sentOn = request.on;
    const began = stopwatch();
    const answer = await send(request);
    return { ...readVerdict(answer), milliseconds: stopwatch() - began };
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    facts: {
      contract: service.contract,
      imported: {
        centers: state.centers.map(({ id }) => id),
        doctors: state.doctors.map(({ centerId, id }) => ({ centerId, id })),
      },
      moves: config.moves,
      largestBody: LARGEST_BODY,
    },
    judge: (request) => {
      const verdict = last.then(() => judge(request));
      last = verdict;
      return verdict;
    },
    close: async () => {
      await last;
      send.close();
      await server.close();
      await service.store.close();
    },
  };
}

function trialSettings({ DATABASE_URL_FILE: _, ...environment }: Environment): Environment {
  // Makes limits and the networks in the clients file use the caller's address, not that of the rehearsal.
  const trusted = [environment.TRUSTED_PROXIES, LOOPBACK].filter((text) => text?.trim()).join(',');
  return { ...environment, ...OVERRIDDEN, TRUSTED_PROXIES: trusted, PROXY_HEADERS: 'x-forwarded' };
}

/** What the hospital has imported: reference data, existing appointments, and the last token of each doctor's day. */
interface ImportedData {
  readonly state: HospitalState;
  /** Marked ones come last, because the database accepts them in that order. */
  readonly appointments: readonly StoredAppointment[];
  readonly tokens: readonly DayToken[];
}

async function importedData(environment: Environment): Promise<ImportedData> {
  const store = await openStore(readConfig(environment).database, { mustExist: true });
  try {
    const state = await store.read(readHospitalState);
    const appointments: StoredAppointment[] = [];
    for (let last = BEFORE_FIRST; ; ) {
      const page = await store.read(({ exports }) => exports.appointmentsAfter(last));
      if (page.length === 0) break;
      for (const appointment of page) {
        appointments.push(appointment);
        last = appointment;
      }
    }
    const tokens: DayToken[] = [];
    for (const { id } of state.centers) tokens.push(...(await store.read(({ imports }) => imports.dayTokens(id))));
    return { state, appointments: appointments.sort((a, b) => a.marked - b.marked), tokens };
  } finally {
    await store.close();
  }
}

async function putState({ referenceTables: tables }: Queries, state: HospitalState): Promise<void> {
  for (const center of state.centers) await tables.putCenter(center);
  for (const doctor of state.doctors) await tables.putDoctor(doctor);
  for (const hours of state.openingHours) await tables.addOpeningHours(hours);
  for (const leave of state.leaves) await tables.addLeave(leave);
  for (const template of state.templates) await tables.putTemplate(template);
}
