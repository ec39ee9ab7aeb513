import { readFile } from 'node:fs/promises';
import { ServiceError } from '../../vocabulary/errors.ts';
import type { CommandHost } from '../command-host.ts';
import { writePrivateFile } from '../write-private-file.ts';

/** The last row that was copied. */
export interface CopiedPlace {
  /** Instant, ms. */
  readonly recordedOn: number;
  readonly id: number;
}

/**
 * Undefined if there is no such file, which means that nothing has been copied yet. Throws ServiceError `InvalidValue` if it contains
 * anything else.
 */
export async function readPlace(file: string): Promise<CopiedPlace | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [, recordedOn, id] = /^(\d{1,15}) (\d{1,15})\n$/.exec(text) ?? [];
  if (recordedOn === undefined) {
    throw new ServiceError(
      'InvalidValue',
      `--new ${file}: expected a file that this command wrote, or one that does not exist.`,
    );
  }
  return { recordedOn: Number(recordedOn), id: Number(id) };
}

export const writePlace = (file: string, { recordedOn, id }: CopiedPlace, host: CommandHost): Promise<void> =>
  writePrivateFile(
    file,
    (async function* () {
      yield `${recordedOn} ${id}\n`;
    })(),
    host,
  );
