import { LRUCache } from 'lru-cache';
import type { AnswerStyle } from '../../access/client.ts';
import type { Gate } from '../../access/gate.ts';
import { IDEMPOTENCY_HOURS } from '../../calls/transaction.ts';
import {
  type Contract,
  type Field,
  namedNumbers,
  type Operation,
  type Parameter,
  type RecordType,
  TRANSPORTS,
  type Transport,
} from '../../contract/contract.ts';
import { formDateTimeForms } from '../../contract/form-date-time.ts';
import { INT_MAX, INT_MIN } from '../../contract/parameter-values.ts';
import { ERROR_CODES, type ErrorCode } from '../../vocabulary/errors.ts';
import { isRefusal, RESULT_CODES, ResultCode, type ResultCodeName } from '../../vocabulary/result-codes.ts';
import { answer, JSON_TYPE } from '../answer.ts';
import type { Serve } from '../exchange.ts';
import { FAULT_ANSWERS, RETRY_AFTER } from '../faults.ts';
import { type PublicAddressSettings, publicAddress } from '../public-address.ts';

export interface OpenApiDependencies extends PublicAddressSettings, AnswerStyle {
  readonly contract: Contract;
  readonly transports: readonly Transport[];
  readonly gate: Pick<Gate, 'asksWhoCalls'>;
}

export const OPENAPI_PATH = '/openapi.json';

/** GET of the OpenAPI document, which contains the address at which the caller reaches the service. */
export function createOpenApi(dependencies: OpenApiDependencies): Serve {
  const { contract, transports, gate } = dependencies;
  const offered = { transports, secured: gate.asksWhoCalls };
  // Varying Host headers must not fill the memory.
  const cached = new LRUCache<string, Buffer>({
    max: 10,
    memoMethod: (address) => Buffer.from(JSON.stringify(openApiDocument(contract, dependencies, address, offered))),
  });
  return (exchange) => answer(exchange.response, 200, JSON_TYPE, cached.memo(publicAddress(exchange, dependencies)));
}

type Json = string | number | boolean | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [name: string]: Json;
}

/**
 * The GET and POST forms as an OpenAPI 3.1 document. Source: OpenAPI Specification 3.1.1.
 * `answers` determines the status of a refusal and the content of a success; the last argument says which forms there are and whether callers must identify themselves.
 */
export const openApiDocument = (
  contract: Contract,
  answers: AnswerStyle,
  address: string,
  { transports, secured } = { transports: TRANSPORTS, secured: false },
): JsonObject => ({
  openapi: '3.1.1',
  info: {
    title: contract.serviceName,
    version: '1',
    description: `${contract.documentation} All required parameters must be present; a string may be empty. The case of parameter names does not matter; unknown parameters are ignored. This document describes the answers to calls with the header Accept: application/json; without it, the same records are XML (text/xml), and errors one sentence of text. The SOAP operations are in ${contract.path}?wsdl.`,
  },
  servers: [{ url: address }],
  paths: Object.fromEntries(
    contract.operations.map((operation) => [
      `${contract.path}/${operation.name}`,
      {
        ...(transports.includes('httpGet') ? { get: getForm(operation, answers) } : {}),
        ...(transports.includes('httpPost') ? { post: postForm(operation, answers) } : {}),
      },
    ]),
  ),
  // A client may also be identified without any of these, by its network or certificate.
  security: secured ? [...Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] })), {}] : [],
  components: {
    schemas: {
      ...Object.fromEntries(resultTypes(contract).map((type) => [type.name, recordSchema(type, contract)])),
      Problem: PROBLEM,
    },
    parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
    ...(secured ? { securitySchemes: SECURITY_SCHEMES } : {}),
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

const getForm = (operation: Operation, answers: AnswerStyle): JsonObject => ({
  ...describe(operation, 'get', answers),
  parameters: [...operation.parameters.map(queryParameter), ...headersOf(operation)],
});

const postForm = (operation: Operation, answers: AnswerStyle): JsonObject => ({
  ...describe(operation, 'post', answers),
  parameters: headersOf(operation),
  ...(operation.parameters.length === 0
    ? {}
    : {
        requestBody: {
          required: true,
          content: { 'application/x-www-form-urlencoded': { schema: formSchema(operation) } },
        },
      }),
});

/** Source: the IETF's draft of the Idempotency-Key header, which recommends a UUID. The service also accepts other keys. */
const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `An id that the caller gives this call: the same call sent again within ${IDEMPOTENCY_HOURS} hours gets its first answer again. Each call needs a key of its own, such as a random UUID.`,
  schema: { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' },
  example: '0192d7c4-6b1e-7a35-9c58-2f4be0a1d637',
};

const headersOf = ({ safe }: Operation): readonly JsonObject[] =>
  safe ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }];

const describe = (operation: Operation, method: 'get' | 'post', answers: AnswerStyle): JsonObject => ({
  operationId: `${operation.name}_${method}`,
  summary: `${operation.name}, with the parameters in ${method === 'get' ? 'the query' : 'a form'}`,
  description:
    operation.documentation +
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
function responsesOf({ safe, resultCodes, resultType }: Operation, { refusals, results }: AnswerStyle): JsonObject {
  const record = { 'application/json': { schema: reference(resultType.name) } };
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
    const names = (refused.get(status) ?? []).map((name) => `${ResultCode[name]} ${name}`);
    const faults = errors.get(status) ?? [];
    const description = [
      ...(names.length === 0 ? [] : [`Refused, and nothing was changed. ResultCode: ${names.join(', ')}.`]),
      ...faults.map((code) => `${code}: ${ERROR_CODES[code]}`),
    ].join(' ');
    const content = { ...(names.length === 0 ? {} : record), ...(faults.length === 0 ? {} : PROBLEM_CONTENT) };
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

const PROBLEM_CONTENT: JsonObject = { 'application/problem+json': { schema: reference('Problem') } };

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

const INT: JsonObject = { type: 'integer', format: 'int32', minimum: INT_MIN, maximum: INT_MAX };

const queryParameter = (parameter: Parameter): JsonObject => ({
  name: parameter.name,
  in: 'query',
  required: !parameter.mayBeOmitted,
  ...(parameter.required ? {} : { allowEmptyValue: true }),
  description: meaning(parameter),
  schema: parameterSchema(parameter),
  example: example(parameter),
});

const formSchema = ({ parameters }: Operation): JsonObject => ({
  type: 'object',
  required: parameters.filter(({ mayBeOmitted }) => !mayBeOmitted).map(({ name }) => name),
  properties: Object.fromEntries(
    parameters.map((parameter) => [
      parameter.name,
      { ...parameterSchema(parameter), description: meaning(parameter), examples: [example(parameter)] },
    ]),
  ),
});

const meaning = ({ type, half, documentation }: Parameter): string =>
  type === 'dateTime' ? `${documentation} Forms: ${formDateTimeForms(half, undefined).join(', ')}.` : documentation;

function parameterSchema({ type, maxLength }: Parameter): JsonObject {
  if (type === 'int') return INT;
  // No format, because the forms accept more than RFC 3339 allows.
  return maxLength === undefined ? { type: 'string' } : { type: 'string', maxLength };
}

const example = ({ type, example: text }: Parameter): Json => (type === 'int' ? Number(text) : text);

/** The records with which the forms answer, and those inside them. */
const resultTypes = ({ types, fault }: Contract): readonly RecordType[] => types.filter((type) => type !== fault);

const recordSchema = ({ documentation, fields }: RecordType, contract: Contract): JsonObject => ({
  type: 'object',
  description: documentation,
  // An array is present even when it is empty.
  required: fields.filter(({ required, repeated }) => required || repeated).map((field) => field.name),
  properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, contract)])),
});

function fieldSchema({ name, type, repeated, documentation }: Field, { operations }: Contract): JsonObject {
  const description = { description: documentation };
  if (repeated) return { ...description, type: 'array', items: valueSchema(type) };
  // A field named like a parameter repeats what was sent, which settings may give other numbers.
  const isEcho = operations.some(({ parameters }) => parameters.some((parameter) => parameter.name === name));
  const numbers = type !== 'int' || isEcho ? [] : namedNumbers(documentation);
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
  // Wall time, so RFC 3339's date-time does not apply. Source: OpenAPI Format Registry.
  if (type === 'dateTime') return { type: 'string', format: 'date-time-local' };
  return { type };
}
