/** What a variable of a template stands for: so many characters, each of which fits `letter`. */
export interface Variable {
  readonly least: number;
  readonly most: number;
  readonly letter: RegExp;
  /** What the characters are, in words. */
  readonly letters: string;
}

const digits = { least: 1, most: 40, letter: /\d/, letters: 'digits' };
const address = { least: 1, most: 255, letter: /\S/, letters: 'characters of an address, none of them a blank' };

/**
 * The variables of templates, by the word between `{#` and `#}`. Sources: TRAI's Direction of 18 November 2025, and the DLT registers of the
 * operators, which since 14 January 2026 accept only new templates whose variables say what they stand for.
 */
export const VARIABLES: Readonly<Record<string, Variable>> = {
  var: { least: 0, most: 30, letter: /./s, letters: 'characters' },
  alphanumeric: { least: 0, most: 40, letter: /./s, letters: 'characters' },
  numeric: digits,
  number: digits,
  url: address,
  urlott: address,
  cbn: { least: 1, most: 30, letter: /[\d +().-]/, letters: 'characters of a phone number: digits, blanks, + ( ) . -' },
  email: { ...address, letters: 'characters of an e-mail address, none of them a blank' },
};

export const tagOf = (word: string): string => `{#${word}#}`;

/** What a variable stands for, in words: `1 to 40 digits`. */
export const valueText = ({ least, most, letters }: Variable): string => `${least} to ${most} ${letters}`;

/** A variable that exists; its word is captured. */
export const VARIABLE = new RegExp(tagOf(`(${Object.keys(VARIABLES).join('|')})`), 'g');

/** The first variable in a text, whether its word is known or not. */
export const variableIn = (text: string): RegExpExecArray | null => /\{#[^\s{}#]+#\}/.exec(text);

/** What stands in a template as if it were a variable and is none: `{#VAR#}`, `{#var}`, `##var##`. Undefined if there is nothing. */
export const noVariableIn = (template: string): string | undefined =>
  /\{#[^\s{}#]*#?\}?|\b\w+#\}|#\}|##[a-z_]\w*##/i.exec(template.replaceAll(VARIABLE, '\n'))?.[0];
