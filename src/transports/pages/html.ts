/** HTML that is complete and safe: it is created only by `html`, or read from the project's own files. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlValue = string | number | Html | undefined | readonly HtmlValue[];

/** Escapes text for HTML, in content and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** A template that escapes all values except those that are HTML already. undefined is written as nothing, and a list as its items. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, i) => (i === 0 ? part : htmlText(values[i - 1]) + part)).join(''));
}

function htmlText(value: HtmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(htmlText).join('\n');
  return escapeHtml(String(value));
}
