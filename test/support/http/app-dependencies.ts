import { createOriginOf } from '../../../src/access/request-origin.ts';
import type { AppDependencies } from '../../../src/http/app.ts';
import { createLog } from '../../../src/log/log.ts';
import { ownContract, ownWsdl } from '../../contract/own-wsdl.ts';

/** What `createApp` needs, for the service's own contract, with nobody kept out and nothing written down but what a test gives. */
export const appDependencies = (
  given: Pick<AppDependencies, 'invoke' | 'clock'> & Partial<AppDependencies>,
): AppDependencies => ({
  contract: ownContract,
  wsdl: ownWsdl,
  refusals: 'fault',
  publicUrl: undefined,
  allowedHosts: ['127.0.0.1'],
  originOf: createOriginOf([], 'x-forwarded'),
  corsOrigins: [],
  hstsSeconds: 0,
  largestBody: 65_536,
  protectMetadata: false,
  httpGet: true,
  httpPost: true,
  servicePage: true,
  testForm: true,
  timeZone: 'Asia/Kolkata',
  log: createLog('silent'),
  newCorrelationId: () => 'id-1',
  access: undefined,
  admission: undefined,
  checkUsernameToken: undefined,
  operatingPages: new Map(),
  smsStatus: undefined,
  countFault: () => {},
  mayLog: () => true,
  auditRefusal: async () => {},
  ...given,
});
