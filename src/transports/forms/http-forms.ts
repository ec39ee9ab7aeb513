import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { callerOf } from '../../access/client.ts';
import type { Gate } from '../../access/gate.ts';
import { subscriberNetwork } from '../../access/ip-address.ts';
import type { Invoke, Outcome } from '../../calls/call.ts';
import type { Contract, Operation, ResultRecord, Transport } from '../../contract/contract.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { oneOf, shown } from '../../vocabulary/text.ts';
import { answer, answerWithCheckedHeaders, JSON_TYPE, reusableBody, XML } from '../answer.ts';
import { answerTextFault } from '../answer-text-fault.ts';
import { CORRELATION_HEADER, correlationIdOf, type NewCorrelationId } from '../correlation-id.ts';
import { faultHeaders } from '../fault-headers.ts';
import { FAULT_ANSWERS, type Fault, faultOf, type RefusalStyle, refusalStatus } from '../faults.ts';
import { idempotencyKeyOf } from '../idempotency-key.ts';
import { readMediaType } from '../media-type.ts';
import { onceIfFrozen } from '../once-if-frozen.ts';
import { encodingError, readBody, takeBody } from '../read-body.ts';
import { compileRecordWriter } from '../record-writer.ts';
import { type CrossSiteSettings, refuseCrossSite } from '../refuse-cross-site.ts';
import { type FaultReport, reportFault } from '../report-fault.ts';
import { whenAdmitted } from '../when-admitted.ts';
import { type FormField, readForm } from './read-form.ts';
import { compileFormReader, type ReadFormInput } from './read-form-input.ts';
import { wantsJson } from './wants-json.ts';

export interface HttpFormsDependencies extends CrossSiteSettings, FaultReport {
  readonly contract: Contract;
  readonly invoke: Invoke;
  readonly refusals: RefusalStyle;
  readonly newCorrelationId: NewCorrelationId;
  readonly gate: Gate;
}

const FORM = 'application/x-www-form-urlencoded';
const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';

interface Form {
  readonly operation: Operation;
  readonly readInput: ReadFormInput;
  /** Writes the record as a document. */
  readonly write: (record: ResultRecord) => string | Buffer;
}

/** The GET and POST forms of the operations: `/TPWebServices.asmx/<Op>`, with parameters as text and the result record as the answer. */
export function createHttpForms(dependencies: HttpFormsDependencies): RequestHandler {
  const { contract, invoke, newCorrelationId, gate, corsOrigins } = dependencies;
  const vary = { Vary: corsOrigins.length === 0 ? 'Accept' : 'Accept, Origin' };
  const forms = contract.operations.map((operation): Form => {
    const writeRecord = compileRecordWriter(operation.resultType, operation.resultType.name, contract.namespace);
    const write = onceIfFrozen((record) => reusableBody(XML_DECLARATION + writeRecord(record)));
    return { operation, readInput: compileFormReader(operation), write };
  });

  function answerOutcome(
    request: Request,
    response: Response,
    { write }: Form,
    { record, refused }: Outcome,
    correlationId: string,
  ): void {
    const refusals = callerOf(request).refusals ?? dependencies.refusals;
    const status = refused && refusals === 'fault' ? refusalStatus(Number(record.ResultCode)) : 200;
    const headers = { ...vary, [CORRELATION_HEADER]: correlationId };
    if (wantsJson(request)) answerWithCheckedHeaders(response, status, JSON_TYPE, JSON.stringify(record), headers);
    else answerWithCheckedHeaders(response, status, XML, write(record), headers);
  }

  function turnAway(
    request: Request,
    response: Response,
    error: unknown,
    correlationId: string,
    operation: Operation | undefined,
  ): void {
    const fault = faultOf(error, correlationId);
    reportFault(dependencies, error, fault, transportOf(request), operation, request);
    if (response.headersSent || response.destroyed) return;
    answerFault(request, response, fault, vary);
  }

  async function serve(request: Request, response: Response, fields: () => readonly FormField[]): Promise<void> {
    const correlationId = correlationIdOf(request, newCorrelationId);
    let form: Form | undefined;
    try {
      form = formOf(forms, String(request.params.operation));
      refuseCrossSite(request, form.operation, dependencies);
      const call = {
        operation: form.operation,
        input: form.readInput(fields()),
        transport: transportOf(request),
        client: callerOf(request),
        network: () => subscriberNetwork(dependencies.originOf(request).address),
        address: dependencies.addressOf(request),
        correlationId,
        idempotencyKey: idempotencyKeyOf(request),
      };
      answerOutcome(request, response, form, await invoke(call), correlationId);
    } catch (error) {
      turnAway(request, response, error, correlationId, form?.operation);
    }
  }

  function enter(request: Request, response: Response): void {
    if (request.method === 'GET') {
      void serve(request, response, () => {
        const encoded = encodingError(request);
        if (encoded !== undefined) throw encoded;
        return readForm(queryOf(request));
      });
      return;
    }
    readBody(request, response, (bodyError?: unknown) => {
      void serve(request, response, () => {
        if (bodyError !== undefined) throw bodyError;
        return readForm(formTextOf(request));
      });
    });
  }

  return (request, response, next) =>
    whenAdmitted(
      () => gate.admit(request),
      () => enter(request, response),
      (error) => turnAway(request, response, error, correlationIdOf(request, newCorrelationId), undefined),
      next,
    );
}

const transportOf = (request: Request): Transport => (request.method === 'GET' ? 'httpGet' : 'httpPost');

function formOf(forms: readonly Form[], name: string): Form {
  const form = forms.find(({ operation }) => operation.name === name);
  if (form !== undefined) return form;
  const spelling = forms.find(({ operation }) => operation.name.toLowerCase() === name.toLowerCase())?.operation.name;
  throw new ServiceError(
    'UnknownOperation',
    spelling === undefined
      ? `There is no operation "${shown(name)}"; expected ${oneOf(forms.map(({ operation }) => operation.name))}.`
      : `There is no operation "${shown(name)}"; expected ${spelling}, because operation names are case-sensitive.`,
  );
}

/** The query as text. Node's HTTP parser has already rejected anything in it that is not ASCII. */
function queryOf({ url }: Request): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

/** The body as text. A POST without a body is an empty form, whatever its type; the query is ignored. */
function formTextOf(request: Request): string {
  const bytes = takeBody(request);
  const header = request.headers['content-type'];
  const { essence, charset } = readMediaType(header);
  if (essence !== FORM && !(header === undefined && bytes.length === 0)) {
    const is = header === undefined ? 'is missing' : `"${shown(essence || header)}" is not supported`;
    throw new ServiceError('UnsupportedMediaType', `The Content-Type ${is}; expected ${FORM}.`);
  }
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    throw new ServiceError('UnsupportedMediaType', `The charset "${shown(charset)}" is not supported; expected utf-8.`);
  }
  if (!isUtf8(bytes)) throw new ServiceError('Malformed', 'The form is not UTF-8.');
  return bytes.toString('utf8');
}

/** One sentence, or RFC 9457 problem details if JSON was requested. */
function answerFault(request: Request, response: Response, fault: Fault, vary: Readonly<Record<string, string>>): void {
  if (wantsJson(request)) {
    const { status } = FAULT_ANSWERS[fault.code];
    const headers = { ...vary, ...faultHeaders(fault) };
    const { code, message, parameter, correlationId } = fault;
    const problem = {
      type: 'about:blank',
      title: STATUS_CODES[status],
      status,
      detail: message,
      code,
      parameter,
      correlationId,
    };
    answer(response, status, 'application/problem+json; charset=utf-8', JSON.stringify(problem), headers);
    return;
  }
  answerTextFault(response, fault, vary);
}
