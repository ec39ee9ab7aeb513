import type { Request, Response } from 'express';
import type { Contract, ResultRecord } from '../../contract/contract.ts';
import type { DateOrder } from '../../contract/form-date-time.ts';
import { unknownOperation } from '../../contract/parameter-values.ts';
import { readMediaType } from '../../vocabulary/media-type.ts';
import { Refusal } from '../../vocabulary/result-codes.ts';
import { answer, JSON_TYPE, TEXT, XML } from '../answer.ts';
import type { Serve } from '../exchange.ts';
import { refusalStatus } from '../faults.ts';
import { wantsJson, wrongMediaType } from '../media-type.ts';
import { readBody } from '../read-body.ts';
import { compileRecordWriter } from '../record-writer.ts';
import { CORRELATION_HEADER } from '../request-ids.ts';
import { compileFormReader, type FormField, readForm } from './read-form.ts';

const FORM = 'application/x-www-form-urlencoded';
const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';

export interface FormDependencies {
  readonly contract: Contract;
  readonly formDateOrder: DateOrder;
}

/**
 * The GET and POST forms of the operations: `/TPWebServices.asmx/<Op>`, with parameters as text and the result record as the answer. They
 * differ only in where the fields are. Every result has the given headers.
 */
export function createHttpForms(
  { contract, formDateOrder }: FormDependencies,
  headers: Readonly<Record<string, string>>,
): Serve {
  const forms = new Map(
    contract.operations.map((operation) => {
      const { name, resultType } = operation;
      const readInput = compileFormReader(operation, formDateOrder);
      const writeRecord = compileRecordWriter(resultType, contract.namespace, resultType.name);
      return [name, { operation, readInput, writeRecord }];
    }),
  );

  return async (exchange) => {
    const { request, response, transport, correlationId } = exchange;
    await exchange.admit();
    const name = String(request.params.operation);
    const form = forms.get(name);
    if (form === undefined) throw unknownOperation(name, contract.operations);
    exchange.enter(form.operation);
    const fields =
      transport === 'httpGet' ? readForm(exchange.query) : await readBodyForm(request, response, contract.path);
    const input = form.readInput(fields);
    let status = 200;
    let record: ResultRecord;
    try {
      record = await exchange.call(input);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      status = refusalStatus(error.resultCode);
      ({ record } = error);
    }
    const all = { ...headers, [CORRELATION_HEADER]: correlationId };
    if (status === 200 && exchange.hidesResults) answer(response, status, TEXT, '', all);
    else if (wantsJson(request)) answer(response, status, JSON_TYPE, JSON.stringify(record), all);
    else answer(response, status, XML, XML_DECLARATION + form.writeRecord(record), all);
  };
}

/** A POST without a body is an empty form, whatever its type; the query is ignored. */
async function readBodyForm(request: Request, response: Response, endpoint: string): Promise<readonly FormField[]> {
  const bytes = await readBody(request, response);
  const header = request.headers['content-type'];
  const type = readMediaType(header);
  if (type.essence !== FORM && !(header === undefined && bytes.length === 0)) {
    throw wrongMediaType(type, header, `${FORM} here, or a SOAP message at ${endpoint}`);
  }
  return readForm(bytes.toString('latin1'), type.charset);
}
