import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './read-arguments.ts';

/** Writes a generated file; with --check only reports what is out of date, and exits 1. `command` is npm's name of the script. */
export function writeGenerated(file: URL, command: string, expected: string): void {
  const { values } = readArguments(`npm run ${command} --`, { options: { check: { type: 'boolean' } } });
  if (!values.check) {
    writeFileSync(file, expected);
    return;
  }
  const difference = firstDifference(expected, readFileSync(file, 'utf8'));
  if (difference === undefined) return;
  const name = relative(fileURLToPath(new URL('../', import.meta.url)), fileURLToPath(file));
  console.error(`${name} is out of date; run npm run ${command}. ${difference}`);
  process.exitCode = 1;
}

/** The first line in which two texts differ, as a sentence. `undefined` if they are the same. */
export function firstDifference(expected: string, actual: string): string | undefined {
  if (expected === actual) return undefined;
  const wanted = expected.split('\n');
  const found = actual.split('\n');
  const line = wanted.findIndex((text, index) => text !== found[index]);
  const index = line < 0 ? wanted.length : line;
  const at = (lines: readonly string[]) => (lines[index] === undefined ? 'nothing' : `"${lines[index]}"`);
  return `Line ${index + 1} is ${at(found)}; the WSDL gives ${at(wanted)}.`;
}
