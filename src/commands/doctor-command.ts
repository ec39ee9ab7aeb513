import { readContract } from '../contract/read-contract.ts';
import { ownWsdl } from '../contract/wsdl-document.ts';
import { checkDatabase } from '../doctor/database.ts';
import {
  CHECKS,
  type Check,
  type Context,
  type Finding,
  findingsOf,
  findingText,
  ok,
  wrong,
} from '../doctor/finding.ts';
import { QUICK_CHECKS } from '../doctor/findings.ts';
import { checkGatewayAddress, checkPorts } from '../doctor/network.ts';
import { ConfigError, readConfig } from '../settings/config.ts';
import { VERSION } from '../vocabulary/version.ts';
import { type CommandHost, type DefineCommand, ReportedFailure } from './command-host.ts';
import { type Json, jsonOption, reportTo } from './report.ts';

export interface DoctorHost extends CommandHost {
  readonly machine: Omit<Context['machine'], 'who'> & {
    /** Version of Node, such as v24.1.0. */
    readonly nodeVersion: string;
    /** Version of the time zone data, such as 2025b. */
    readonly timeZoneData: string;
  };
}

/** `doctor`: checks whether the service can run as configured, one line per finding. Fails if anything is wrong. */
export const doctorCommand: DefineCommand<DoctorHost> = (command, host) =>
  command
    .description('Checks configuration, database, clock, disk and network, and says what to fix. Changes nothing.')
    .addOption(jsonOption())
    .action(async (flags: Json) => {
      const found = await findings(host);
      const report = reportTo(host, flags);
      const order = Object.keys(CHECKS);
      for (const finding of found.toSorted((a, b) => order.indexOf(a.subject) - order.indexOf(b.subject))) {
        report(findingText(finding), [finding]);
      }
      if (found.some(({ verdict }) => verdict === 'wrong')) throw new ReportedFailure();
    });

/** These take ports and locks, connect, or read everything, so that only a person asks for them. */
const THOROUGH_CHECKS: readonly Check[] = [checkDatabase, checkPorts, checkGatewayAddress];

async function findings(host: DoctorHost): Promise<readonly Finding[]> {
  const { nodeVersion, timeZoneData } = host.machine;
  const node = ok('version', `TPWebServices ${VERSION} on Node ${nodeVersion}, with time zone data of ${timeZoneData}`);
  try {
    const config = readConfig(host.environment);
    const machine = { ...host.machine, who: 'A process started from here' };
    const context = { ...host, config, contract: readContract(ownWsdl()), machine };
    const found = await findingsOf([...THOROUGH_CHECKS, ...QUICK_CHECKS], context);
    return [node, ok('configuration', 'All settings can be read.'), ...found];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const sentences = error.mistakes.map((mistake) => `${mistake}; docs/operators/settings.md lists all settings.`);
    return [node, ...sentences.map((sentence) => wrong('configuration', sentence))];
  }
}
