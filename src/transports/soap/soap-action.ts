import type { Operation } from '../../contract/contract.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { shown } from '../../vocabulary/text.ts';

/** Refuses an action that names an operation other than the body's. */
export type CheckAction = (action: string | undefined, operation: Operation) => void;

/**
 * The action only repeats what the body says, so an absent or empty one is accepted. If it differs, an intermediary, such as a filter that
 * decides by the header, was shown a request other than ours.
 */
export function createActionCheck(operations: readonly Operation[], namespace: string): CheckAction {
  const byAction = new Map<string, Operation>();
  for (const operation of operations) {
    byAction.set(operation.soapAction, operation);
    // The interface document writes it as {namespace}/<Op>, whether or not the namespace ends in a slash.
    byAction.set(`${namespace}/${operation.name}`, operation);
  }
  return (action, operation) => {
    if (action === undefined || action === '' || action === operation.soapAction) return;
    const named = byAction.get(action);
    if (named === operation) return;
    throw new ServiceError(
      'ActionMismatch',
      named === undefined
        ? `The SOAP action "${shown(action)}" is unknown; expected "${operation.soapAction}".`
        : `The SOAP action names ${named.name}, but the body contains ${operation.name}.`,
    );
  };
}

/** The SOAPAction header's URI without its quotes: SOAP 1.1, 6.1.1. Old clients omit the quotes. */
export function actionOfHeader(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
