import { readContract } from '../../contract/read-contract.ts';
import { MOVES } from '../../vocabulary/appointment-status.ts';
import { SetUpError } from '../../vocabulary/errors.ts';
import { TRANSPORT_TITLES, TRANSPORTS } from '../../vocabulary/transport.ts';
import { type CommandHost, newCommand, runCommand } from '../command-host.ts';
import { send } from './exchange.ts';
import { type SmokePlan, type SmokeResult, smokeTransport } from './smoke-transport.ts';

interface Flags {
  readonly sendSms?: string;
  readonly cancelType: string;
}

const CANCEL = String(MOVES.find(({ name }) => name === 'Cancel')?.type);

/** `smoke URL [center]`: calls every operation over every transport of a running service. Resolves with the exit code: 1 if any call failed. */
export async function smokeCommand(args: readonly string[], host: CommandHost): Promise<number> {
  let isWrong = false;
  const command = newCommand('smoke', host)
    .description(
      'Calls every operation of a running service over every transport: books a free slot of a doctor and cancels it. A feedback a transport stays; its ipno begins with SMOKE-.',
    )
    .argument('<url>', 'where the service is, such as http://127.0.0.1:8080')
    .argument('[center]', 'centerid whose doctors are booked', '1')
    .option(
      '--send-sms <number>',
      'send this phone a text message for each transport; else only messages are sent that the service has to refuse, and no phone is reached',
    )
    .option(
      '--cancel-type <number>',
      'the number of `type` that cancels, if APPOINTMENT_TYPES says another one',
      CANCEL,
    )
    .action(async (url: string, center: string, { sendSms, cancelType }: Flags) => {
      const endpoint = endpointOf(url);
      const contract = await contractAt(endpoint);
      const run = Math.floor(host.clock() / 1000);
      const plan: SmokePlan = { contract, endpoint, center, sendSms, cancelType, run };
      const results: SmokeResult[] = [];
      for (const transport of TRANSPORTS) results.push(await smokeTransport(plan, transport));
      const { lines, failures } = report(plan, results);
      host.output.write(`${lines.join('\n')}\n`);
      isWrong = failures > 0;
    });
  const code = await runCommand(command, args, host);
  return isWrong ? 1 : code;
}

function endpointOf(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new SetUpError(`${url} is no URL; expected one such as http://127.0.0.1:8080.`);
  }
  const base = url.replace(/\/+$/, '');
  return /\.asmx$/i.test(base) ? base : `${base}/TPWebServices.asmx`;
}

async function contractAt(endpoint: string): Promise<SmokePlan['contract']> {
  const url = `${endpoint}?wsdl`;
  try {
    const { status, body } = await send({ method: 'GET', url, headers: {}, body: '' });
    if (status !== 200) throw new Error(`status ${status}`);
    return readContract(body);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new SetUpError(`${url} gives no WSDL of the service: ${message || code}.`);
  }
}

function report({ contract, sendSms }: SmokePlan, results: readonly SmokeResult[]) {
  const width = Math.max(...contract.operations.map(({ name }) => name.length));
  const row = (title: string, cells: readonly string[]) =>
    `${title.padEnd(width)}  ${cells.map((cell) => cell.padEnd(9)).join('  ')}`.trimEnd();
  const failures: string[] = [];
  const rows = contract.operations.map(({ name }) => {
    const cells = TRANSPORTS.map((transport, index) => {
      const outcome = results[index]?.outcomes.get(name) ?? 'not called';
      if (outcome !== 'ok') failures.push(`${name} over ${TRANSPORT_TITLES[transport]}: ${outcome}`);
      return outcome === 'ok' ? 'ok' : 'FAILED';
    });
    return row(name, cells);
  });
  const total = contract.operations.length * TRANSPORTS.length;
  const titles = TRANSPORTS.map((transport) => TRANSPORT_TITLES[transport]);
  const left = results.flatMap((result) => result.left);
  const lines = [
    row('', titles),
    ...rows,
    ...failures,
    ...left,
    `${total - failures.length} of ${total} calls answered as they should be.`,
    ...(left.length === 0 ? ['What was booked is cancelled.'] : []),
    sendSms === undefined
      ? 'No text message was sent: Sent_SMS was tried with a number that it has to refuse.'
      : `Text messages were sent to ${'*'.repeat(Math.max(sendSms.length - 4, 0))}${sendSms.slice(-4)}.`,
  ];
  return { lines, failures: failures.length };
}
