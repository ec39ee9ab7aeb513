// Writes docs/operations.md from the WSDL. With --check it writes nothing, and exits 1 if the file is out of date.
import { readFileSync } from 'node:fs';
import type { Contract, Operation, RecordType } from '../src/contract/contract.ts';
import { readContract } from '../src/contract/read-contract.ts';
import { refusalStatus } from '../src/transports/faults.ts';
import { isRefusal, RESULT_CODE_MEANINGS, ResultCode, type ResultCodeName } from '../src/vocabulary/result-codes.ts';
import { writeGenerated } from './write-generated.ts';

const WSDL = new URL('../wsdl/TPWebServices.wsdl', import.meta.url);
const GENERATED = new URL('../docs/operations.md', import.meta.url);

/** Every operation with its parameters and results, as Markdown. */
export function operationsDoc(contract: Contract): string {
  const blocks = [
    '<!-- Generated from wsdl/TPWebServices.wsdl by scripts/generate-operations-doc.ts. Do not edit. -->',
    `# Operations of ${contract.serviceName}`,
    contract.documentation,
    'Over SOAP a parameter that is not required may be absent or empty; on the GET and POST forms every parameter has to be there, and may be empty where it is not required. A refusal by the hospital’s rules is a fault over SOAP and has the HTTP status below on the forms, unless the service runs with `REFUSALS=result`.',
    ...contract.operations.flatMap(operationBlocks),
    '## Fault detail',
    ...recordBlocks(contract.fault),
    '## ResultCode',
    table(
      ['ResultCode', 'Name', 'HTTP status on the forms', 'Meaning'],
      Object.entries(ResultCode).map(([name, code]) => [
        code,
        name,
        isRefusal(code) ? refusalStatus(code) : 200,
        RESULT_CODE_MEANINGS[name as ResultCodeName],
      ]),
    ),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function operationBlocks({
  name,
  documentation,
  safe,
  resultCodes,
  parameters,
  resultType,
}: Operation): readonly string[] {
  return [
    `## ${name}`,
    `${documentation}${safe ? ' It changes nothing.' : ''}`,
    table(
      ['Parameter', 'Type', 'Required', 'Example', 'Meaning'],
      parameters.map((p) => [p.name, p.type, p.required ? 'yes' : 'no', `\`${p.example}\``, p.documentation]),
    ),
    ...recordBlocks(resultType),
    `It answers the [ResultCodes](#resultcode) ${resultCodes.map((code) => `${ResultCode[code]} ${code}`).join(', ')}.`,
  ];
}

/** A record's fields, then those of the records in it. */
const recordBlocks = ({ name, documentation, fields }: RecordType): readonly string[] => [
  `**${name}**: ${documentation}`,
  table(
    ['Field', 'Type', 'Always there', 'Meaning'],
    fields.map((field) => [
      field.name,
      (typeof field.type === 'string' ? field.type : field.type.name) + (field.repeated ? ', repeated' : ''),
      field.required ? 'yes' : 'no',
      field.name === 'ResultCode' ? 'Outcome of the call, see [ResultCode](#resultcode).' : field.documentation,
    ]),
  ),
  ...fields.flatMap(({ type }) => (typeof type === 'string' ? [] : recordBlocks(type))),
];

type Cell = string | number;

const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');

const escapeCell = (cell: Cell): string => String(cell).replaceAll('|', '\\|').replaceAll('<', '&lt;');

if (process.argv[1] === import.meta.filename)
  writeGenerated(GENERATED, 'generate:operations-doc', operationsDoc(readContract(readFileSync(WSDL, 'utf8'))));
