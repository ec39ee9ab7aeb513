import { parseSync } from 'oxc-parser';

/** A regular expression in a file. */
interface Pattern {
  /** From 1. */
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** The parts of a node of the syntax tree that matter here. */
interface SyntaxNode {
  readonly type?: string;
  readonly start?: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
}

/** How a file uses regular expressions. */
export interface PatternsOfFile {
  readonly literals: readonly Pattern[];
  /** Lines with `new RegExp(…)`, whose text is known only at run time. */
  readonly constructed: readonly number[];
}

/** Finds the regular expressions in the text of a TypeScript or JavaScript file. `path` determines which of the two it is. */
export function findPatterns(path: string, text: string): PatternsOfFile {
  const literals: Pattern[] = [];
  const constructed: number[] = [];
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;

  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, start = 0, regex, callee } = node as SyntaxNode;
    if (regex !== undefined) literals.push({ line: lineAt(start), source: regex.pattern, flags: regex.flags });
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') {
      constructed.push(lineAt(start));
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(path, text).program);
  return { literals, constructed };
}
