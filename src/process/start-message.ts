import { isLoopback } from '../access/ip-address.ts';
import type { Contract } from '../contract/contract.ts';
import { wallMinuteAt } from '../rules/time-zone.ts';
import { formatWallDay, isoWeekday } from '../rules/wall-minute.ts';
import type { Config } from '../settings/config.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';

export interface StartFacts {
  readonly config: Config;
  readonly contract: Contract;
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly storeDescription: string;
  /** Whether the database contains it. */
  readonly demoData: boolean;
  /** Where text messages are sent; undefined if they are only queued. */
  readonly gateway: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const SUNDAY = 7;

/** What settings allow that few hospitals want: for the log, and as a sentence. */
export const startWarnings = ({ host, access, sms, demoData }: Config, gateway = '') =>
  [
    {
      isDue: !isLoopback(host) && access.clientsFile === undefined,
      event: 'listening beyond loopback without access control',
      fields: { address: host },
      text: `anyone who can reach ${host} can read and book. Set CLIENTS_FILE, or HOST=127.0.0.1; see docs/access.md.`,
    },
    {
      isDue: sms.gateway.kind === 'file' && !demoData,
      event: 'text messages are written to a file and reach no phone',
      fields: { gateway },
      text: 'text messages are written to a file and reach no phone. Set SMS_GATEWAY; see docs/text-messages.md.',
    },
  ].filter(({ isDue }) => isDue);

/** What a person needs to know once the service is running: where to look, a command that works as printed, and where the data is stored. */
export function startMessage({
  config,
  contract,
  baseUrl,
  storeDescription,
  demoData,
  gateway,
  now,
}: StartFacts): string {
  const endpoint = baseUrl + contract.path;
  const { clientsFile, transports } = config.access;
  const anyoneMayCall = clientsFile === undefined && transports.includes('httpPost');
  return [
    '',
    `${contract.serviceName} is ready.`,
    `  Service page  ${endpoint}`,
    `  WSDL          ${endpoint}?wsdl`,
    `  Data          ${storeDescription}${demoData ? ' (with demo data)' : ''}`,
    gateway === undefined ? '  Messages      are queued, not sent' : `  Messages      go to ${gateway}`,
    ...startWarnings(config).flatMap(({ text }) => ['', `WARNING: ${text}`]),
    ...(demoData && anyoneMayCall
      ? ['', 'Book an appointment:', `  ${bookingCommand(contract, endpoint, config.hospital.timeZone, now)}`]
      : []),
    '',
  ].join('\n');
}

/**
 * A curl command that makes the booking of the contract's examples, a few days from now: the demo's doctor 101 doesn't see patients on
 * Sundays. The patient's number and the slot are derived from the clock, so that the next start's command finds a free slot.
 */
function bookingCommand(contract: Contract, endpoint: string, timeZone: string, now: number): string {
  const seed = Math.floor(now / 1000);
  let day = wallMinuteAt(now, timeZone) + (2 + (seed % 60)) * MINUTES_PER_DAY;
  if (isoWeekday(day) === SUNDAY) day += MINUTES_PER_DAY;
  const slot = Math.floor(seed / 60) % 16;
  const time = `${String(9 + Math.floor(slot / 4)).padStart(2, '0')}:${String((slot % 4) * 15).padStart(2, '0')}`;
  const values: Readonly<Record<string, string>> = {
    RegistrationNumber: `DEMO-${seed}`,
    app_date: formatWallDay(day),
    app_time: time,
  };
  const booking = contract.operations.find(({ name }) => name === 'Fetch_Details');
  const form = booking?.parameters.map(({ name, example }) => `${name}=${encodeURIComponent(values[name] ?? example)}`);
  return `curl ${endpoint}/Fetch_Details -d '${form?.join('&')}'`;
}
