/**
 * Prints, room by room, the files of src that run for a booking over SOAP, a read by GET and a text message by POST: those with a function
 * that V8 counts for most calls, and on standard error how many functions those are. The table of docs/developers/request-path.md is this program's.
 */
import { Session } from 'node:inspector/promises';
import type { Transport } from '../../src/contract/contract.ts';
import { ROOM_ORDER, roomOf } from '../../test/house/rooms.ts';
import { BOOKING_PARAMETERS } from '../../test/support/http/booking-parameters.ts';
import { callOver, type Parameters } from '../../test/support/http/four-transports.ts';
import { startService } from '../../test/support/process/start-service.ts';
import { table } from './markdown.ts';

/** Enough to tell what a call runs from what a timer runs. */
const CALLS = 10;
const service = await startService();
let sent = 0;

const over = async (transport: Transport, operation: string, parameters: Parameters): Promise<void> => {
  const { status, text } = await callOver(transport, service.endpoint, operation, parameters);
  if (status !== 200) throw new Error(text);
};
const booking = () => {
  const number = String(++sent).padStart(2, '0');
  const patient = { Name: `Patient ${number}`, RegistrationNumber: `R-${number}`, contactnumber: `98450123${number}` };
  const app_time = `2027-01-18T${number}:15:00`;
  return over('soap11', 'Fetch_Details', { ...BOOKING_PARAMETERS, ...patient, app_time });
};
const read = () => over('httpGet', 'GetDoctor', { centerid: 1 });
const text = () => {
  const Mobileno = `98450123${String(++sent).padStart(2, '0')}`;
  return over('httpPost', 'Sent_SMS', { Mobileno, Message: 'Hello', tempid: 0, SMSmode: 1 });
};

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** By file below src/, how many of its functions run for each call. */
async function functionsOf(call: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  await call();
  await session.post('Profiler.takePreciseCoverage');
  for (let count = 0; count < CALLS; count++) await call();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const counted = result.flatMap(({ url, functions }) => {
    const path = /\/src\/(.*)$/.exec(url)?.[1];
    const ran = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > CALLS / 2).length;
    return path === undefined || ran === 0 ? [] : [[path, ran] as const];
  });
  return new Map(counted);
}

const columns = [await functionsOf(booking), await functionsOf(read), await functionsOf(text)];
await service.close();

const fileName = (path: string): string => path.replace(/^.*\//, '').replace(/\.ts$/, '');
const cells = (room: string): readonly string[] =>
  columns.map((files) =>
    [...files.keys()]
      .filter((path) => roomOf(path) === room)
      .sort()
      .map(fileName)
      .join(', '),
  );
const sums = columns.map((files) => {
  const functions = [...files.values()].reduce((sum, count) => sum + count, 0);
  console.error(`${files.size} files, ${functions} functions`);
  return `${files.size} files`;
});
const rows = ROOM_ORDER.flat()
  .map((room) => [`${room}/`, ...cells(room)])
  .filter(([, ...names]) => names.some((name) => name !== ''));
const head = ['Room', 'A booking over SOAP', 'A read by GET', 'A text message by POST'];
process.stdout.write(table(head, [...rows, ['In all', ...sums]]));
