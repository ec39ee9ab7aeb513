import { quoted } from '../vocabulary/text.ts';

export interface Place {
  readonly file: string;
  /** From 1; for a row on several lines, the first line. */
  readonly line?: number | undefined;
}

/** `doctors.csv, line 12`. */
export const placeText = ({ file, line }: Place): string => `${file}${line === undefined ? '' : `, line ${line}`}`;

/** A mistake that prevents the import of a file. */
export interface Problem extends Place {
  /** As spelled in the table's header. */
  readonly column?: string | undefined;
  readonly value?: string | undefined;
  /** What is wrong, or what is expected; without a final period. */
  readonly message: string;
}

/** More than anybody reads. A million rows can have more problems than fit into memory. */
const MOST_KEPT = 50_000;

/** More than these do not help: fixing the first ones often fixes the others. */
const MOST_TEXTS = 100;

/** Problems that prevent an import, as an operator reads them; nothing was changed. */
export class ImportRefused extends Error {
  readonly problems: readonly Problem[];
  /** How many there are besides. */
  readonly more: number;
  constructor(problems: readonly Problem[], more = 0) {
    const texts = problemTexts(problems);
    const left = Math.max(texts.length - MOST_TEXTS, 0) + more;
    const rest = left > 0 ? [`… and ${left} more.`] : [];
    super([...texts.slice(0, MOST_TEXTS), ...rest, 'Nothing was imported.'].join('\n'));
    this.name = 'ImportRefused';
    this.problems = problems;
    this.more = more;
  }
}

export class Problems {
  readonly #kept: Problem[];
  #more: number;

  /** With those that were found before. */
  constructor(before?: Problems) {
    this.#kept = before === undefined ? [] : [...before.#kept];
    this.#more = before === undefined ? 0 : before.#more;
  }

  get kept(): readonly Problem[] {
    return this.#kept;
  }

  get count(): number {
    return this.#kept.length + this.#more;
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  add(problem: Problem): void {
    if (this.#kept.length < MOST_KEPT) this.#kept.push(problem);
    else this.#more++;
  }

  addAll(problems: Iterable<Problem>): void {
    for (const problem of problems) this.add(problem);
  }

  /** The refusal of the import: by file and line, those of the database first. */
  refusal(files: readonly string[]): ImportRefused {
    const placeOf = ({ file }: Problem): number => files.indexOf(file);
    const inOrder = this.#kept.toSorted((a, b) => placeOf(a) - placeOf(b) || (a.line ?? 0) - (b.line ?? 0));
    return new ImportRefused(inOrder, this.#more);
  }
}

const MOST_LINES = 8;

/** One sentence per mistake, in the order of the problems. A mistake that occurs on many lines is reported once, with its lines. */
export function problemTexts(problems: readonly Problem[]): string[] {
  const alike = Map.groupBy(problems, ({ file, column, value, message }) =>
    JSON.stringify([file, column, value, message]),
  );
  return [...alike.values()].flatMap((same) => same.slice(0, 1).map((problem) => problemText(problem, same)));
}

/** `doctors.csv, lines 12 and 14, column SlotMinutes: "300"; expected a whole number from 5 to 240.` */
function problemText({ file, column, value, message }: Problem, same: readonly Problem[]): string {
  const lines = [...new Set(same.flatMap(({ line }) => line ?? []))].sort((a, b) => a - b);
  const place = [file, linesText(lines), column && `column ${quoted(column)}`].filter(Boolean).join(', ');
  if (value === undefined) return `${place}: ${message}.`;
  return `${place}: "${quoted(value)}"${message.startsWith('expected') ? ';' : ''} ${message}.`;
}

/** `line 2`, or `lines 2, 5, 7 and 12 more`. */
function linesText(lines: readonly number[]): string {
  if (lines.length <= 1) return lines.map((line) => `line ${line}`).join('');
  const rest = lines.length - MOST_LINES;
  return `lines ${lines.slice(0, MOST_LINES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
