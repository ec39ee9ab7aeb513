import type { Contract, Operation, Transport } from '../../contract/contract.ts';
import type { RefusalStyle } from '../faults.ts';
import { callForm } from './call-form.ts';
import { codeBlock } from './code-block.ts';
import { parameterTable, resultTables } from './contract-tables.ts';
import { type Html, html } from './html.ts';
import { type Page, page } from './page.ts';
import { ERRORS_ID, RESULT_CODES_ID, resultCodeTable } from './result-code-table.ts';
import { sampleExchanges } from './sample-exchanges.ts';
import { type SampleProblem, sampleFault, sampleRefusal } from './sample-problems.ts';
import { samplePrograms } from './sample-programs.ts';

/** What a page depends on besides the contract. */
export interface PageSettings {
  /** Address of the service, as its callers reach it. */
  readonly endpoint: string;
  readonly refusals: RefusalStyle;
  /** Whether callers must identify themselves. */
  readonly secured: boolean;
  /** Whether the operations have a GET form. */
  readonly httpGet: boolean;
  /** The same for the POST form, which the form on the pages needs. */
  readonly httpPost: boolean;
}

/** The page of one operation: its parameters and a form that calls it, its answer, programs, and one sample per transport. */
export function operationPage(contract: Contract, operation: Operation, settings: PageSettings): Page {
  const { endpoint, refusals, secured, httpGet, httpPost } = settings;
  const isOffered = ({ transport }: { readonly transport: Transport }) =>
    (transport !== 'httpGet' || httpGet) && (transport !== 'httpPost' || httpPost);
  const { name, documentation, safe } = operation;
  const { pathname } = new URL(endpoint);
  const first = httpPost ? 'Try it' : 'Parameters';
  return page({
    title: `${name} - ${contract.serviceName}`,
    header: html`<a href="${pathname}">${contract.serviceName}</a> <a href="?wsdl">WSDL</a>`,
    body: html`<h1>${name}</h1>
<p class="lead">${documentation}</p>
<p><span class="badge">${safe ? 'reads only' : 'changes data'}</span></p>
<nav aria-label="On this page"><ul class="contents">
<li><a${httpPost ? html` class="first"` : undefined} href="#parameters">${first}</a></li>
<li><a href="#result">Answer</a></li>
<li><a href="#${RESULT_CODES_ID}">ResultCodes</a></li>
<li><a href="#programs">Programs</a></li>
<li><a href="#messages">Messages</a></li>
</ul></nav>
<h2 id="parameters">${first}</h2>
${
  httpPost
    ? callForm(operation, pathname, secured)
    : html`${parameterTable(operation)}
<p class="quiet">The form that calls the operation is turned off on this server.</p>`
}
<h2 id="result">Answer</h2>
<p>${operation.resultType.documentation} Fields that do not apply are left out.</p>
${resultTables(operation)}
<h2 id="${RESULT_CODES_ID}">ResultCodes</h2>
<p>The codes that ${name} can return: 0 and 1 mean success; 10 and above mean that the call was refused and nothing was changed. The service page lists
<a href="${pathname}#${RESULT_CODES_ID}">the ResultCodes of all operations</a> and <a href="${pathname}#${ERRORS_ID}">the errors that can stop any call</a>.</p>
${resultCodeTable(operation.resultCodes, refusals)}
<h2 id="programs">Programs</h2>
<p>Each program calls ${name} with example values.${secured ? html` Only known clients may call: add the header <code>X-API-Key</code>, or a user name and a password.` : undefined}</p>
${samplePrograms(contract, operation, endpoint)
  .filter(isOffered)
  .map(({ title, note, text }, i) =>
    disclosure(
      title,
      i === 0,
      html`<p class="quiet">${note}</p>
${codeBlock(title, text)}`,
    ),
  )}
<h2 id="messages">Messages</h2>
<p>One sample per transport. The XML is broken into lines for readability; the lengths include the line breaks.</p>
${sampleExchanges(contract, operation, endpoint)
  .filter(isOffered)
  .map(({ title, request, response }, i) =>
    disclosure(
      title,
      i === 0,
      html`<p>Request</p>
${codeBlock(`${title} request`, request)}
<p>Answer</p>
${codeBlock(`${title} answer`, response)}`,
    ),
  )}
${problem('A refusal by the hospital’s rules', sampleRefusal(contract, operation, refusals))}
${problem('A fault', sampleFault(contract, operation))}`,
    scripts: httpPost ? ['copy', 'call'] : ['copy'],
  });
}

const disclosure = (title: string, open: boolean, content: Html): Html =>
  html`<details${open ? html` open` : undefined}><summary><h3>${title}</h3></summary><div>
${content}
</div></details>`;

function problem(title: string, sample: SampleProblem | undefined): Html | undefined {
  if (sample === undefined) return undefined;
  const { parameter, value, answers } = sample;
  const sent = value.length > LONGEST_SHOWN ? `${value.length} characters long` : value === '' ? 'empty' : value;
  return disclosure(
    title,
    false,
    html`<p>The answer if <code>${parameter}</code> is ${value === sent ? html`<code>${sent}</code>` : sent}:</p>
${answers.map(
  (answer) => html`<p>${answer.title}</p>
${codeBlock(`${title}, ${answer.title}`, answer.message)}`,
)}`,
  );
}

const LONGEST_SHOWN = 40;
