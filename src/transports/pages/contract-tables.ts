import type { Field, Operation, RecordType } from '../../contract/contract.ts';
import { type Html, type HtmlValue, html } from './html.ts';
import { requiredMark } from './parameter-fields.ts';
import { RESULT_CODES_ID } from './result-code-table.ts';
import { table } from './table.ts';

/** An operation's parameters, for pages without a form. */
export const parameterTable = ({ parameters }: Operation): Html =>
  table(
    ['Name', 'Meaning'],
    parameters.map((parameter) => [
      named(parameter.name, parameter.type, requiredMark(parameter)),
      parameter.documentation,
    ]),
  );

/** The fields of an operation's answer, and of the records in it. */
export function resultTables({ resultType }: Operation): Html {
  const records = withMembers(resultType);
  return html`${records.map(
    (record, i) =>
      html`${i === 0 ? undefined : html`<h3>${record.name}</h3>`}
${table(['Field', 'Meaning'], record.fields.map(fieldCells))}`,
  )}`;
}

function withMembers(record: RecordType): readonly RecordType[] {
  const members = record.fields.map(({ type }) => type).filter((type) => typeof type === 'object');
  return [record, ...members.flatMap(withMembers)];
}

function fieldCells({ name, type, repeated, documentation }: Field): readonly HtmlValue[] {
  const typeName = typeof type === 'object' ? type.name : type;
  const meaning =
    name === 'ResultCode'
      ? html`Outcome of the call, one of the <a href="#${RESULT_CODES_ID}">ResultCodes</a>.`
      : documentation;
  return [named(name, repeated ? `${typeName}, any number` : typeName), meaning];
}

const named = (name: string, kind: string, mark?: Html): Html =>
  html`${name}<span class="kind">${kind}${mark === undefined ? undefined : html` ${mark}`}</span>`;
