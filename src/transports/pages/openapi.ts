import type { RequestHandler } from 'express';
import type { Gate } from '../../access/gate.ts';
import type { Contract } from '../../contract/contract.ts';
import { answer, JSON_TYPE } from '../answer.ts';
import type { RefusalStyle } from '../faults.ts';
import { type PublicAddressSettings, publicAddress } from '../public-address.ts';
import { cachedByAddress } from './cached-by-address.ts';
import { openApiDocument } from './openapi-document.ts';

export interface OpenApiDependencies extends PublicAddressSettings {
  readonly contract: Contract;
  readonly refusals: RefusalStyle;
  /** Which of the forms are enabled. */
  readonly httpGet: boolean;
  readonly httpPost: boolean;
  readonly gate: Pick<Gate, 'asksWhoCalls'>;
}

/** Where the document is, relative to the service's path. */
export const OPENAPI_PATH = '/openapi.json';

/** GET of the OpenAPI document, which contains the address at which the caller reaches the service. */
export function createOpenApi(dependencies: OpenApiDependencies): RequestHandler {
  const { contract, refusals, httpGet, httpPost } = dependencies;
  const { openapi, info, ...rest } = openApiDocument(contract, refusals, {
    httpGet,
    httpPost,
    secured: dependencies.gate.asksWhoCalls,
  });
  const documentAt = cachedByAddress((url) => JSON.stringify({ openapi, info, servers: [{ url }], ...rest }));
  return (request, response, next) => {
    try {
      answer(response, 200, JSON_TYPE, documentAt.memo(publicAddress(request, dependencies)));
    } catch (error) {
      next(error);
    }
  };
}
