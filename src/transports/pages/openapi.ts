import type { RequestHandler } from 'express';
import type { Access } from '../../access/access.ts';
import type { Contract } from '../../contract/contract.ts';
import { answer, JSON_TYPE } from '../answer.ts';
import type { RefusalStyle } from '../faults.ts';
import { keepLast } from '../keep-last.ts';
import { type PublicAddressSettings, publicAddress } from '../public-address.ts';
import { openApiDocument } from './openapi-document.ts';

export interface OpenApiDependencies extends PublicAddressSettings {
  readonly contract: Contract;
  readonly refusals: RefusalStyle;
  /** Which of the forms there are. */
  readonly httpGet: boolean;
  readonly httpPost: boolean;
  /** Undefined: anybody may call. */
  readonly access: Access | undefined;
}

/** Where the document is, beside the service's path. */
export const OPENAPI_PATH = '/openapi.json';

/** GET of the OpenAPI document, with the address that the caller reaches the service by. */
export function createOpenApi(dependencies: OpenApiDependencies): RequestHandler {
  const { contract, refusals, httpGet, httpPost } = dependencies;
  const { openapi, info, ...rest } = openApiDocument(contract, refusals, {
    httpGet,
    httpPost,
    secured: dependencies.access !== undefined,
  });
  const documentAt = keepLast((url) => JSON.stringify({ openapi, info, servers: [{ url }], ...rest }));
  return (request, response, next) => {
    try {
      answer(response, 200, JSON_TYPE, documentAt(publicAddress(request, dependencies)));
    } catch (error) {
      next(error);
    }
  };
}
