import type { Request, RequestHandler } from 'express';
import type { Gate } from '../../access/gate.ts';
import type { Contract } from '../../contract/contract.ts';
import { withAddress, withoutPorts } from '../../contract/rewrite-wsdl.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { shown } from '../../vocabulary/text.ts';
import { answer, HTML, XML } from '../answer.ts';
import { readForm } from '../forms/read-form.ts';
import { type PublicAddressSettings, publicAddress } from '../public-address.ts';
import { cachedByAddress } from './cached-by-address.ts';
import { createPages, type PagesDependencies } from './create-pages.ts';
import { discoDocument } from './disco.ts';

export interface MetadataDependencies extends PublicAddressSettings, Omit<PagesDependencies, 'secured'> {
  /** The contract's text in the deployment's namespace. */
  readonly wsdl: string;
  readonly gate: Pick<Gate, 'asksWhoCalls'>;
}

/** GET of the endpoint: WSDL, discovery document, service page or operation page, depending on the query. */
export function createMetadata(dependencies: MetadataDependencies): RequestHandler {
  const { contract, httpGet, httpPost } = dependencies;
  const { ports } = contract;
  const missing = [...(httpGet ? [] : [ports.httpGet]), ...(httpPost ? [] : [ports.httpPost])];
  const wsdl = missing.length === 0 ? dependencies.wsdl : withoutPorts(dependencies.wsdl, missing);
  const pageOf = createPages({ ...dependencies, secured: dependencies.gate.asksWhoCalls });
  const wsdlAt = cachedByAddress((endpoint) => withAddress(wsdl, endpoint));
  const discoAt = cachedByAddress((endpoint) => discoDocument(contract, endpoint));
  return (request, response, next) => {
    try {
      const endpoint = publicAddress(request, dependencies) + contract.path;
      const wanted = wantedOf(request);
      if (wanted.document === 'wsdl') answer(response, 200, XML, wsdlAt.memo(endpoint));
      else if (wanted.document === 'disco') answer(response, 200, XML, discoAt.memo(endpoint));
      else {
        const name = wanted.operation === undefined ? undefined : operationNameOf(contract, wanted.operation);
        const { html, headers } = pageOf(endpoint, name);
        answer(response, 200, HTML, html, headers);
      }
    } catch (error) {
      next(error);
    }
  };
}

/** What a query requests. Its names are case-insensitive, and `?wsdl` is not the beginning of a longer name. */
function wantedOf(request: Request): { readonly document?: 'wsdl' | 'disco'; readonly operation?: string } {
  const mark = request.url.indexOf('?');
  if (mark === -1) return {};
  for (const { name, value } of readForm(request.url.slice(mark + 1))) {
    const key = name.toLowerCase();
    if (key === 'wsdl' || key === 'singlewsdl') return { document: 'wsdl' };
    if (key === 'disco') return { document: 'disco' };
    if (key === 'op') return { operation: value };
  }
  return {};
}

function operationNameOf({ operations }: Contract, name: string): string {
  const operation = operations.find((known) => known.name.toLowerCase() === name.toLowerCase());
  if (operation === undefined) throw new ServiceError('NotFound', `There is no operation "${shown(name)}".`);
  return operation.name;
}
