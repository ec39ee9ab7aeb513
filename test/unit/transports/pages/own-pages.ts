import { type Contract, TRANSPORTS } from '../../../../src/contract/contract.ts';
import { operationPage } from '../../../../src/transports/pages/operation-page.ts';
import type { Page, PageSettings } from '../../../../src/transports/pages/page.ts';
import { servicePage } from '../../../../src/transports/pages/service-page.ts';
import { ownContract } from '../../../wire/contract/own-wsdl.ts';

export const ENDPOINT = 'http://localhost:8080/TPWebServices.asmx';
export const MARKUP = '"\'><script>alert(1)</script>&';

export const pageSettings: PageSettings = {
  endpoint: ENDPOINT,
  refusals: 'fault',
  results: 'record',
  secured: false,
  transports: TRANSPORTS,
};

/** Without the POST form, and so without the form on the pages. */
export const withoutForm: PageSettings = { ...pageSettings, transports: ['soap11', 'soap12', 'httpGet'] };

/** Every page of a contract by its name, beginning with the service page. */
export const pagesOf = (contract: Contract, settings: PageSettings): readonly (readonly [string, Page])[] => [
  ['service page', servicePage(contract, settings)],
  ...contract.operations.map((operation) => [operation.name, operationPage(contract, operation, settings)] as const),
];

/** Every page of the project's own contract. */
export const ownPages = (settings: PageSettings = pageSettings) => pagesOf(ownContract, settings);

/** The contract with markup wherever a name or text of it can reach a page and XML does not forbid it. */
export const markedUp = (): Contract => ({
  ...ownContract,
  documentation: `Svc${MARKUP}`,
  serviceName: `S${MARKUP}`,
  operations: ownContract.operations.map((operation) => ({
    ...operation,
    name: `${operation.name}${MARKUP}`,
    documentation: `Doc${MARKUP}`,
    parameters: operation.parameters.map((parameter) => ({
      ...parameter,
      name: `${parameter.name}${MARKUP}`,
      documentation: `Par${MARKUP}`,
      example: parameter.type === 'string' ? MARKUP : parameter.example,
    })),
    resultType: { ...operation.resultType, documentation: `Res${MARKUP}` },
  })),
});
