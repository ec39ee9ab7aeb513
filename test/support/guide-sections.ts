import { readFileSync } from 'node:fs';

/** A part of a guide that is followed from its first command to its last, in one shell. */
export interface GuideSection {
  readonly title: string;
  /** The script that does what a reader does: it creates the files, runs the commands, and prints a mark after each block of them. */
  readonly script: string;
  /** What the commands of each block print, shown in the next block; … represents omitted text. Undefined if the guide does not show it. */
  readonly outputs: readonly (string | undefined)[];
}

/** What the script prints after the output of a block. */
export const BLOCK_END = '\u0001';

/** A block of code, with the name of its file if there is one. */
const BLOCK = /(?:`([\w-]+\.\w+)`[^`\n]*:\n\n)?```(\w+)\n([\s\S]*?)\n```/g;
const OUTPUT = /^(?:text|json|xml)$/;

/** The sections of a guide below docs/callers/clients that have commands. */
export function guideSections(guide: string): readonly GuideSection[] {
  const text = readFileSync(new URL(`../../docs/callers/clients/${guide}`, import.meta.url), 'utf8');
  return text.split(/^(?=## )/m).flatMap((section) => {
    const lines: string[] = [];
    const outputs: (string | undefined)[] = [];
    for (const [, file, language = '', code = ''] of section.matchAll(BLOCK)) {
      if (file !== undefined) {
        lines.push(`cat >${file} <<'END_OF_FILE'`, code, 'END_OF_FILE');
      } else if (language === 'sh') {
        lines.push(code, `printf '${BLOCK_END}'`);
        outputs.push(undefined);
      } else if (OUTPUT.test(language) && outputs.length > 0) {
        outputs[outputs.length - 1] ??= code;
      }
    }
    const [, title = ''] = /^#+ (.*)/.exec(section) ?? [];
    return outputs.length === 0 ? [] : [{ title, script: lines.join('\n'), outputs }];
  });
}

/** The blocks of commands of a document that are run from the first to the last, with the numbers of their first lines. */
export const shellBlocks = (text: string): readonly { readonly line: number; readonly code: string }[] =>
  [...text.matchAll(BLOCK)].flatMap(({ 2: language, 3: code = '', index }) =>
    language === 'sh' ? { line: text.slice(0, index).split('\n').length + 1, code } : [],
  );

/** Compares what commands printed with what their guide shows. */
export function shownOutput(output: string): RegExp {
  const parts = output.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`);
}
