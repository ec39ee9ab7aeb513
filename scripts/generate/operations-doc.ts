import type { Contract, Operation, RecordType } from '../../src/contract/contract.ts';
import { FAULT_ANSWERS } from '../../src/transports/faults.ts';
import { AppointmentStatus, LAST_HOLDING_STATUS, MOVES } from '../../src/vocabulary/appointments.ts';
import { ERROR_CODES, type ErrorCode } from '../../src/vocabulary/errors.ts';
import { RESULT_CODES, ResultCode } from '../../src/vocabulary/result-codes.ts';
import { paragraph, regenerated, table } from './markdown.ts';

/** Every operation with its parameters and results, then all codes, statuses and moves, as Markdown. */
export const operationsDoc = (contract: Contract, document: string): string =>
  regenerated(document, [
    ...contract.operations.flatMap(operationBlocks),
    '## Fault detail',
    ...recordBlocks(contract.fault),
    '## Error codes',
    table(
      ['Code', 'Default sentence', 'SOAP 1.1', 'SOAP 1.2', 'Forms, pages'],
      Object.entries(ERROR_CODES).map(([code, sentence]) => {
        const { soap11, soap12, soapStatus, status } = FAULT_ANSWERS[code as ErrorCode];
        return [code, sentence, `${soapStatus} ${soap11}`, `${soapStatus} ${soap12}`, status];
      }),
    ),
    '## Statuses and moves',
    table(
      ['Status', 'Name', 'Holds its slot'],
      Object.entries(AppointmentStatus).map(([name, status]) => [
        status,
        name,
        status <= LAST_HOLDING_STATUS ? 'yes' : 'no',
      ]),
    ),
    'By default, the parameter `type` of Appointment_Status_Updates has the following values; `APPOINTMENT_TYPES` changes\nthem. Reschedule leaves a Pending appointment Pending.',
    table(
      ['type', 'Move', 'Status after', 'Allowed from'],
      MOVES.map(({ type, name, status, allowedFrom }) => [type, name, status, allowedFrom.join(', ')]),
    ),
    '## ResultCode',
    table(
      ['ResultCode', 'Name', 'HTTP status on the forms', 'Meaning'],
      Object.entries(RESULT_CODES).map(([name, { number, status, meaning }]) => [number, name, status, meaning]),
    ),
  ]);

function operationBlocks(operation: Operation): readonly string[] {
  const { name, documentation, safe, resultCodes, parameters, resultType } = operation;
  return [
    `## ${name}`,
    paragraph(`${documentation}${safe ? ' Changes nothing.' : ''}`),
    table(
      ['Parameter', 'Type', 'Required', 'Example', 'Meaning'],
      parameters.map((p) => [p.name, p.type, p.required ? 'yes' : 'no', `\`${p.example}\``, p.documentation]),
    ),
    ...recordBlocks(resultType),
    paragraph(
      `Possible [ResultCodes](#resultcode): ${resultCodes.map((code) => `${ResultCode[code]} ${code}`).join(', ')}.`,
    ),
  ];
}

/** A record's fields, then those of the records in it. */
const recordBlocks = ({ name, documentation, fields }: RecordType): readonly string[] => [
  paragraph(`**${name}**: ${documentation}`),
  table(
    ['Field', 'Type', 'Always present', 'Meaning'],
    fields.map((field) => [
      field.name,
      (typeof field.type === 'string' ? field.type : field.type.name) + (field.repeated ? ', repeated' : ''),
      field.required ? 'yes' : 'no',
      field.name === 'ResultCode' ? resultCodeCell(field.documentation) : field.documentation,
    ]),
  ),
  ...fields.flatMap(({ type }) => (typeof type === 'string' ? [] : recordBlocks(type))),
];

// The list of codes after the first sentence is below the table.
const resultCodeCell = (documentation: string): string =>
  `${documentation.split(/(?<=\.) /)[0]} See [ResultCode](#resultcode).`;
