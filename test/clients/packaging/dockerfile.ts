import { readFileSync } from 'node:fs';

/** The contents of the Dockerfile, in order. */
export interface Instruction {
  readonly name: string;
  readonly argument: string;
}

/** The instructions of a Dockerfile, continued lines joined. */
export function readDockerfile(file: URL): readonly Instruction[] {
  return readFileSync(file, 'utf8')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => {
      const [, name = '', argument = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name, argument };
    });
}

/** The command of a `CMD [...]`, or of the one inside a HEALTHCHECK. */
export function commandOf(argument: string): readonly string[] {
  return JSON.parse(argument.slice(argument.indexOf('[')));
}
