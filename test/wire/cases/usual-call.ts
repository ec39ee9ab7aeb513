import { existsSync, readFileSync } from 'node:fs';
import { ownContract } from '../contract/own-wsdl.ts';

export interface UsualCall {
  /** Values by parameter, in the contract's order. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The markup in the record that answers it. */
  readonly record: string;
}

/**
 * The call of a case that is about something else than the operation. It is this one, whatever becomes of the usual calls. `shows`: what is
 * in the answer.
 */
export const ANY_CALL = {
  operation: 'GetDoctor',
  parameters: [['centerid', '2']] as const,
  shows: '<DoctorName>Dr. Anita Urs</DoctorName>',
};

const usualCalls = new Map(ownContract.operations.map(({ name }) => [name, readUsualCall(name)]));

/** The call of an operation that `success/` shows, which a call or a record `as usual` starts from. */
export function usualCallOf(operation: string): UsualCall {
  const usual = usualCalls.get(operation);
  if (usual === undefined) throw new Error(`there is no operation "${operation}"`);
  return usual;
}

function readUsualCall(operation: string): UsualCall {
  const path = new URL(`success/${operation}.case`, import.meta.url);
  if (!existsSync(path)) throw new Error(`test/wire/cases/success/${operation}.case is missing: it shows the usual call`);
  const file = readFileSync(path, 'utf8');
  const [, parameters = '', record = ''] =
    new RegExp(`^=== call ${operation}\n([^]*?)\n=== record\n([^]*)$`, 'm').exec(file) ?? [];
  return { parameters: readParameters(parameters), record };
}

/** Values by name, from lines such as `centerid: 1`. */
export function readParameters(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([\w.-]+): ?(.*)$/.exec(line) ?? [];
      if (name === '') throw new Error(`"${line}" is not a name and a value`);
      return [name, value];
    }),
  );
}

/** An operation's usual record, with other values for the elements that lines such as `Name: Ravi` name. */
export function usualRecord(operation: string, lines: string): string {
  let record = usualCallOf(operation).record;
  for (const [name, value] of readParameters(lines)) {
    const element = new RegExp(`<${name}>.*</${name}>`);
    if (!element.test(record)) throw new Error(`the usual record of ${operation} has no ${name}`);
    record = record.replace(element, () => `<${name}>${escapeXml(value)}</${name}>`);
  }
  return record;
}

export const escapeXml = (text: string): string =>
  text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
