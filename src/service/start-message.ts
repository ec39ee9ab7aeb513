import type { Contract } from '../contract/contract.ts';
import type { Finding } from '../doctor/finding.ts';
import type { Config } from '../settings/config.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { wallMinuteAt } from '../vocabulary/time-zone.ts';
import { formatWallMinute } from '../vocabulary/wall-minute.ts';

export interface StartFacts {
  readonly config: Config;
  readonly contract: Contract;
  readonly endpoint: string;
  readonly database: string;
  /** Where text messages are sent; undefined if they are only queued. */
  readonly gateway: string | undefined;
  /** Whether the database contains it. */
  readonly demoData: boolean;
  readonly warnings: readonly Finding[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What a person needs to know once the service is running: where to look, a command that works as printed, and where the data is stored. */
export function startMessage(facts: StartFacts): string {
  const { config, contract, endpoint, database, gateway, demoData, warnings } = facts;
  const { clientsFile, transports } = config.access;
  const mayBookHere = demoData && clientsFile === undefined && transports.includes('httpPost');
  return [
    '',
    `${contract.serviceName} is ready.`,
    `  Service page  ${endpoint}`,
    `  WSDL          ${endpoint}?wsdl`,
    `  Data          ${database}${demoData ? ' (with demo data)' : ''}`,
    gateway === undefined ? '  Messages      are queued, not sent' : `  Messages      go to ${gateway}`,
    ...warnings.flatMap(({ subject, text }) => ['', `WARNING: ${subject}: ${text}`]),
    ...(mayBookHere ? ['', 'Book an appointment:', `  ${bookingCommand(facts)}`] : []),
    '',
  ].join('\n');
}

/**
 * A curl command that makes the booking of the contract's examples. The patient's number and the start follow from the clock, so that the
 * next start's command finds a free slot: doctor 102 of the demo data sees patients at any time.
 */
function bookingCommand({ config, contract, endpoint, now }: StartFacts): string {
  const seed = Math.floor(now / 1000);
  const start = formatWallMinute(wallMinuteAt(now, config.hospital.timeZone) + (2 + (seed % 300)) * MINUTES_PER_DAY);
  const [app_date, app_time] = start.split('T');
  const values: Readonly<Record<string, string | undefined>> = {
    DoctorID: '102',
    RegistrationNumber: `DEMO-${seed}`,
    app_date,
    app_time,
  };
  const booking = contract.operations.find(({ name }) => name === 'Fetch_Details');
  const form = booking?.parameters.map(({ name, example }) => `${name}=${encodeURIComponent(values[name] ?? example)}`);
  return `curl ${endpoint}/Fetch_Details -d '${form?.join('&')}'`;
}
