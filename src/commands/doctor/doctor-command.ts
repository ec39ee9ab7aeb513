import { type Finding, findingText, ok } from '../../maintenance/finding.ts';
import { machineFindings } from '../../monitoring/machine-findings.ts';
import { checkFileRights } from '../../process/check-files.ts';
import { settingFindings } from '../../process/check-settings.ts';
import { type CommandHost, type DefineCommand, ReportedFailure } from '../command-host.ts';
import { checkAccess, checkTls } from './check-access.ts';
import { checkConfiguration } from './check-configuration.ts';
import { checkDatabase } from './check-database.ts';
import { checkGrowth } from './check-growth.ts';
import { checkGateway, checkPort } from './check-network.ts';

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
  const { config, findings: settings } = checkConfiguration(host.environment);
  const { nodeVersion, timeZoneData } = host.machine;
  const general = [ok('Node', `${nodeVersion}, with time zone data of ${timeZoneData}`), ...settings];
  if (config === undefined) return general;
  const database = await checkDatabase(config, host.clock);
  const { operations } = config.monitoring;
  const gateway = await checkGateway(config);
  return [
    ...general,
    ...database.findings,
    ...(await machineFindings(config, host.clock(), host.machine.processReport ?? {}, 'A process started from here')),
    checkGrowth(config),
    ...(await checkFileRights(host.environment, config, host.machine.platform)),
    ...settingFindings(config).filter(({ subject }) => gateway.every((flaw) => flaw.subject !== subject)),
    await checkPort('PORT', config.host, config.port),
    ...(operations === undefined ? [] : [await checkPort('OPERATIONS_PORT', operations.host, operations.port)]),
    ...checkAccess(config, database.centers),
    ...checkTls(config, host.clock()),
    ...gateway,
  ];
}
