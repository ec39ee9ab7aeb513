import { type Html, type HtmlValue, html } from './html.ts';

/**
 * A table whose rows become cards on a narrow screen. The first cell of a row is its heading, and the second one explains it. The others
 * repeat the names of their columns, because a card has no other place for them.
 */
export const table = (
  columns: readonly string[],
  rows: readonly (readonly HtmlValue[])[],
): Html => html`<table class="cards">
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map((cell, i) => cellOf(cell, i, columns[i]))}</tr>`)}
</tbody>
</table>`;

function cellOf(cell: HtmlValue, place: number, column: string | undefined): Html {
  if (place === 0) return html`<th scope="row">${cell}</th>`;
  return place === 1 ? html`<td>${cell}</td>` : html`<td data-label="${column}">${cell}</td>`;
}
