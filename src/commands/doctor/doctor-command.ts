import { workerCount } from '../../process/workers/worker-count.ts';
import type { Config } from '../../settings/config.ts';
import { type CommandHost, newCommand, runCommand } from '../command-host.ts';
import { checkAccess, checkClientCenters, checkProxies, checkTls } from './check-access.ts';
import { checkDatabase } from './check-database.ts';
import { checkDemoData } from './check-demo-data.ts';
import { checkDisk, checkFileRights } from './check-files.ts';
import { checkClock, checkNode, checkWorkers, type Machine } from './check-machine.ts';
import { checkMessages } from './check-messages.ts';
import { checkAddress, checkPort } from './check-network.ts';
import { checkConfiguration, checkLog, checkNames, secretFiles } from './check-settings.ts';
import { type Finding, findingText, wrong } from './finding.ts';

export interface DoctorHost extends CommandHost {
  readonly machine: Machine;
}

/** `doctor`: checks whether the service can run as configured, one line per finding. Resolves with the exit code: 1 if anything is wrong. */
export async function doctorCommand(args: readonly string[], host: DoctorHost): Promise<number> {
  let isWrong = false;
  const command = newCommand('doctor', host)
    .description('Checks configuration, database, clock, disk and network, and says what to fix. Changes nothing.')
    .action(async () => {
      for (const finding of await findings(host)) {
        host.output.write(findingText(finding));
        isWrong ||= finding.verdict === 'wrong';
      }
    });
  const code = await runCommand(command, args, host);
  return isWrong ? 1 : code;
}

async function findings(host: DoctorHost): Promise<readonly Finding[]> {
  const { config, findings: settings } = checkConfiguration(host.environment);
  const general = [checkNode(host.machine), ...settings, ...checkNames(host.environment)];
  if (config === undefined) return general;
  const { count, finding } = workersOf(config, host.machine);
  const { findings: database, state } = await checkDatabase(config, count, host.clock);
  const { monitoring } = config;
  return [
    ...general,
    finding,
    ...database,
    ...(state?.schema === 'current' ? await checkDemoData(config) : []),
    ...checkClock(host.clock(), config, host.machine),
    ...(await checkDisk(config)),
    ...(await checkFileRights(state?.files ?? [], secretFiles(host.environment, config), host.machine)),
    checkLog(config),
    await checkPort('PORT', config.host, config.port),
    ...(monitoring.port === undefined ? [] : [await checkPort('OPERATIONS_PORT', monitoring.host, monitoring.port)]),
    checkAddress(config),
    checkAccess(config),
    ...(state?.schema === 'current' ? await checkClientCenters(config) : []),
    ...checkTls(config, host.clock()),
    ...checkProxies(config),
    ...(await checkMessages(config)),
  ];
}

function workersOf(config: Config, machine: Machine): { readonly count: number; readonly finding: Finding } {
  try {
    const count = workerCount(config, machine);
    return { count, finding: checkWorkers(count, config, machine) };
  } catch (error) {
    return { count: 1, finding: wrong('workers', (error as Error).message.split('\n  ').slice(1).join(' ')) };
  }
}
