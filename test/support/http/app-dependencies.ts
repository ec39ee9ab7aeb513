import { createGate } from '../../../src/access/gate.ts';
import { limitRates } from '../../../src/access/rate-limits.ts';
import { createOriginOf } from '../../../src/access/request-origin.ts';
import { TRANSPORTS } from '../../../src/contract/contract.ts';
import { withoutNotes } from '../../../src/contract/rewrite-wsdl.ts';
import type { AppDependencies } from '../../../src/http/app.ts';
import { createLog } from '../../../src/log/log.ts';
import { ownContract, ownWsdl } from '../../wire/contract/own-wsdl.ts';

const originOf = createOriginOf([]);

/** The dependencies of `createApp`, for the service's own contract; everybody is admitted, and nothing is recorded unless a test says so. */
export const appDependencies = (
  given: Pick<AppDependencies, 'invoke' | 'clock'> & Partial<AppDependencies>,
): AppDependencies => ({
  contract: ownContract,
  store: { reference: () => Promise.reject(new Error('There is no database.')) },
  wsdl: withoutNotes(ownWsdl),
  refusals: 'fault',
  results: 'record',
  formDateOrder: undefined,
  publicUrl: undefined,
  allowedHosts: ['127.0.0.1'],
  originOf,
  corsOrigins: [],
  protectMetadata: false,
  transports: TRANSPORTS,
  timeZone: 'Asia/Kolkata',
  log: createLog('silent'),
  newCorrelationId: () => 'id-1',
  gate: createGate(
    limitRates({ perMinute: 0, limitsThisMachine: false }, () => 0),
    undefined,
  ),
  operatingPages: new Map(),
  smsStatus: undefined,
  counters: [],
  stopwatch: () => 0,
  mayLog: () => true,
  auditRefusal: async () => {},
  ...given,
});
