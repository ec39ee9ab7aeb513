import { readFileSync } from 'node:fs';

export interface GuideProgram {
  readonly name: string;
  /** The shell commands before it, one string per block. */
  readonly commands: readonly string[];
  readonly program: string;
  /** What it prints; … represents omitted text. */
  readonly output: string;
}

const PROGRAM = /`([\w.]+)`:\n\n```(?:js|csharp)\n([\s\S]*?)\n```\n\n```text\n([\s\S]*?)\n```/g;

/** The programs in a guide below docs/clients, each with its output. */
export function guidePrograms(guide: string): readonly GuideProgram[] {
  const text = readFileSync(new URL(`../../docs/clients/${guide}`, import.meta.url), 'utf8');
  let end = 0;
  return [...text.matchAll(PROGRAM)].map((match) => {
    const [, name = '', program = '', output = ''] = match;
    const commands = [...text.slice(end, match.index).matchAll(/```sh\n([\s\S]*?)\n```/g)].map(
      ([, block = '']) => block,
    );
    end = match.index + match[0].length;
    return { name, commands, program, output };
  });
}

/** Compares what a program printed with what its guide shows. */
export function shownOutput(output: string): RegExp {
  const parts = output.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`);
}
