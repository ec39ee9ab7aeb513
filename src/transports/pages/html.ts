/** HTML that is complete and safe: it is created only by `html`, or read from the project's own files. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlValue = string | number | Html | undefined | readonly HtmlValue[];

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };

/** Escapes text for HTML, in content and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&${ENTITIES[character]};`);

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

/**
 * A table whose rows become boxes on a narrow screen. The first cell of a row is its heading, and the second one explains it. The others
 * repeat the names of their columns, because a box has no other place for them.
 */
export const table = (
  columns: readonly string[],
  rows: readonly (readonly HtmlValue[])[],
): Html => html`<table class="columns">
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([heading, meaning, ...facts]) => html`<tr><th scope="row">${heading}</th><td>${meaning}</td>
${facts.map((fact, i) => html`<td data-label="${columns[i + 2]}">${fact}</td>`)}</tr>`,
)}
</tbody>
</table>`;
