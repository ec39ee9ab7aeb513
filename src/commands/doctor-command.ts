import { readContract } from '../contract/read-contract.ts';
import { ownWsdl } from '../contract/wsdl-document.ts';
import { checkAccess, checkTls } from '../doctor/check-access.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { checkFileRights } from '../doctor/check-files.ts';
import { checkGateway, checkPort } from '../doctor/check-network.ts';
import { settingFindings } from '../doctor/check-settings.ts';
import { type Finding, findingText, ok, warning, wrong } from '../doctor/finding.ts';
import { machineFindings } from '../doctor/machine-findings.ts';
import { type Config, ConfigError, readConfig } from '../settings/config.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { type CommandHost, type DefineCommand, ReportedFailure } from './command-host.ts';

export interface Runtime {
  /** Version of Node, such as v24.1.0. */
  readonly nodeVersion: string;
  /** Version of the time zone data, such as 2025b. */
  readonly timeZoneData: string;
  readonly platform: NodeJS.Platform;
  /** Node's diagnostic report of this process. */
  readonly processReport?: object;
}

export interface DoctorHost extends CommandHost {
  readonly machine: Runtime;
}

/** `doctor`: checks whether the service can run as configured, one line per finding. Fails if anything is wrong. */
export const doctorCommand: DefineCommand<DoctorHost> = (command, host) =>
  command
    .description('Checks configuration, database, clock, disk and network, and says what to fix. Changes nothing.')
    .action(async () => {
      const found = await findings(host);
      for (const finding of found) host.output.write(findingText(finding));
      if (found.some(({ verdict }) => verdict === 'wrong')) throw new ReportedFailure();
    });

async function findings(host: DoctorHost): Promise<readonly Finding[]> {
  const { nodeVersion, timeZoneData } = host.machine;
  const node = ok('Node', `${nodeVersion}, with time zone data of ${timeZoneData}`);
  let config: Config;
  try {
    config = readConfig(host.environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const sentences = error.mistakes.map((mistake) => `${mistake}; docs/operators/settings.md lists all settings.`);
    return [node, ...sentences.map((sentence) => wrong('configuration', sentence))];
  }
  const database = await checkDatabase(config, host);
  const { operations } = config.monitoring;
  const gateway = await checkGateway(config, host.environment);
  return [
    node,
    ok('configuration', 'All settings can be read.'),
    ...database.findings,
    ...(await machineFindings(config, host.clock(), host.machine.processReport ?? {}, 'A process started from here')),
    checkGrowth(config),
    ...(await checkFileRights(config, host.machine.platform)),
    ...settingFindings(config).filter(({ subject }) => gateway.every((flaw) => flaw.subject !== subject)),
    await checkPort('PORT', config.host, config.port),
    ...(operations === undefined ? [] : [await checkPort('OPERATIONS_PORT', operations.host, operations.port)]),
    ...checkAccess(config, database.centers),
    ...checkTls(config, host.clock()),
    ...gateway,
  ];
}

/** How much one address may store in a day: feedback, which has the longest texts that are stored, of characters of 4 bytes. */
function checkGrowth({ limits: { rate } }: Config): Finding {
  if (rate.perMinute === 0) return warning('growth', 'RATE_LIMIT=0: any caller can fill the disk; set a limit.');
  const feedback = readContract(ownWsdl()).operations.find(({ name }) => name === 'FB_Push_Details');
  const characters = feedback?.parameters.reduce((sum, { maxLength = 0 }) => sum + maxLength, 0) ?? 0;
  const gigabytes = Math.ceil((rate.perMinute * MINUTES_PER_DAY * characters * 4) / 1e9);
  return ok('growth', `at RATE_LIMIT=${rate.perMinute}, one address can store up to ${gigabytes} GB of feedback a day`);
}
