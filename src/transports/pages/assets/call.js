// Calls the operation and shows the answer in the page. Without this script the browser sends the form and shows the raw answer.
// All parts of an answer are set as text, never as markup.
const form = document.querySelector('#call');
const about = JSON.parse(form.dataset.about);
const button = form.querySelector('button');
const address = new URL(form.getAttribute('action'), location.href);
const key = document.querySelector('#api-key');
const response = document.querySelector('#response');
const outcome = document.querySelector('#outcome');
const answer = document.querySelector('#answer');
const links = [...document.querySelectorAll('#operations a')];
let calling = false;

if (key !== null) document.querySelector('#key-field').hidden = false;

// The page of another operation carries its numbers here. A fragment is not sent to the server.
for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
  const field = form.elements.namedItem(name);
  if (field !== null) field.value = value;
}

// What the browser refuses to send has no answer.
form.addEventListener('invalid', clearAnswer, true);

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (calling) return;
  calling = true;
  clearAnswer();
  button.setAttribute('aria-disabled', 'true');
  const sent = new URLSearchParams(new FormData(form));
  try {
    const began = performance.now();
    const answered = await fetch(address, {
      method: 'POST',
      headers: key?.value ? { 'X-API-Key': key.value.trim() } : {},
      // Without the browser's own credentials, a caller that sends a wrong key receives an error instead of the browser's password prompt.
      credentials: key?.value ? 'omit' : 'same-origin',
      body: sent,
      signal: AbortSignal.timeout(60_000),
    });
    const text = await answered.text();
    showAnswer(answered, text, Math.round(performance.now() - began), sent);
  } catch {
    showOutcome(
      'bad',
      'The service did not answer.',
      about.safe ? 'The operation changes nothing: call it again.' : 'It is unknown whether it executed the call.',
    );
  } finally {
    calling = false;
    button.removeAttribute('aria-disabled');
    (document.querySelector('#fault')?.parentElement ?? response).scrollIntoView({ block: 'nearest' });
  }
});

/** The answer is a record, a sentence or, from a proxy in front of the service, any text. */
function showAnswer({ ok, status, statusText, headers }, text, milliseconds, sent) {
  const isXml = headers.get('Content-Type')?.includes('xml') && text !== '';
  const record = isXml ? new DOMParser().parseFromString(text, 'text/xml').documentElement : element('p');
  const [code, sentence = text || 'The service sent no record.'] = ['ResultCode', 'ResultText'].map(
    (name) => childOf(record, name)?.textContent,
  );
  const isGood = ok && !(code >= 10);
  const facts = [`HTTP ${status} ${statusText}`, `${milliseconds} ms`];
  if (code !== undefined) facts.unshift(`ResultCode ${code}`);
  if (!isGood) facts.push(`correlation id ${headers.get('X-Correlation-Id')}`);
  showOutcome(isGood ? 'good' : 'bad', sentence, facts.join(' · '));
  if (!isGood) showFault(/^(?:Parameter|Missing parameter:) (\w+)/.exec(sentence)?.[1], sentence);
  const heads = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  answer.replaceChildren(
    ...recordView(record, sent),
    folded('Answer as it was received', `HTTP ${status} ${statusText}\n${heads}\n\n${text.replaceAll('><', '>\n<')}`),
    folded('Request for curl', curlOf(sent)),
    folded('Request over SOAP 1.1', soapOf(sent)),
  );
}

// --- The record

const childOf = (record, name) => [...record.children].find(({ localName }) => localName === name);

/** The fields of the record as a list, its lists as tables, and links to the operations that take its numbers. */
function recordView(record, sent) {
  const fields = [...record.children].filter(({ localName }) => !localName.startsWith('Result'));
  const list = element('dl', '', { className: 'record' });
  for (const field of fields.filter(({ children }) => children.length === 0))
    list.append(element('dt', field.localName), textOf('dd', shownValue(field) || 'none'));
  const next = element('div', '', { className: 'next' });
  const continueWith = (...records) => next.replaceChildren(...linksWith([...records, record], sent));
  continueWith();
  const tables = fields.filter(({ children }) => children.length > 0).map((rows) => tableOf(rows, sent, continueWith));
  return [...tables, ...(list.children.length === 0 ? [] : [list]), next];
}

/** A value as the page shows it: of a date and time, the half that counts. */
function shownValue({ localName, textContent }) {
  const [, day, clock] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(textContent) ?? [];
  if (day === undefined) return textContent;
  return { date: day, time: clock }[about.halves[localName.toLowerCase()]] ?? `${day} ${clock}`;
}

/** A table that can be sorted, copied and saved, and of which a row can be chosen for the next call. */
function tableOf(rows, sent, continueWith) {
  const items = [...rows.children];
  const columns = [...new Set(items.flatMap((item) => [...item.children].map(({ localName }) => localName)))];
  const cellsOf = (item) => columns.map((name) => shownValue(childOf(item, name) ?? element('td')));
  const order = new Intl.Collator(undefined, { numeric: true });
  const body = element('tbody');
  const lines = items.map((item) => {
    const choice = element('input', '', {
      type: 'radio',
      name: rows.localName,
      ariaLabel: `Choose ${columns[0]} ${cellsOf(item)[0]}`,
    });
    choice.addEventListener('change', () => continueWith(item));
    const line = element('tr');
    line.append(element('td', '', { className: 'choice' }), ...cellsOf(item).map(cellOf));
    line.firstChild.append(choice);
    return line;
  });
  body.append(...lines);
  const heads = columns.map((name, i) => {
    const head = element('th', '', { scope: 'col' });
    const sort = element('button', name, { type: 'button' });
    sort.addEventListener('click', () => {
      const sign = head.ariaSort === 'ascending' ? -1 : 1;
      for (const other of heads) other.ariaSort = null;
      head.ariaSort = sign === 1 ? 'ascending' : 'descending';
      const cell = (line) => line.children[i + 1].textContent;
      body.append(...lines.toSorted((a, b) => sign * order.compare(cell(a), cell(b))));
    });
    head.append(sort);
    return head;
  });
  const header = element('tr');
  header.append(element('td', '', { className: 'choice' }), ...heads);
  const table = element('table', '', { className: 'rows' });
  table.append(element('caption', `${rows.localName}: ${[...sent].map((pair) => pair.join(' ')).join(', ')}`));
  table.createTHead().append(header);
  table.append(body);
  const scroll = element('div', '', { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: rows.localName });
  scroll.append(table);
  const view = element('div');
  view.append(scroll, csvButtons(rows.localName, [columns, ...items.map(cellsOf)]));
  return view;
}

/** A short value, such as a date, is not broken into lines. */
const cellOf = (text) => Object.assign(textOf('td', text), { className: text.length > 20 ? '' : 'short' });

/** The rows as CSV that no spreadsheet takes for formulas, to save and, where the browser allows it, to copy. */
function csvButtons(name, rows) {
  const formulaStart = new RegExp(about.formulaStart, 'g');
  const quoted = (cell) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const csv = rows
    .map((row) => `${row.map((cell) => quoted(cell.replace(formulaStart, "'$&"))).join(',')}\r\n`)
    .join('');
  const save = element('button', 'Save as CSV', { type: 'button' });
  save.addEventListener('click', () => {
    // By its mark, Excel reads the file as UTF-8.
    const href = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv' }));
    element('a', '', { href, download: `${name}.csv` }).click();
    URL.revokeObjectURL(href);
  });
  const copy = element('button', 'Copy as CSV', { type: 'button' });
  copy.addEventListener('click', () => navigator.clipboard.writeText(csv));
  const print = element('button', 'Print', { type: 'button' });
  print.addEventListener('click', () => window.print());
  const buttons = element('p', '', { className: 'tools' });
  buttons.append(save, ...(navigator.clipboard === undefined ? [] : [copy]), print);
  return buttons;
}

/** Links to the other operations, with those of their numbers which the records or the call contain. */
function linksWith(records, sent) {
  const fields = records.flatMap(({ children }) => [...children].map((field) => [field.localName, field.textContent]));
  const known = new Map([...fields, ...sent].toReversed().map(([name, value]) => [name.toLowerCase(), value]));
  const next = links.flatMap((link) => {
    const ints = link.dataset.ints.split(' ').filter((name) => known.get(name.toLowerCase()));
    if (link.ariaCurrent === 'page' || ints.length === 0) return [];
    const carried = ints.map((name) => [name, known.get(name.toLowerCase())]);
    const to = element('a', link.textContent, { href: `${link.getAttribute('href')}#${new URLSearchParams(carried)}` });
    const item = element('li');
    item.append(to, ` ${carried.map((pair) => pair.join(' ')).join(', ')}`);
    return [item];
  });
  const list = element('ul');
  list.append(...next);
  return next.length === 0 ? [] : [element('p', 'Continue with'), list];
}

// --- The request, for other programs

function curlOf(sent) {
  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  const head = key?.value ? ['-H "X-API-Key: $API_KEY"'] : [];
  const data = [...sent].map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  return ['curl', ...head, ...data, quoted(address.href)].join(' \\\n  ');
}

function soapOf(sent) {
  const call = document.implementation.createDocument(about.namespace, about.name);
  for (const [name, value] of sent) {
    const { type } = form.elements.namedItem(name);
    if (value === '' && !type.startsWith('text')) continue;
    const part = call.createElementNS(about.namespace, name);
    // A time of XSD has seconds, which the browser leaves out.
    part.textContent = type !== 'date' && /^([\d-]+T)?\d\d:\d\d$/.test(value) ? `${value}:00` : value;
    call.documentElement.append('\n', part);
  }
  call.documentElement.append('\n');
  return `POST ${address.pathname.replace(/\/[^/]*$/, '')} HTTP/1.1
Host: ${address.host}
Content-Type: text/xml; charset=utf-8
SOAPAction: "${about.soapAction}"

<?xml version="1.0" encoding="utf-8"?>
<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">
<soap:Body>
${new XMLSerializer().serializeToString(call)}
</soap:Body>
</soap:Envelope>`;
}

// --- The outcome

/** Marks the field at fault, with the sentence below it, and moves there. */
function showFault(name, sentence) {
  const field = name === undefined ? null : form.elements.namedItem(name);
  if (field === null) return;
  const fault = element('p', sentence, { id: 'fault', className: 'hint fault' });
  field.setAttribute('aria-invalid', 'true');
  field.after(fault);
  field.focus();
}

function showOutcome(kind, sentence, facts) {
  outcome.className = `outcome ${kind}`;
  outcome.replaceChildren(textOf('strong', sentence), facts);
}

function clearAnswer() {
  form.querySelector('[aria-invalid]')?.removeAttribute('aria-invalid');
  document.querySelector('#fault')?.remove();
  outcome.replaceChildren();
  answer.replaceChildren();
}

const folded = (title, text) => {
  const details = element('details');
  details.append(element('summary', title), textOf('pre', text));
  return details;
};

/** Text of any language: Arabic and Urdu run from right to left. */
const textOf = (name, text) => element(name, text, { dir: 'auto' });

const element = (name, text = '', properties = {}) =>
  Object.assign(document.createElement(name), { textContent: text, ...properties });
