import { Option } from 'commander';
import { visibleJson } from '../vocabulary/text.ts';
import type { CommandHost } from './command-host.ts';

/** The flag of commands whose findings programs read, too. */
export interface Json {
  readonly json?: boolean | undefined;
}

export const jsonOption = (): Option => new Option('--json', 'for programs: a line of JSON for each record');

/** Writes what was found as text or, with --json, as its records; what only leads a person through the text has none. */
export type Report = (text: string, records?: readonly object[]) => void;

/** The one writer of what a command reports. */
export const reportTo =
  ({ output }: Pick<CommandHost, 'output'>, { json = false }: Json): Report =>
  (text, records = []) => {
    const lines = json ? records.map((record) => visibleJson(JSON.stringify(record))) : [text];
    for (const line of lines) output.write(`${line}\n`);
  };
