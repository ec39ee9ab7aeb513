import type { Request, RequestHandler, Response } from 'express';
import type { Contract } from '../../contract/contract.ts';
import { withAddress } from '../../contract/rewrite-wsdl.ts';
import { ServiceError, shown } from '../../errors.ts';
import { answer, HTML, XML } from '../answer.ts';
import { readForm } from '../read-form.ts';
import { discoDocument } from './disco.ts';
import { operationPage } from './operation-page.ts';
import { PAGE_HEADERS } from './page.ts';
import { type PublicAddressSettings, publicAddress } from './public-address.ts';
import { servicePage } from './service-page.ts';

export interface MetadataDependencies extends PublicAddressSettings {
  readonly contract: Contract;
  /** The contract's text in the deployment's namespace. */
  readonly wsdl: string;
}

/** GET on the endpoint: WSDL, discovery document, service page or operation page, as the query says. */
export function createMetadata(dependencies: MetadataDependencies): RequestHandler {
  const { contract, wsdl } = dependencies;
  return (request, response, next) => {
    try {
      const endpoint = publicAddress(request, dependencies) + contract.path;
      const wanted = wantedOf(request);
      if (wanted.document === 'wsdl') answer(response, 200, XML, withAddress(wsdl, endpoint));
      else if (wanted.document === 'disco') answer(response, 200, XML, discoDocument(contract, endpoint));
      else if (wanted.operation === undefined) answerPage(response, servicePage(contract, endpoint));
      else answerPage(response, operationPage(contract, operationOf(contract, wanted.operation), endpoint));
    } catch (error) {
      next(error);
    }
  };
}

const answerPage = (response: Response, html: string) => answer(response, 200, HTML, html, PAGE_HEADERS);

/** What a query asks for; its names are case-insensitive, and `?wsdl` is not the beginning of a longer name. */
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

function operationOf({ operations }: Contract, name: string) {
  const operation = operations.find((known) => known.name.toLowerCase() === name.toLowerCase());
  if (operation === undefined) throw new ServiceError('NotFound', `There is no operation "${shown(name)}".`);
  return operation;
}
