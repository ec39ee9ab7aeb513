import { Option } from 'commander';
import { TRANSPORT_TITLES, TRANSPORTS, type Transport } from '../../contract/contract.ts';
import { readContract } from '../../contract/read-contract.ts';
import { MOVES } from '../../vocabulary/appointments.ts';
import { SetUpError } from '../../vocabulary/errors.ts';
import { visibleText } from '../../vocabulary/text.ts';
import { newCommand, runCommand, UsageError } from '../command-host.ts';
import { send } from './exchange.ts';
import { type LogIn, type LogInFlags, PASSWORD_TYPES, readLogIn, type SmokeHost } from './log-in.ts';
import { SMOKE_MARK, type SmokePlan, type SmokeResult, smokeTransport } from './smoke-transport.ts';

interface Flags extends LogInFlags {
  readonly transports: readonly Transport[];
  readonly sendSms?: string;
  readonly cancelType: string;
}

const CANCEL = String(MOVES.find(({ name }) => name === 'Cancel')?.type);

/** `smoke URL [center]`: calls every operation over every transport of a running service. Resolves with the exit code: 1 if any call failed. */
export async function smokeCommand(args: readonly string[], host: SmokeHost): Promise<number> {
  let isWrong = false;
  const command = newCommand('smoke', host)
    .description(
      `Calls every operation of a running service over every transport: books a free slot of a doctor and cancels it. For each transport a cancelled appointment and a feedback record remain, whose RegistrationNumber and ipno begin with ${SMOKE_MARK}.`,
    )
    .argument('<url>', 'where the service is, such as http://127.0.0.1:8080')
    .argument('[center]', 'centerid whose doctors are booked', '1')
    .option(
      '--send-sms <number>',
      'send this phone a text message for each transport; otherwise only messages that the service must refuse are sent, and no phone is reached',
    )
    .option(
      '--cancel-type <number>',
      'the number of `type` that cancels, if APPOINTMENT_TYPES uses another one',
      CANCEL,
    )
    .addOption(
      new Option('--transports <names...>', 'only these, for a client that may not use all transports')
        .choices(TRANSPORTS)
        .default(TRANSPORTS),
    )
    .option(
      '--api-key-file <file>',
      'log in with the API key in this file; without it, with SMOKE_API_KEY if it is set',
    )
    .option('--user <name>', 'log in with this user name over HTTP Basic; the password comes from one of:')
    .option('--password-file <file>', 'the password is in this file; without it, in SMOKE_PASSWORD')
    .addOption(
      new Option('--ws-security <type>', 'in SOAP messages, log in with a WS-Security UsernameToken instead').choices(
        Object.keys(PASSWORD_TYPES),
      ),
    )
    .action(async (url: string, center: string, { transports, sendSms, cancelType, ...flags }: Flags) => {
      const endpoint = endpointOf(url);
      const logIn = readLogIn(flags, host);
      const contract = await contractAt(endpoint, logIn);
      const run = Math.floor(host.clock() / 1000);
      const plan: SmokePlan = { contract, endpoint, center, logIn, sendSms, cancelType, run };
      const results = new Map<Transport, SmokeResult>();
      for (const transport of transports) results.set(transport, await smokeTransport(plan, transport));
      const { lines, failures } = report(plan, results);
      host.output.write(`${lines.join('\n')}\n`);
      isWrong = failures > 0;
    });
  const code = await runCommand(command, args, host);
  return isWrong ? 1 : code;
}

function endpointOf(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(`${url} is not a URL; expected one such as http://127.0.0.1:8080.`);
  }
  const base = url.replace(/\/+$/, '');
  return /\.asmx$/i.test(base) ? base : `${base}/TPWebServices.asmx`;
}

async function contractAt(endpoint: string, logIn: LogIn): Promise<SmokePlan['contract']> {
  const url = `${endpoint}?wsdl`;
  try {
    const { status, body } = await send({ method: 'GET', url, headers: logIn(false).headers, body: '' });
    if (status !== 200) throw new Error(`status ${status}`);
    return readContract(body);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new SetUpError(`${url} does not return a WSDL of this service: ${message || code}.`);
  }
}

/** It cannot be deleted through the service's interface. */
function whatStays(results: readonly SmokeResult[], center: string, run: number): string[] {
  const appointments = results.flatMap(({ cancelled }) => cancelled ?? []).map(visibleText);
  const feedback = results.flatMap(({ feedbackId }) => feedbackId ?? []).map(visibleText);
  const kinds = [
    ...(appointments.length === 0 ? [] : [`cancelled appointments ${appointments.join(', ')} of center ${center}`]),
    ...(feedback.length === 0 ? [] : [`feedback ${feedback.join(', ')}`]),
  ];
  return kinds.length === 0
    ? []
    : [`What remains, of patients whose numbers begin with ${SMOKE_MARK}${run}: ${kinds.join('; ')}.`];
}

function report({ contract, center, run, sendSms }: SmokePlan, results: ReadonlyMap<Transport, SmokeResult>) {
  const width = Math.max(...contract.operations.map(({ name }) => name.length));
  const row = (title: string, cells: readonly string[]) =>
    `${title.padEnd(width)}  ${cells.map((cell) => cell.padEnd(9)).join('  ')}`.trimEnd();
  const failures: string[] = [];
  const rows = contract.operations.map(({ name }) => {
    const cells = [...results].map(([transport, { outcomes }]) => {
      const outcome = outcomes.get(name) ?? 'not called';
      if (outcome !== 'ok') failures.push(`${name} over ${TRANSPORT_TITLES[transport]}: ${visibleText(outcome)}`);
      return outcome === 'ok' ? 'ok' : 'FAILED';
    });
    return row(name, cells);
  });
  const total = contract.operations.length * results.size;
  const titles = [...results.keys()].map((transport) => TRANSPORT_TITLES[transport]);
  const left = [...results.values()].flatMap((result) => result.left);
  const lines = [
    row('', titles),
    ...rows,
    ...failures,
    ...left,
    `${total - failures.length} of ${total} calls were answered as expected.`,
    ...(left.length === 0 ? ['Everything that was booked is cancelled.'] : []),
    ...whatStays([...results.values()], center, run),
    sendSms === undefined
      ? 'No text message was sent: Sent_SMS was tried with a number that it has to refuse.'
      : `Text messages were sent to ${'*'.repeat(Math.max(sendSms.length - 4, 0))}${sendSms.slice(-4)}.`,
  ];
  return { lines, failures: failures.length };
}
