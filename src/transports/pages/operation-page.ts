import {
  type Contract,
  type Field,
  namedNumbers,
  type Operation,
  type Parameter,
  type RecordType,
  TRANSPORT_TITLES,
} from '../../contract/contract.ts';
import { INT_MAX, INT_MIN } from '../../contract/parameter-values.ts';
import { FORMULA_START } from '../../reference/write-csv.ts';
import { type Html, html, table } from './html.ts';
import {
  ERRORS_ID,
  effectBadge,
  type Page,
  type PageSettings,
  page,
  RESULT_CODES_ID,
  resultCodeTable,
} from './page.ts';
import { sampleExchanges } from './samples.ts';

/** The page of one operation: its parameters and a form that calls it, its answer, and one sample per transport. */
export function operationPage(contract: Contract, operation: Operation, settings: PageSettings): Page {
  const { endpoint, refusals, results, secured, transports } = settings;
  const { name, documentation } = operation;
  const { pathname } = new URL(endpoint);
  const hasForm = transports.includes('httpPost');
  const first = hasForm ? 'Try it' : 'Parameters';
  return page({
    title: `${name} - ${contract.serviceName}`,
    home: pathname,
    header: html`<a href="${pathname}">${contract.serviceName}</a> <a href="?wsdl">WSDL</a>
<details id="operations"><summary>Operations</summary><ul>
${contract.operations.map((other) => operationLink(other, operation))}
</ul></details>`,
    body: html`<h1>${name}</h1>
<p class="lead">${documentation}</p>
<p>${effectBadge(operation)}</p>
<nav aria-label="On this page"><ul class="contents">
<li><a${hasForm ? html` class="first"` : undefined} href="#parameters">${first}</a></li>
<li><a href="#result">Fields of the answer</a></li>
<li><a href="#${RESULT_CODES_ID}">ResultCodes</a></li>
<li><a href="#messages">Messages</a></li>
</ul></nav>
<h2 id="parameters">${first}</h2>
${hasForm ? callForm(contract, operation, pathname, secured) : parameterTable(operation)}
<h2 id="result">Fields of the answer</h2>
<p>${operation.resultType.documentation} Fields that do not apply are left out.${results === 'none' ? ' This server sends none of it, unless a client’s entry says so: a success is an empty answer.' : undefined}</p>
${resultTables(operation)}
<h2 id="${RESULT_CODES_ID}">ResultCodes</h2>
<p>The codes that ${name} can return: 0 and 1 mean success; 10 and above mean that the call was refused and nothing was changed. The service page lists
<a href="${pathname}#${RESULT_CODES_ID}">the ResultCodes of all operations</a> and <a href="${pathname}#${ERRORS_ID}">the errors that can stop any call</a>.</p>
${resultCodeTable(operation.resultCodes, refusals)}
<h2 id="messages">Messages</h2>
<p>One sample per transport. The XML is broken into lines for readability; the lengths include the line breaks.</p>
${sampleExchanges(contract, operation, settings)
  .filter(({ transport }) => transports.includes(transport))
  .map(
    ({ transport, request, response }, i) =>
      html`<details${i === 0 ? html` open` : undefined}><summary><h3>${TRANSPORT_TITLES[transport]}</h3></summary><div>
<p>Request</p>
<pre>${request}</pre>
<p>Answer</p>
<pre>${response}</pre>
</div></details>`,
  )}`,
    hasForm,
  });
}

/** A link to an operation's page. The script adds those of its numbers which an answer contains. */
const operationLink = ({ name, parameters }: Operation, shown: Operation): Html => {
  const ints = parameters.filter(({ type }) => type === 'int').map((parameter) => parameter.name);
  const current = name === shown.name ? html` aria-current="page"` : undefined;
  return html`<li><a href="?op=${name}" data-ints="${ints.join(' ')}"${current}>${name}</a></li>`;
};

// --- Parameters

const parameterTable = ({ parameters }: Operation): Html => html`${table(
  ['Name', 'Meaning'],
  parameters.map((parameter) => [
    html`${parameter.name}<span class="kind">${parameter.type} ${requiredMark(parameter)}</span>`,
    parameter.documentation,
  ]),
)}
<p class="quiet">The form that calls the operation is turned off on this server.</p>`;

/**
 * A form that calls the operation, filled in with its examples, and the place for the answer. Its button stays visible as long as the form
 * does.
 */
const callForm = (contract: Contract, operation: Operation, pathname: string, secured: boolean): Html => html`<p>${
  operation.parameters.length === 0
    ? 'The operation has no parameters.'
    : html`The values are examples. Parameters marked ${REQUIRED} must have a value; others may be empty unless their description says otherwise.`
}${
  operation.safe
    ? undefined
    : html`
<strong>Calls from this page are real, and their changes are permanent.</strong>`
}</p>
<form id="call" method="post" action="${pathname}/${operation.name}" data-about="${JSON.stringify(aboutCall(contract, operation))}">
${secured ? API_KEY : undefined}
<div class="fields">
${operation.parameters.map(parameterField)}
</div>
<div class="actions"><button class="call">Call ${operation.name}</button></div>
</form>
<div id="response">
<p id="outcome" class="outcome" role="status"></p>
<div id="answer"></div>
</div>`;

/** What the script needs to know of the operation, besides its fields. */
const aboutCall = ({ namespace, operations }: Contract, { name, safe, soapAction }: Operation) => ({
  name,
  safe,
  namespace,
  soapAction,
  /** By a field's name in lower case, the half of a dateTime that counts. */
  halves: Object.fromEntries(
    operations.flatMap(({ parameters }) =>
      parameters.flatMap((p) => (p.half === undefined ? [] : [[p.name.toLowerCase(), p.half]])),
    ),
  ),
  formulaStart: FORMULA_START.source,
});

/**
 * The key is sent in a header, which only a script can do, so without a script the field stays hidden. The field has no name, so no form
 * submits it.
 */
const API_KEY = html`<div class="note">
<p>Only known clients may call. The browser asks for a user name and a password when they are needed.</p>
<div class="field" id="key-field" hidden>
<label for="api-key">API key</label>
<input type="password" id="api-key" aria-describedby="api-key.hint" autocomplete="off" spellcheck="false">
<p class="hint" id="api-key.hint">Sent as X-API-Key with calls from this page, and not stored. Leave it empty to log in with a password.</p>
</div>
</div>`;

const REQUIRED = html`<span class="required">required</span>`;

const requiredMark = (parameter: Parameter): Html | undefined => (parameter.mustHaveValue ? REQUIRED : undefined);

/** A labeled input, filled in with the example. Its description gives type and meaning. */
const parameterField = (parameter: Parameter): Html => html`<div class="field">
<label for="${parameter.name}">${parameter.name}</label><span class="kind" id="${parameter.name}.kind">${parameter.type}</span> ${requiredMark(parameter)}
${inputOf(parameter)}
<p class="hint" id="${parameter.name}.hint">${hintOf(parameter)}</p>
</div>`;

/** Strings that may be longer than this get a field of several lines. */
const ONE_LINE = 255;

function inputOf(parameter: Parameter): Html {
  const { name, documentation, mustHaveValue, leftEmpty, maxLength = 0 } = parameter;
  const example = leftEmpty ? '' : parameter.example;
  const common = html`id="${name}" name="${name}" aria-describedby="${name}.kind ${name}.hint" autocomplete="off"${mustHaveValue ? html` required` : undefined}`;
  const numbers = namedNumbers(documentation);
  switch (parameter.type) {
    case 'int':
      return numbers.length === 0
        ? html`<input type="number" min="${INT_MIN}" max="${INT_MAX}" step="1" ${common} value="${example}">`
        : html`<select ${common}>${[...(mustHaveValue ? [] : [['', ''] as const]), ...numbers].map(([number, word]) => optionOf(number, word, example))}</select>`;
    case 'dateTime':
      return html`<input ${dateTimeInput(parameter)} ${common}>`;
    case 'string':
      return maxLength > ONE_LINE
        ? html`<textarea rows="4" dir="auto" ${common}>${example}</textarea>`
        : html`<input type="text" dir="auto" ${common} value="${example}">`;
  }
}

const optionOf = (number: number | '', word: string, example: string): Html =>
  html`<option value="${number}"${String(number) === example ? html` selected` : undefined}>${`${number} ${word}`.trim()}</option>`;

/** A control for the part of a dateTime that counts; the forms accept either part on its own. */
function dateTimeInput({ example, half }: Parameter): Html {
  const [day = '', clock = ''] = example.split('T');
  if (half === 'date') return html`type="date" value="${day}"`;
  return half === 'time'
    ? html`type="time" value="${clock.slice(0, 5)}"`
    : html`type="datetime-local" value="${example.slice(0, 16)}"`;
}

/** What a control for a date or a time leaves to say. */
const hintOf = ({ half, documentation }: Parameter): string =>
  documentation.replace(
    half === undefined ? '' : / Only the .*/,
    half === 'time' ? ' As clocks at the center show it.' : '',
  );

// --- The answer

/** The fields of an operation's answer, and of the records in it. */
const resultTables = ({ resultType }: Operation): Html =>
  html`${withMembers(resultType).map(
    (record, i) =>
      html`${i === 0 ? undefined : html`<h3>${record.name}</h3>`}
${table(['Field', 'Meaning'], record.fields.map(fieldCells))}`,
  )}`;

const withMembers = (record: RecordType): readonly RecordType[] => [
  record,
  ...record.fields.flatMap(({ type }) => (typeof type === 'object' ? withMembers(type) : [])),
];

function fieldCells({ name, type, repeated, documentation }: Field): readonly Html[] {
  const typeName = typeof type === 'object' ? type.name : type;
  return [
    html`${name}<span class="kind">${typeName}${repeated ? ', any number' : ''}</span>`,
    name === 'ResultCode'
      ? html`Outcome of the call, one of the <a href="#${RESULT_CODES_ID}">ResultCodes</a>.`
      : html`${documentation}`,
  ];
}
