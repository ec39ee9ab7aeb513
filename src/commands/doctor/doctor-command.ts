import { type Finding, findingText, ok } from '../../maintenance/finding.ts';
import { machineFindings } from '../../monitoring/machine-findings.ts';
import { type CommandHost, type DefineCommand, ReportedFailure } from '../command-host.ts';
import { checkAccess, checkProxies, checkTls } from './check-access.ts';
import { checkDatabase } from './check-database.ts';
import { checkFileRights, checkGrowth, type Runtime } from './check-machine.ts';
import { checkAddress, checkMessages, checkPort } from './check-network.ts';
import { checkConfiguration, checkRetention, secretFiles } from './check-settings.ts';

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
  return [
    ...general,
    ...database.findings,
    ...(await machineFindings(config, host.clock(), host.machine.processReport ?? {}, 'A process started from here')),
    checkGrowth(config),
    ...(await checkFileRights(database.files, secretFiles(host.environment, config), host.machine)),
    ...checkRetention(config),
    await checkPort('PORT', config.host, config.port),
    ...(operations === undefined ? [] : [await checkPort('OPERATIONS_PORT', operations.host, operations.port)]),
    checkAddress(config),
    ...checkAccess(config, database.centers),
    ...checkTls(config, host.clock()),
    ...checkProxies(config),
    ...(await checkMessages(config, host.environment)),
  ];
}
