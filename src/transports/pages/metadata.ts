import { LRUCache } from 'lru-cache';
import type { Gate } from '../../access/gate.ts';
import type { Contract } from '../../contract/contract.ts';
import { withAddress } from '../../contract/rewrite-wsdl.ts';
import type { ReferenceData } from '../../store/queries/reference-data.ts';
import type { Store } from '../../store/store.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { quoted } from '../../vocabulary/text.ts';
import { escapeAttribute } from '../../xml/xml-characters.ts';
import { answer, HTML, JSON_TYPE, XML } from '../answer.ts';
import type { Serve } from '../exchange.ts';
import { readForm } from '../forms/read-form.ts';
import { type PublicAddressSettings, publicAddress } from '../public-address.ts';
import { type Examples, weeksToNearExamples, withNearExamples } from './near-examples.ts';
import { type Offered, openApiDocument } from './openapi.ts';
import { operationPage } from './operation-page.ts';
import type { Page } from './page.ts';
import { servicePage } from './service-page.ts';

export interface MetadataDependencies extends PublicAddressSettings, Omit<Offered, 'secured'> {
  readonly contract: Contract;
  readonly store: Pick<Store, 'reference'>;
  /** The contract's text under the deployment's settings. */
  readonly wsdl: string;
  readonly gate: Pick<Gate, 'asksWhoCalls'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** IANA name of the time zone that determines today's date. */
  readonly timeZone: string;
}

/** Nearly all callers use the same address. Varying Host headers must not fill the memory. */
const MOST_CACHED = 100;

/** A document as it is sent: all answers share its bytes. */
interface Document extends Omit<Page, 'html'> {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/**
 * GET of the endpoint: WSDL, discovery document, service page or operation page, depending on the query; and GET of the OpenAPI document.
 */
export function createMetadata(dependencies: MetadataDependencies) {
  const { contract, store } = dependencies;
  const documentOf = createDocuments(dependencies);
  const serving =
    (wantedIn: (query: string) => Wanted): Serve =>
    async (exchange) => {
      const address = publicAddress(exchange, dependencies);
      const wanted = wantedIn(exchange.query);
      // Programs may load the contract with every call, and the pages are served even if the database can't be read.
      const readsDoctor = wanted !== 'wsdl' && wanted !== 'disco';
      const doctor = readsDoctor ? await store.reference().then(firstDoctor, () => undefined) : undefined;
      const { contentType, bytes, headers } = documentOf(address, wanted, doctor);
      answer(exchange.response, 200, contentType, bytes, headers);
    };
  return { metadata: serving((query) => wantedOf(query, contract)), openApi: serving(() => 'openapi') };
}

/** What the endpoint describes itself with: a document, or the page of an operation or of the service. */
type Wanted = 'wsdl' | 'disco' | 'openapi' | { readonly operation: string | undefined };

const firstDoctor = ({ firstDoctor: first }: ReferenceData): Examples | undefined =>
  first && { centerid: first.centerId, doctorid: first.id };

/** What a query requests. Its names are case-insensitive, and `?wsdl` is not the beginning of a longer name. */
function wantedOf(query: string, { operations }: Contract): Wanted {
  for (const { name, value } of readForm(query)) {
    const key = name.toLowerCase();
    if (key === 'wsdl' || key === 'singlewsdl') return 'wsdl';
    if (key === 'disco') return 'disco';
    if (key !== 'op') continue;
    const operation = operations.find((known) => known.name.toLowerCase() === value.toLowerCase());
    if (operation === undefined) throw new ServiceError('NotFound', `There is no operation "${quoted(value)}".`);
    return { operation: operation.name };
  }
  return { operation: undefined };
}

/** The documents for an address, each written when it is first requested with its examples, those of a week and a doctor, and then cached. */
export function createDocuments({
  contract,
  wsdl,
  gate,
  clock,
  timeZone,
  ...settings
}: Omit<MetadataDependencies, keyof PublicAddressSettings | 'store'>) {
  const cached = new LRUCache<string, Document>({ max: MOST_CACHED });

  const write = (address: string, wanted: Wanted, weeks: number, doctor: Examples): Document => {
    const endpoint = address + contract.path;
    if (wanted === 'wsdl') return { contentType: XML, bytes: Buffer.from(withAddress(wsdl, endpoint)), headers: {} };
    if (wanted === 'disco')
      return { contentType: XML, bytes: Buffer.from(discoDocument(contract, endpoint)), headers: {} };
    const near = withNearExamples(contract, weeks, doctor);
    const pageSettings = { ...settings, endpoint, secured: gate.asksWhoCalls };
    if (wanted === 'openapi') {
      const text = JSON.stringify(openApiDocument(near, address, pageSettings));
      return { contentType: JSON_TYPE, bytes: Buffer.from(text), headers: {} };
    }
    const operation = near.operations.find(({ name }) => name === wanted.operation);
    const { html, headers } =
      operation === undefined ? servicePage(near, pageSettings) : operationPage(near, operation, pageSettings);
    return { contentType: HTML, bytes: Buffer.from(html), headers };
  };
  return (address: string, wanted: Wanted, doctor: Examples = {}): Document => {
    const weeks = weeksToNearExamples(contract, clock(), timeZone);
    const key = JSON.stringify([address, wanted, weeks, doctor]);
    const document = cached.get(key) ?? write(address, wanted, weeks, doctor);
    cached.set(key, document);
    return document;
  };
}

/**
 * The discovery document, which lists the addresses of the contract and the SOAP ports. Source: DISCO, as ASP.NET's services provide it.
 */
export function discoDocument(contract: Contract, endpoint: string): string {
  const address = escapeAttribute(endpoint);
  const binding = (port: string) =>
    `  <soap address="${address}" xmlns:q1="${escapeAttribute(contract.namespace)}" binding="q1:${port}" xmlns="http://schemas.xmlsoap.org/disco/soap/" />\n`;
  return `<?xml version="1.0" encoding="utf-8"?>
<discovery xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns="http://schemas.xmlsoap.org/disco/">
  <contractRef ref="${address}?wsdl" docRef="${address}" xmlns="http://schemas.xmlsoap.org/disco/scl/" />
${binding(contract.ports.soap11)}${binding(contract.ports.soap12)}</discovery>
`;
}
