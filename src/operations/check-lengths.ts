import type { Operation, OperationInput } from '../contract/contract.ts';
import { Refusal } from '../result-codes.ts';

/** Refusal InvalidInput if a string is longer than the contract's documented maximum, counted in code points. */
export function checkLengths(operation: Operation, input: OperationInput): void {
  for (const { name, maxLength } of operation.parameters) {
    if (maxLength === undefined) continue;
    const value = input[name];
    if (typeof value !== 'string' || value.length <= maxLength) continue;
    const length = Array.from(value).length;
    if (length <= maxLength) continue;
    throw new Refusal('InvalidInput', `${name} has ${length} characters; at most ${maxLength} are allowed.`, name);
  }
}
