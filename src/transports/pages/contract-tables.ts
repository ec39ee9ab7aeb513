import type { Field, Operation, RecordType } from '../../contract/contract.ts';
import { type Html, html } from './html.ts';
import { kindOf } from './parameter-fields.ts';

/** A table that scrolls by itself on a narrow screen, reached by keyboard. */
export const table = (label: string, columns: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows}
</tbody>
</table></div>`;

/** An operation's parameters, for pages without a form. */
export const parameterTable = ({ parameters }: Operation): Html =>
  table(
    'Parameters',
    ['Name', 'Meaning'],
    parameters.map((parameter) => row(parameter.name, kindOf(parameter), parameter.documentation)),
  );

/** The fields of an operation's answer, and of the records in it. */
export function resultTables({ resultType }: Operation): Html {
  const records = withMembers(resultType);
  return html`${records.map(
    (record, i) =>
      html`${i === 0 ? undefined : html`<h3>${record.name}</h3>`}
${table(record.name, ['Field', 'Meaning'], record.fields.map(fieldRow))}`,
  )}`;
}

function withMembers(record: RecordType): readonly RecordType[] {
  const members = record.fields.map(({ type }) => type).filter((type) => typeof type === 'object');
  return [record, ...members.flatMap(withMembers)];
}

function fieldRow({ name, type, repeated, documentation }: Field): Html {
  const typeName = typeof type === 'object' ? type.name : type;
  return row(name, repeated ? `${typeName}, any number` : typeName, documentation);
}

const row = (name: string, type: string, meaning: string): Html =>
  html`<tr><th scope="row">${name}<span class="kind">${type}</span></th><td>${meaning}</td></tr>`;
