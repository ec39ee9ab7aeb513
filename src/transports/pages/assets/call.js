// Calls the operation and shows the answer in the page. Without this script the browser sends the form and shows the raw answer.
// All parts of an answer are set as text, never as markup.
const form = document.querySelector('#call');
const button = form.querySelector('button');
const key = document.querySelector('#api-key');
const outcome = document.querySelector('#outcome');
const answer = document.querySelector('#answer');
const fields = document.querySelector('#fields');
/** Fields that the page already shows as the outcome. */
const IN_OUTCOME = ['ResultCode', 'ResultText'];
let calling = false;

if (key !== null) document.querySelector('#key-field').hidden = false;

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (calling) return;
  calling = true;
  showFault(undefined);
  button.setAttribute('aria-disabled', 'true');
  try {
    const began = performance.now();
    const response = await fetch(form.getAttribute('action'), {
      method: 'POST',
      headers: { Accept: 'text/xml', ...(key?.value ? { 'X-API-Key': key.value.trim() } : {}) },
      // Without the browser's own credentials, a caller that sends a wrong key receives an error instead of the browser's password prompt.
      credentials: key?.value ? 'omit' : 'same-origin',
      body: new URLSearchParams(new FormData(form)),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    showAnswer(response, text, Math.round(performance.now() - began));
  } catch {
    showOutcome('bad', 'The service did not answer.', 'It is unknown whether it executed the call.');
    answer.hidden = true;
  } finally {
    calling = false;
    button.removeAttribute('aria-disabled');
    (document.querySelector('#fault')?.parentElement ?? document.querySelector('#response')).scrollIntoView({
      block: 'nearest',
    });
  }
});

function showAnswer(response, text, milliseconds) {
  const record = response.headers.get('Content-Type')?.startsWith('text/xml') ? recordOf(text) : undefined;
  const code = textOf(record, 'ResultCode');
  const facts = [`HTTP ${response.status} ${response.statusText}`, `${milliseconds} ms`];
  if (code !== undefined) facts.unshift(`ResultCode ${code}`);
  const isGood = response.ok && (code === undefined || Number(code) < 10);
  const id = response.headers.get('X-Correlation-Id');
  if (!isGood && id !== null) facts.push(`correlation id ${id}`);
  const sentence = textOf(record, 'ResultText') ?? text;
  showOutcome(isGood ? 'good' : 'bad', sentence, facts.join(' · '));
  if (!isGood) showFault(/^(?:Parameter|Missing parameter:) (\w+)/.exec(sentence)?.[1], sentence);
  answer.querySelector('pre').textContent = text;
  fields.replaceChildren(...(record === undefined ? [] : tablesOf(record)));
  answer.hidden = false;
}

/** Marks the field at fault, with the sentence below it, and moves there; without a name, removes the mark. */
function showFault(name, sentence) {
  form.querySelector('[aria-invalid]')?.removeAttribute('aria-invalid');
  document.querySelector('#fault')?.remove();
  const field = name === undefined ? null : form.elements.namedItem(name);
  if (field === null) return;
  const fault = element('p', sentence);
  fault.id = 'fault';
  fault.className = 'hint fault';
  field.setAttribute('aria-invalid', 'true');
  field.after(fault);
  field.focus();
}

function showOutcome(kind, sentence, facts) {
  outcome.className = `outcome ${kind}`;
  outcome.replaceChildren(inItsDirection(element('strong', sentence)), facts);
}

function recordOf(xml) {
  const read = new DOMParser().parseFromString(xml, 'text/xml');
  return read.querySelector('parsererror') === null ? read.documentElement : undefined;
}

const textOf = (record, name) => [...(record?.children ?? [])].find((field) => field.localName === name)?.textContent;

/** A record as rows of name and value, followed by the lists in it. */
function tablesOf({ children }) {
  const shown = [...children].filter((field) => field.textContent !== '' && !IN_OUTCOME.includes(field.localName));
  const lists = shown.filter((field) => field.children.length > 0);
  const values = shown.filter((field) => field.children.length === 0);
  return [
    ...(values.length === 0 ? [] : [valuesOf(values)]),
    ...lists.flatMap((list) => {
      const items = element('div', ...[...list.children].map((item) => valuesOf([...item.children])));
      items.className = 'items';
      return [element('h3', `${list.localName} (${list.children.length})`), items];
    }),
  ];
}

function valuesOf(values) {
  const table = element('table', element('tbody', ...values.map(rowOf)));
  table.className = 'values';
  return table;
}

function rowOf({ localName, textContent }) {
  const name = element('th', localName);
  name.scope = 'row';
  return element('tr', name, inItsDirection(element('td', textContent)));
}

/** Arabic and Urdu run from right to left. */
function inItsDirection(made) {
  made.dir = 'auto';
  return made;
}

function element(name, ...content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}
