import { IDEMPOTENCY_HOURS } from '../../calls/idempotent-store.ts';
import type { Contract, Field, Operation, Parameter, RecordType } from '../../contract/contract.ts';
import { FORM_DATE_TIME_FORMS } from '../../contract/form-date-time.ts';
import { INT_MAX, INT_MIN } from '../../contract/parameter-values.ts';
import { ERROR_CODES, type ErrorCode } from '../../vocabulary/errors.ts';
import { isRefusal, RESULT_CODES, ResultCode, type ResultCodeName } from '../../vocabulary/result-codes.ts';
import { FAULT_ANSWERS, RETRY_AFTER, type RefusalStyle } from '../faults.ts';

type Json = string | number | boolean | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [name: string]: Json;
}

/** Codes with which a call of an existing operation is never answered on the forms. Refused is answered with a result record instead. */
const NOT_ON_THE_FORMS: readonly ErrorCode[] = [
  'UnexpectedElement',
  'UnknownOperation',
  'ActionMismatch',
  'MustUnderstand',
  'VersionMismatch',
  'MethodNotAllowed',
  'NotFound',
  'Refused',
];

/** Codes with which read-only operations never answer. */
const UNSAFE_ONLY: readonly ErrorCode[] = ['CrossSite', 'IdempotencyKeyReused'];

/**
 * The GET and POST forms as an OpenAPI 3.1 document, without `servers`. Source: OpenAPI Specification 3.1.1.
 * `refusals` determines the status of a refusal; the last argument says which forms there are and whether callers must identify themselves.
 */
export function openApiDocument(
  contract: Contract,
  refusals: RefusalStyle,
  { httpGet, httpPost, secured } = { httpGet: true, httpPost: true, secured: false },
): JsonObject {
  return {
    openapi: '3.1.1',
    info: {
      title: contract.serviceName,
      version: '1',
      description: `${contract.documentation} All parameters must be present; a string may be empty. The case of parameter names does not matter; unknown parameters are ignored. Answers are XML unless the Accept header prefers JSON. The SOAP operations are in ${contract.path}?wsdl.`,
    },
    paths: Object.fromEntries(
      contract.operations.map((operation) => [
        `${contract.path}/${operation.name}`,
        {
          ...(httpGet ? { get: getForm(operation, refusals) } : {}),
          ...(httpPost ? { post: postForm(operation, refusals) } : {}),
        },
      ]),
    ),
    // A client may also be identified without any of these, by its network or certificate.
    ...(secured ? { security: [...Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] })), {}] } : {}),
    components: {
      schemas: {
        ...Object.fromEntries(resultTypes(contract).map((type) => [type.name, recordSchema(type, contract.namespace)])),
        Problem: PROBLEM,
      },
      responses: Object.fromEntries(Array.from(PROBLEMS, ([status, codes]) => [problemName(status), problem(codes)])),
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      ...(secured ? { securitySchemes: SECURITY_SCHEMES } : {}),
      headers: {
        CorrelationId: { description: 'The id under which the service logged the call.', schema: { type: 'string' } },
      },
    },
  };
}

const SECURITY_SCHEMES: JsonObject = {
  ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  Basic: { type: 'http', scheme: 'basic' },
};

const getForm = (operation: Operation, refusals: RefusalStyle): JsonObject => ({
  ...describe(operation, 'get', refusals),
  parameters: [...operation.parameters.map(queryParameter), ...headersOf(operation)],
});

const postForm = (operation: Operation, refusals: RefusalStyle): JsonObject => ({
  ...describe(operation, 'post', refusals),
  parameters: headersOf(operation),
  requestBody: {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema: formSchema(operation) } },
  },
});

/** Source: the IETF's draft of the Idempotency-Key header. */
const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `An id that the caller gives this call: the same call sent again within ${IDEMPOTENCY_HOURS} hours gets its first answer again.`,
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};

const headersOf = ({ safe }: Operation): readonly JsonObject[] =>
  safe ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }];

function describe(operation: Operation, method: 'get' | 'post', refusals: RefusalStyle): JsonObject {
  const { name, documentation, safe, resultType } = operation;
  const refused = refusals === 'fault' ? refusalsOf(operation) : new Map<number, readonly ResultCodeName[]>();
  const failed = problemsOf(operation);
  const responses = new Map<number, JsonObject>([
    [
      200,
      {
        description: refusals === 'result' ? 'The result, or a refusal with its ResultCode.' : 'The result.',
        content: recordContent(resultType),
      },
    ],
    ...Array.from(failed, ([status, codes]) => [status, problemOf(status, codes)] as const),
    ...Array.from(refused, ([status, codes]) => [status, refusal(resultType, codes, failed.get(status))] as const),
  ]);
  return {
    operationId: `${name}_${method}`,
    summary: name,
    description:
      documentation + (method === 'get' && !safe ? ' It changes data even over GET; do not prefetch it.' : ''),
    responses: Object.fromEntries(responses),
  };
}

const recordContent = ({ name }: RecordType): JsonObject => ({
  'application/json': { schema: reference(name) },
  'text/xml': { schema: reference(name) },
});

/** By status: the operation's ResultCodes that are answered with it. */
const refusalsOf = ({ resultCodes }: Operation): ReadonlyMap<number, readonly ResultCodeName[]> =>
  Map.groupBy(
    resultCodes.filter((name) => isRefusal(ResultCode[name])),
    (name) => RESULT_CODES[name].status,
  );

/** An error may have the same status; the content type distinguishes them. */
function refusal(
  resultType: RecordType,
  codes: readonly ResultCodeName[],
  errors: readonly ErrorCode[] = [],
): JsonObject {
  const other = problem(errors);
  return {
    description: [
      `Refused, and nothing was changed. ResultCode: ${codes.map((name) => `${ResultCode[name]} ${name}`).join(', ')}.`,
      other.description,
    ]
      .join(' ')
      .trimEnd(),
    headers: CORRELATION_ID,
    content: errors.length === 0 ? recordContent(resultType) : { ...recordContent(resultType), ...other.content },
  };
}

const CORRELATION_ID: JsonObject = { 'X-Correlation-Id': { $ref: '#/components/headers/CorrelationId' } };

/** By status: the codes that are answered with it. */
const PROBLEMS: ReadonlyMap<number, readonly ErrorCode[]> = Map.groupBy(
  (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => !NOT_ON_THE_FORMS.includes(code)),
  (code) => FAULT_ANSWERS[code].status,
);

/** By status: the codes that the operation can answer with. */
const problemsOf = ({ safe }: Operation): ReadonlyMap<number, readonly ErrorCode[]> =>
  new Map(
    Array.from(
      PROBLEMS,
      ([status, codes]) => [status, safe ? codes.filter((code) => !UNSAFE_ONLY.includes(code)) : codes] as const,
    ).filter(([, codes]) => codes.length > 0),
  );

/** The answer with a status: the one shared by most operations, or a separate one if the operation cannot answer with some of the codes. */
const problemOf = (status: number, codes: readonly ErrorCode[]): JsonObject =>
  codes.length === PROBLEMS.get(status)?.length
    ? { $ref: `#/components/responses/${problemName(status)}` }
    : problem(codes);

const problemName = (status: number): string => `Problem${status}`;

const problem = (codes: readonly ErrorCode[]) => ({
  description: codes.map((code) => `${code}: ${ERROR_CODES[code]}`).join(' '),
  headers: {
    ...CORRELATION_ID,
    ...(codes.some((code) => RETRY_AFTER[code] !== undefined)
      ? { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } }
      : {}),
  },
  content: {
    'application/problem+json': { schema: reference('Problem') },
    'text/plain': { schema: { type: 'string' } },
  },
});

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

const reference = (schema: string): JsonObject => ({ $ref: `#/components/schemas/${schema}` });

const INT: JsonObject = { type: 'integer', format: 'int32', minimum: INT_MIN, maximum: INT_MAX };

const queryParameter = (parameter: Parameter): JsonObject => ({
  name: parameter.name,
  in: 'query',
  required: true,
  ...(parameter.required ? {} : { allowEmptyValue: true }),
  description: meaning(parameter),
  schema: parameterSchema(parameter),
  example: example(parameter),
});

const formSchema = ({ parameters }: Operation): JsonObject => ({
  type: 'object',
  required: parameters.map(({ name }) => name),
  properties: Object.fromEntries(
    parameters.map((parameter) => [
      parameter.name,
      { ...parameterSchema(parameter), description: meaning(parameter), examples: [example(parameter)] },
    ]),
  ),
});

const meaning = ({ type, documentation }: Parameter): string =>
  type === 'dateTime' ? `${documentation} Forms: ${FORM_DATE_TIME_FORMS.join(', ')}.` : documentation;

function parameterSchema({ type, maxLength }: Parameter): JsonObject {
  if (type === 'int') return INT;
  // No format, because the forms accept more than RFC 3339 allows.
  return maxLength === undefined ? { type: 'string' } : { type: 'string', maxLength };
}

const example = ({ type, example: text }: Parameter): Json => (type === 'int' ? Number(text) : text);

/** The records with which the forms answer, and those inside them. */
function resultTypes({ operations, types }: Contract): readonly RecordType[] {
  const reached = new Set<RecordType>();
  const reach = (type: RecordType): void => {
    if (reached.has(type)) return;
    reached.add(type);
    for (const field of type.fields) if (typeof field.type === 'object') reach(field.type);
  };
  for (const { resultType } of operations) reach(resultType);
  return types.filter((type) => reached.has(type));
}

const recordSchema = ({ name, documentation, fields }: RecordType, namespace: string): JsonObject => ({
  type: 'object',
  description: documentation,
  xml: { name, namespace },
  // An array is present even when it is empty.
  required: fields.filter(({ required, repeated }) => required || repeated).map((field) => field.name),
  properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
});

function fieldSchema({ name, type, repeated, documentation }: Field): JsonObject {
  const description = { description: documentation };
  if (repeated) return { ...description, type: 'array', items: valueSchema(type) };
  if (name === 'ResultCode') return { ...description, type: 'integer', enum: Object.values(ResultCode) };
  return { ...valueSchema(type), ...description };
}

function valueSchema(type: Field['type']): JsonObject {
  if (typeof type === 'object') return reference(type.name);
  if (type === 'int') return INT;
  // Wall time, so RFC 3339's date-time does not apply. Source: OpenAPI Format Registry.
  if (type === 'dateTime') return { type: 'string', format: 'date-time-local' };
  return { type };
}
