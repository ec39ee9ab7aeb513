import { shown } from '../vocabulary/text.ts';

/** Where a row was found. */
export interface Place {
  readonly file: string;
  /** From 1; for a row on several lines, the first line. */
  readonly line?: number | undefined;
}

/** `doctors.csv, line 12`. */
export const placeText = ({ file, line }: Place): string => `${file}${line === undefined ? '' : `, line ${line}`}`;

/** A stored appointment, for a message about another one. */
export const storedText = ({ id }: { readonly id: number }): string => `appointment ${id} of the database`;

/** A mistake that prevents the import of a file. */
export interface Problem extends Place {
  /** As spelled in the table's header. */
  readonly column?: string | undefined;
  readonly value?: string | undefined;
  /** What is wrong, or what is expected; without a final period. */
  readonly message: string;
}

/** `doctors.csv, line 12, column SlotMinutes: "300"; expected a whole number from 5 to 240.` */
const problemText = (problem: Problem): string => problemSentence(problem, problem.line && `line ${problem.line}`, '');

/** The sentence with a different location in the file; `others` is appended to the value. */
export function problemSentence(
  { file, column, value, message }: Problem,
  lines: string | number | undefined,
  others: string,
): string {
  const place = [file, lines, column && `column ${column}`].filter(Boolean).join(', ');
  const subject = value === undefined ? '' : `"${shown(value)}"${others}${message.startsWith('expected') ? ';' : ''} `;
  return `${place}: ${subject}${message}.`;
}

/** A million rows can have more problems than fit into one text. */
const MOST_IN_MESSAGE = 100;

/** Problems that prevent an import; nothing was changed. */
export class ImportRefused extends Error {
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super(problems.slice(0, MOST_IN_MESSAGE).map(problemText).join('\n'));
    this.name = 'ImportRefused';
    this.problems = problems;
  }
}
