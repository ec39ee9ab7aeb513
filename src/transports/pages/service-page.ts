import { type Contract, type Operation, TRANSPORT_TITLES } from '../../contract/contract.ts';
import { ERROR_CODES, type ErrorCode } from '../../vocabulary/errors.ts';
import { ResultCode, type ResultCodeName } from '../../vocabulary/result-codes.ts';
import { FAULT_ANSWERS } from '../faults.ts';
import { SOAP_11, SOAP_12 } from '../soap/soap-versions.ts';
import { type Html, type HtmlValue, html, table } from './html.ts';
import { OPENAPI_PATH } from './openapi.ts';
import {
  ERRORS_ID,
  effectBadge,
  type Page,
  type PageSettings,
  page,
  RESULT_CODES_ID,
  resultCodeTable,
} from './page.ts';

/** The page at the endpoint itself: what the service does, how to reach it and how to import its contract. */
export function servicePage(contract: Contract, settings: PageSettings): Page {
  const { endpoint, refusals } = settings;
  const { pathname } = new URL(endpoint);
  const openApiPath = pathname.slice(0, -contract.path.length) + OPENAPI_PATH;
  return page({
    title: contract.serviceName,
    home: pathname,
    body: html`<h1>${contract.serviceName}</h1>
<p class="lead">${contract.documentation}</p>
<pre>${endpoint}</pre>
<h2>Operations</h2>
<p>Each has a page with a form that calls it, its answer and sample messages.</p>
<ul class="operations">
${contract.operations.map(operationCard)}
</ul>
<h2>Client programs</h2>
<p>The contract: <a href="?wsdl">WSDL</a>, <a href="?disco">discovery document</a>, and
<a href="${openApiPath}">OpenAPI</a> for the GET and POST forms. These tools generate a proxy from the WSDL:</p>
<pre># .NET
dotnet-svcutil "${endpoint}?wsdl"

# .NET Framework
wsdl.exe "${endpoint}?wsdl"

# Java; without -extension, it generates a proxy for SOAP 1.1 only
wsimport -keep -extension "${endpoint}?wsdl"</pre>
<h2>Transports</h2>
<p>Every transport offers the same operations, parameters and answers.</p>
${table(['Transport', 'Request'], transportRows(pathname, settings))}
<h2 id="${RESULT_CODES_ID}">ResultCodes</h2>
<p>Outcomes of a call: 0 and 1 mean success; 10 and above mean that the call was refused and nothing was changed. The page of an operation lists the codes that it can return.</p>
${folded('All ResultCodes', resultCodeTable(Object.keys(ResultCode) as ResultCodeName[], refusals))}
<h2 id="${ERRORS_ID}">Errors</h2>
<p>These errors can stop a call; they are not refusals by the hospital’s rules.</p>
${folded('All errors', table(['Code', 'Meaning', SOAP_11.title, SOAP_12.title, 'GET, POST'], errorRows()))}`,
    hasForm: false,
  });
}

/** A page that says one thing, with a link to the service page, whose path is `home`. */
export const messagePage = (title: string, sentence: string, home: string): Page =>
  page({
    title,
    home,
    body: html`<h1>${title}</h1>
<p class="lead">${sentence}</p>
<p><a href="${home}">All operations of the service</a></p>`,
    hasForm: false,
  });

const folded = (summary: string, content: Html): Html =>
  html`<details><summary>${summary}</summary>${content}</details>`;

const operationCard = (operation: Operation): Html =>
  html`<li><a href="?op=${operation.name}">${operation.name}</a>
<p>${operation.documentation}</p>
<p class="kind">${operation.parameters.map(({ name }) => name).join(', ')}</p>
${effectBadge(operation)}</li>`;

const transportRows = (address: string, { transports }: PageSettings): readonly (readonly HtmlValue[])[] =>
  (
    [
      ['soap11', `POST ${address}`, SOAP_11.contentType],
      ['soap12', `POST ${address}`, SOAP_12.contentType],
      ['httpGet', `GET ${address}/Operation?parameter=value`, ''],
      ['httpPost', `POST ${address}/Operation`, 'application/x-www-form-urlencoded'],
    ] as const
  )
    .filter(([transport]) => transports.includes(transport))
    .map(([transport, request, type]) => [
      TRANSPORT_TITLES[transport],
      html`<code>${request}</code>${type === '' ? undefined : html`<br><code>Content-Type: ${type}</code>`}`,
    ]);

const errorRows = (): readonly (readonly HtmlValue[])[] =>
  Object.entries(ERROR_CODES).map(([code, sentence]) => {
    const { soap11, soap12, soapStatus, status } = FAULT_ANSWERS[code as ErrorCode];
    return [code, sentence, `${soapStatus} ${soap11}`, `${soapStatus} ${soap12}`, status];
  });
