/** `wrong` keeps the service from starting or from working correctly; a `warning` needs to be judged by a person. */
export type Verdict = 'ok' | 'warning' | 'wrong';

/** One line of the doctor's output. */
export interface Finding {
  readonly verdict: Verdict;
  /** What was checked, in one or two words. */
  readonly subject: string;
  /** What was found and, unless everything is in order, what to do. Contains no secret. */
  readonly text: string;
}

const finding =
  (verdict: Verdict) =>
  (subject: string, text: string): Finding => ({ verdict, subject, text });

export const ok = finding('ok');
export const warning = finding('warning');
export const wrong = finding('wrong');

/** A finding as one line, in columns. */
export const findingText = ({ verdict, subject, text }: Finding): string =>
  `${verdict.padEnd(8)} ${subject.padEnd(14)} ${text}\n`;
