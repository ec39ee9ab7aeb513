import type { Request } from 'express';
import { callerOf } from '../access/client.ts';
import type { Gate } from '../access/gate.ts';
import type { Call, Invoke, Outcome } from '../calls/call.ts';
import type { Contract } from '../contract/contract.ts';
import type { DateOrder } from '../contract/form-date-time.ts';
import type { RefusalStyle } from './faults.ts';
import type { CrossSiteSettings } from './refuse-cross-site.ts';
import type { FaultReport } from './report-fault.ts';
import { idempotencyKeyOf, type NewCorrelationId } from './request-ids.ts';

/** What the endpoints of all transports need. */
export interface EndpointDependencies extends CrossSiteSettings, FaultReport {
  readonly contract: Contract;
  readonly invoke: Invoke;
  readonly refusals: RefusalStyle;
  readonly formDateOrder: DateOrder;
  readonly newCorrelationId: NewCorrelationId;
  readonly gate: Gate;
}

/** The call that a request makes, once its operation and input have been read. Throws ServiceError for a wrong Idempotency-Key. */
export const callOf = (
  request: Request,
  read: Pick<Call, 'operation' | 'input' | 'transport' | 'correlationId'>,
  { addressOf, originOf }: Pick<EndpointDependencies, 'addressOf' | 'originOf'>,
): Call => ({
  ...read,
  client: callerOf(request),
  network: originOf(request).network,
  address: addressOf(request),
  idempotencyKey: idempotencyKeyOf(request),
});

/** Whether an outcome is a refusal that its caller gets as a fault, not as a result. */
export const isFaultFor = (request: Request, { refused }: Outcome, refusals: RefusalStyle): boolean =>
  refused && (callerOf(request).refusals ?? refusals) === 'fault';
