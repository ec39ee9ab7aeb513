import { SetUpError } from '../../vocabulary/errors.ts';
import { createReadIisLine } from './read-iis-line.ts';
import { readJsonLine } from './read-json-line.ts';
import { headerOf, type OldAnswer, type RecordedRequest } from './recorded-request.ts';

/** A request that was recorded before, with the old service's answer if that was recorded, too. */
export interface RecordedExchange {
  readonly request: RecordedRequest;
  readonly answer: OldAnswer | undefined;
}

/**
 * What a line of a recording contains. A text is the reason why it contains nothing to try. Throws SyntaxError, which quotes nothing of the
 * line.
 */
export type ReadLine = (line: string) => RecordedExchange | string | undefined;

/**
 * The exchanges in a file of JSON lines, or in IIS's W3C log, which begins with `#`. `passedOver` is called for each line that is valid but
 * can't be tried. Throws SetUpError that names file and line for an invalid one.
 */
export async function* readRecording(
  file: string,
  lines: AsyncIterable<string>,
  passedOver: (why: string) => void,
): AsyncGenerator<RecordedExchange> {
  let read: ReadLine | undefined;
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    read ??= line.startsWith('#') ? createReadIisLine() : readJsonLine;
    const found = readOrThrow(read, line, file, number);
    if (typeof found === 'string') passedOver(found);
    else if (found !== undefined) yield withHost(found);
  }
}

function readOrThrow(read: ReadLine, line: string, file: string, number: number): ReturnType<ReadLine> {
  try {
    return read(line);
  } catch (error) {
    if (error instanceof SyntaxError) throw new SetUpError(`${file}, line ${number}: ${error.message}`);
    throw error;
  }
}

/** Every HTTP/1.1 request had a Host. If it was not recorded, this one is used, which never causes a refusal. */
function withHost({ request, answer }: RecordedExchange): RecordedExchange {
  if (headerOf(request, 'host') !== undefined) return { request, answer };
  return { request: { ...request, headers: [...request.headers, 'Host', 'localhost'] }, answer };
}
