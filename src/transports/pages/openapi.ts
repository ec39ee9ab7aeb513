import { STATUS_CODES } from 'node:http';
import type { AnswerStyle } from '../../access/client.ts';
import { IDEMPOTENCY_HOURS } from '../../calls/transaction.ts';
import {
  type Contract,
  type Field,
  namedNumbers,
  type Operation,
  type Parameter,
  type RecordType,
  type Transport,
} from '../../contract/contract.ts';
import { type DateOrder, formDateTimeForms } from '../../contract/form-date-time.ts';
import { INT_MAX, INT_MIN } from '../../contract/parameter-values.ts';
import { ERROR_CODES, type ErrorCode } from '../../vocabulary/errors.ts';
import { isRefusal, RESULT_CODES, ResultCode, type ResultCodeName } from '../../vocabulary/result-codes.ts';
import { VERSION } from '../../vocabulary/version.ts';
import { FAULT_ANSWERS, RETRY_AFTER } from '../faults.ts';
import { sampleRecord } from './samples.ts';

export const OPENAPI_PATH = '/openapi.json';

/** What a deployment offers. */
export interface Offered extends AnswerStyle {
  readonly transports: readonly Transport[];
  readonly formDateOrder: DateOrder;
  /** Callers must identify themselves. */
  readonly secured: boolean;
}

type Json = string | number | boolean | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [name: string]: Json;
}

/** The GET and POST forms as an OpenAPI 3.1 document. Source: OpenAPI Specification 3.1.1. */
export const openApiDocument = (contract: Contract, address: string, offered: Offered): JsonObject => ({
  openapi: '3.1.1',
  info: {
    title: contract.serviceName,
    version: VERSION,
    description: `${contract.documentation} All required parameters must be present; a string may be empty. The case of parameter names does not matter; unknown parameters are ignored. This document describes the answers to calls with the header Accept: application/json; without it, the same records are XML (text/xml), and errors one sentence of text. The SOAP operations are in ${contract.path}?wsdl.`,
  },
  servers: [{ url: address }],
  paths: Object.fromEntries(
    contract.operations.flatMap((operation) => {
      const get = offered.transports.includes('httpGet') ? { get: getForm(operation, offered) } : {};
      const forms = offered.transports.includes('httpPost') ? { ...get, post: postForm(operation, offered) } : get;
      return Object.keys(forms).length === 0 ? [] : [[`${contract.path}/${operation.name}`, forms]];
    }),
  ),
  // A client may also be identified without any of these, by its network or certificate.
  security: offered.secured ? [...Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] })), {}] : [],
  components: {
    schemas: {
      ...Object.fromEntries(resultTypes(contract).map((type) => [type.name, recordSchema(type)])),
      Problem: PROBLEM,
    },
    ...(offered.secured ? { securitySchemes: SECURITY_SCHEMES } : {}),
    headers: {
      CorrelationId: { description: 'The id under which the service logged the call.', schema: { type: 'string' } },
    },
  },
});

const SECURITY_SCHEMES: JsonObject = {
  ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  Basic: { type: 'http', scheme: 'basic' },
};

// --- Operations

const getForm = (operation: Operation, offered: Offered): JsonObject => ({
  ...describe(operation, 'get', offered),
  parameters: operation.parameters.map((parameter) => queryParameter(parameter, offered)),
});

const postForm = (operation: Operation, offered: Offered): JsonObject => ({
  ...describe(operation, 'post', offered),
  ...(operation.parameters.length === 0
    ? {}
    : { requestBody: { required: true, content: formOf(operation, offered) } }),
});

/**
 * The header is no parameter of the document: tools that import it would send one made-up key with every call, and get the first answer
 * again for a repeated call, and a refusal for all others.
 */
const KEY_HEADER = ` The header Idempotency-Key gives the call an id, such as a random UUID: sent again with it within ${IDEMPOTENCY_HOURS} hours, the same call gets its first answer again.`;

const describe = (operation: Operation, method: 'get' | 'post', answers: Offered): JsonObject => ({
  operationId: `${operation.name}_${method}`,
  summary: `${operation.name}, with the parameters in ${method === 'get' ? 'the query' : 'a form'}`,
  description:
    operation.documentation +
    (operation.safe ? '' : KEY_HEADER) +
    (method === 'get' && !operation.safe ? ' It changes data even over GET; do not prefetch it.' : ''),
  responses: responsesOf(operation, answers),
});

// --- Answers

/** Codes with which a call of an existing operation is never answered on the forms. Refused is answered with a result record instead. */
const NOT_ON_THE_FORMS: readonly ErrorCode[] = [
  'UnexpectedElement',
  'UnknownOperation',
  'ActionMismatch',
  'MustUnderstand',
  'VersionMismatch',
  'NotFound',
  'Refused',
];

/** Codes with which read-only operations never answer. */
const UNSAFE_ONLY: readonly ErrorCode[] = ['CrossSite', 'IdempotencyKeyReused'];

/** By status. A refusal and an error may have the same one; the content type distinguishes them. */
function responsesOf(operation: Operation, { refusals, results }: AnswerStyle): JsonObject {
  const { safe, resultCodes, resultType } = operation;
  const example = sampleRecord(resultType, operation) as JsonObject;
  const record = { 'application/json': { schema: reference(resultType.name), example } };
  const codes = (Object.keys(ERROR_CODES) as ErrorCode[]).filter(
    (code) => !NOT_ON_THE_FORMS.includes(code) && !(safe && UNSAFE_ONLY.includes(code)),
  );
  const errors = Map.groupBy(codes, (code) => FAULT_ANSWERS[code].status);
  const refused = Map.groupBy<number, ResultCodeName>(
    refusals === 'fault' ? resultCodes.filter((name) => isRefusal(ResultCode[name])) : [],
    (name) => RESULT_CODES[name].status,
  );
  const ok = {
    description: refusals === 'result' ? 'The result, or a refusal with its ResultCode.' : 'The result.',
    ...(results === 'none' ? { description: 'Done; the answer is empty.' } : { content: record }),
  };
  const failures = [...new Set([...errors.keys(), ...refused.keys()])].map((status) => {
    const names = refused.get(status) ?? [];
    const faults = errors.get(status) ?? [];
    const listed = names.map((name) => `${ResultCode[name]} ${name}`).join(', ');
    const description = [
      ...(names.length === 0 ? [] : [`Refused, and nothing was changed. ResultCode: ${listed}.`]),
      ...faults.map((code) => `${code}: ${ERROR_CODES[code]}`),
    ].join(' ');
    const content = { ...refusalContent(resultType, names), ...problemContent(status, faults) };
    const headers = {
      'X-Correlation-Id': { $ref: '#/components/headers/CorrelationId' },
      ...(faults.some((code) => RETRY_AFTER[code] !== undefined)
        ? { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } }
        : {}),
    };
    return [status, { description, headers, content }] as const;
  });
  return Object.fromEntries([[200, ok], ...failures]);
}

const reference = (schema: string): JsonObject => ({ $ref: `#/components/schemas/${schema}` });

/** The result with one of these codes, and what it may look like. */
function refusalContent({ name }: RecordType, [first, ...others]: readonly ResultCodeName[]): JsonObject {
  if (first === undefined) return {};
  const codes = enumOf([first, ...others].map((code) => [code, ResultCode[code]]));
  const schema = { allOf: [reference(name), { type: 'object', properties: { ResultCode: codes } }] };
  const example = { ResultCode: ResultCode[first], ResultText: RESULT_CODES[first].meaning };
  return { 'application/json': { schema, example } };
}

function problemContent(status: number, [code]: readonly ErrorCode[]): JsonObject {
  if (code === undefined) return {};
  const problem = { type: 'about:blank', title: STATUS_CODES[status] ?? '', status, detail: ERROR_CODES[code], code };
  const example = { ...problem, correlationId: '0192d7c4-6b1e-7a35-9c58-2f4be0a1d637' };
  return { 'application/problem+json': { schema: reference('Problem'), example } };
}

/** Source: RFC 9457. */
const PROBLEM: JsonObject = {
  type: 'object',
  description: 'What is wrong with a call.',
  required: ['type', 'title', 'status', 'detail', 'code', 'correlationId'],
  properties: {
    type: { const: 'about:blank' },
    title: { type: 'string', description: 'The reason phrase of the HTTP status.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'One sentence.' },
    code: { type: 'string', enum: Object.keys(ERROR_CODES) },
    parameter: { type: 'string', description: 'Name of the parameter at fault.' },
    correlationId: { type: 'string', description: 'The id under which the service logged the call.' },
  },
};

// --- Parameters and fields

/** Without a format: validators that know only those of JSON Schema refuse the whole schema for a format that they do not know. */
const INT: JsonObject = { type: 'integer', minimum: INT_MIN, maximum: INT_MAX };

const queryParameter = (parameter: Parameter, offered: Offered): JsonObject => ({
  name: parameter.name,
  in: 'query',
  required: !parameter.mayBeOmitted,
  ...(parameter.required ? {} : { allowEmptyValue: true }),
  description: meaning(parameter, offered),
  schema: parameterSchema(parameter),
  example: example(parameter),
});

const formOf = ({ parameters }: Operation, offered: Offered): JsonObject => ({
  'application/x-www-form-urlencoded': {
    schema: {
      type: 'object',
      // Postman reads only these.
      examples: [Object.fromEntries(parameters.map((parameter) => [parameter.name, example(parameter)]))],
      required: parameters.filter(({ mayBeOmitted }) => !mayBeOmitted).map(({ name }) => name),
      properties: Object.fromEntries(
        parameters.map((parameter) => [
          parameter.name,
          { ...parameterSchema(parameter), description: meaning(parameter, offered) },
        ]),
      ),
    },
  },
});

const meaning = ({ type, half, documentation }: Parameter, { formDateOrder }: Offered): string =>
  type === 'dateTime' ? `${documentation} Forms: ${formDateTimeForms(half, formDateOrder).join(', ')}.` : documentation;

function parameterSchema({ type, maxLength }: Parameter): JsonObject {
  if (type === 'int') return INT;
  // No format, because the forms accept more than RFC 3339 allows.
  return maxLength === undefined ? { type: 'string' } : { type: 'string', maxLength };
}

/** Tools send examples as they are, so none names a record that the call would change, or a phone that it would reach. */
function example({ type, leftEmpty, example }: Parameter): Json {
  const text = leftEmpty ? '' : example;
  return type === 'int' ? Number(text) : text;
}

/** The records with which the forms answer, and those inside them. */
const resultTypes = ({ types, fault }: Contract): readonly RecordType[] =>
  types.filter(({ name }) => name !== fault.name);

const recordSchema = ({ documentation, fields }: RecordType): JsonObject => ({
  type: 'object',
  description: documentation,
  // An array is present even when it is empty.
  required: fields.filter(({ required, repeated }) => required || repeated).map((field) => field.name),
  properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
});

function fieldSchema({ name, type, repeated, documentation }: Field): JsonObject {
  const description = { description: documentation };
  if (repeated) return { ...description, type: 'array', items: valueSchema(type) };
  const numbers = type === 'int' ? namedNumbers(documentation) : [];
  if (name === 'ResultCode') return { ...description, ...enumOf(Object.entries(ResultCode)) };
  if (numbers.length > 0) return { ...description, ...enumOf(numbers.map(([number, text]) => [text, number])) };
  return { ...valueSchema(type), ...description };
}

/** Most generators name the constants of an enum by this extension. */
const enumOf = (values: readonly (readonly [string, number])[]): JsonObject => ({
  type: 'integer',
  enum: values.map(([, number]) => number),
  'x-enum-varnames': values.map(([name]) => name),
});

function valueSchema(type: Field['type']): JsonObject {
  if (typeof type === 'object') return reference(type.name);
  if (type === 'int') return INT;
  // Wall time, so RFC 3339's date-time does not apply.
  if (type === 'dateTime') return { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$' };
  return { type };
}
