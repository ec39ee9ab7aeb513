import type { Contract, Operation } from '../../contract/contract.ts';
import { ERROR_CODES, type ErrorCode } from '../../vocabulary/errors.ts';
import { isRefusal, ResultCode } from '../../vocabulary/result-codes.ts';
import { TRANSPORT_TITLES } from '../../vocabulary/transport.ts';
import { FAULT_ANSWERS, type RefusalStyle, refusalStatus } from '../faults.ts';
import { SOAP_11, SOAP_12 } from '../soap/soap-versions.ts';
import { codeBlock } from './code-block.ts';
import { table } from './contract-tables.ts';
import { type Html, html } from './html.ts';
import { OPENAPI_PATH } from './openapi.ts';
import type { PageSettings } from './operation-page.ts';
import { type Page, page } from './page.ts';

/** The page at the endpoint itself: what the service does, how to reach it and how to import its contract. */
export function servicePage(contract: Contract, settings: PageSettings): Page {
  const { endpoint, refusals } = settings;
  const { pathname } = new URL(endpoint);
  const openApiPath = pathname.slice(0, -contract.path.length) + OPENAPI_PATH;
  return page({
    title: contract.serviceName,
    body: html`<h1>${contract.serviceName}</h1>
<p class="lead">${contract.documentation}</p>
${codeBlock('the address of the service', endpoint)}
<h2>Operations</h2>
<p>Each has a page with its parameters, its answer, programs that call it and sample messages.</p>
<ul class="operations">
${contract.operations.map(operationCard)}
</ul>
<h2>Client programs</h2>
<p>The contract: <a href="?wsdl">WSDL</a>, <a href="?disco">discovery document</a>, for
the forms alone <a href="${openApiPath}">OpenAPI</a>. A proxy is made from it by the tools of the platform:</p>
${codeBlock('the commands that import the contract', importCommands(endpoint))}
<h2>Transports</h2>
<p>The same operations, parameters and answers on each.</p>
${table('Transports', ['Transport', 'Request'], transportRows(pathname, settings))}
<h2>ResultCodes</h2>
<p>${resultCodeDocumentation(contract)}</p>
${table('ResultCodes', ['Code', 'Name', 'HTTP GET and POST', 'SOAP'], resultCodeRows(refusals))}
<h2>Errors</h2>
<p>What stops a call beside the hospital’s rules.</p>
${table('Errors', ['Code', 'Meaning', SOAP_11.title, SOAP_12.title, 'HTTP GET and POST'], errorRows())}`,
    scripts: ['copy'],
  });
}

const operationCard = ({ name, documentation, safe, parameters }: Operation): Html =>
  html`<li><span><a href="?op=${name}">${name}</a></span>
<p>${documentation}</p>
<p class="kind">${parameters.map((parameter) => parameter.name).join(', ')}</p>
<span><span class="badge">${safe ? 'reads only' : 'changes data'}</span></span></li>`;

const importCommands = (endpoint: string): string =>
  [
    ['.NET', `dotnet-svcutil ${endpoint}?wsdl`],
    ['.NET Framework', `wsdl.exe ${endpoint}?wsdl`],
    ['Java', `wsimport -keep ${endpoint}?wsdl`],
    ['Python', `python -m zeep ${endpoint}?wsdl`],
  ]
    .map(([platform, command]) => `# ${platform}\n${command}`)
    .join('\n\n');

const transportRows = (address: string, { httpGet, httpPost }: PageSettings): readonly Html[] =>
  [
    [SOAP_11.title, `POST ${address}`, SOAP_11.contentType],
    [SOAP_12.title, `POST ${address}`, SOAP_12.contentType],
    ...(httpGet ? ([[TRANSPORT_TITLES.httpGet, `GET ${address}/Operation?parameter=value`, '']] as const) : []),
    ...(httpPost
      ? ([[TRANSPORT_TITLES.httpPost, `POST ${address}/Operation`, 'application/x-www-form-urlencoded']] as const)
      : []),
  ].map(
    ([title, request, type]) =>
      html`<tr><th scope="row">${title}</th><td><code>${request}</code>${type === '' ? undefined : html`<br><code>Content-Type: ${type}</code>`}</td></tr>`,
  );

/** What the contract says of the first field of every answer. */
const resultCodeDocumentation = ({ operations }: Contract): string | undefined =>
  operations[0]?.resultType.fields.find(({ name }) => name === 'ResultCode')?.documentation;

function resultCodeRows(refusals: RefusalStyle): readonly Html[] {
  return Object.entries(ResultCode).map(([name, code]) => {
    const asFault = isRefusal(code) && refusals === 'fault';
    return html`<tr><th scope="row">${code}</th><td>${name}</td><td>${asFault ? refusalStatus(code) : 200}</td><td>${asFault ? 'fault' : 'result'}</td></tr>`;
  });
}

const errorRows = (): readonly Html[] =>
  Object.entries(ERROR_CODES).map(([code, sentence]) => {
    const { soap11, soap12, status } = FAULT_ANSWERS[code as ErrorCode];
    return html`<tr><th scope="row">${code}</th><td>${sentence}</td><td>${soap11.status} ${soap11.faultCode}</td><td>${soap12.status} ${soap12.faultCode}</td><td>${status}</td></tr>`;
  });
