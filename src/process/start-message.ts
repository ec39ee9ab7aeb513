import { platform } from 'node:os';
import type { Contract } from '../contract/contract.ts';
import { CHECKS, type Finding } from '../maintenance/finding.ts';
import { machineFindings } from '../monitoring/machine-findings.ts';
import { wallMinuteAt } from '../rules/time-zone.ts';
import { formatWallDay, isoWeekday } from '../rules/wall-minute.ts';
import type { Config } from '../settings/config.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { checkFileRights } from './check-files.ts';
import { demoFindings, settingFindings } from './check-settings.ts';

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
  readonly warnings: readonly Finding[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const SUNDAY = 7;

/** What the doctor's checks find that a start warns of. `report`: Node's diagnostic report of this process. */
export async function startWarnings(
  config: Config,
  hasDemoData: boolean,
  now: number,
  report: object,
): Promise<readonly Finding[]> {
  const findings = [
    ...settingFindings(config),
    ...demoFindings(config, hasDemoData),
    ...(await machineFindings(config, now, report, 'This process')),
    ...(await checkFileRights(config, platform())),
  ];
  return findings.filter(({ verdict, subject }) => verdict !== 'ok' && WARNED_OF.has(subject));
}

const WARNED_OF: ReadonlySet<string> = new Set(
  Object.entries(CHECKS).flatMap(([subject, [, atStart]]) => (atStart?.startsWith('warns') ? subject : [])),
);

/** What a person needs to know once the service is running: where to look, a command that works as printed, and where the data is stored. */
export function startMessage({
  config,
  contract,
  baseUrl,
  storeDescription,
  demoData,
  gateway,
  warnings,
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
    ...warnings.flatMap(({ subject, text }) => ['', `WARNING: ${subject}: ${text}`]),
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
