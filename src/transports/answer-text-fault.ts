import type { Response } from 'express';
import { answer, TEXT } from './answer.ts';
import { faultHeaders } from './fault-headers.ts';
import { FAULT_ANSWERS, type Fault } from './faults.ts';

/** A fault as one sentence of plain text. If it is the service's own fault, it ends with the id that the operator needs. */
export function answerTextFault(
  response: Response,
  fault: Fault,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { status } = FAULT_ANSWERS[fault.code];
  const ours = status >= 500 ? ` Correlation id: ${fault.correlationId}.` : '';
  answer(response, status, TEXT, fault.message + ours, { ...headers, ...faultHeaders(fault) });
}
