// Calls the operation and shows the answer in the page. Without this script the browser sends the form and shows the raw answer.
// All parts of an answer are set as text, never as markup.
const form = document.querySelector('#call');
const button = form.querySelector('button');
const key = document.querySelector('#api-key');
const outcome = document.querySelector('#outcome');
const answer = document.querySelector('#answer');
const fields = document.querySelector('#fields');
/** Fields that the page already shows as the outcome. */
const TOLD = ['ResultCode', 'ResultText'];
let calling = false;

if (key !== null) document.querySelector('#key-field').hidden = false;

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (calling) return;
  calling = true;
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
    show(response, text, Math.round(performance.now() - began));
  } catch {
    tell('bad', 'The service did not answer.', 'It is unknown whether it executed the call.');
    answer.hidden = true;
  } finally {
    calling = false;
    button.removeAttribute('aria-disabled');
    document.querySelector('#response').scrollIntoView({ block: 'nearest' });
  }
});

function show(response, text, milliseconds) {
  const type = response.headers.get('Content-Type') ?? '';
  const record = type.startsWith('text/xml') ? recordOf(text) : undefined;
  const code = textOf(record, 'ResultCode');
  const facts = [`HTTP ${response.status} ${response.statusText}`, `${milliseconds} ms`];
  if (code !== undefined) facts.unshift(`ResultCode ${code}`);
  const good = response.ok && (code === undefined || Number(code) < 10);
  tell(good ? 'good' : 'bad', textOf(record, 'ResultText') ?? text, facts.join(' · '));
  answer.querySelector('pre').textContent = text;
  fields.replaceChildren(...(record === undefined ? [] : tablesOf(record)));
  answer.hidden = false;
}

function tell(kind, sentence, facts) {
  outcome.className = kind;
  const first = document.createElement('strong');
  first.textContent = sentence;
  outcome.replaceChildren(first, facts);
}

function recordOf(xml) {
  const read = new DOMParser().parseFromString(xml, 'text/xml');
  return read.querySelector('parsererror') === null ? read.documentElement : undefined;
}

function textOf(record, name) {
  return [...(record?.children ?? [])].find((child) => child.localName === name)?.textContent;
}

/** A record as rows of name and value, followed by the lists in it. */
function tablesOf(record) {
  const untold = [...record.children].filter(
    ({ localName, textContent }) => textContent !== '' && !TOLD.includes(localName),
  );
  const lists = untold.filter((field) => field.children.length > 0);
  const leaves = untold.filter((field) => field.children.length === 0);
  return [
    ...(leaves.length === 0 ? [] : [valuesOf(leaves)]),
    ...lists.flatMap((list) => [titleOf(list), listOf(list)]),
  ];
}

function valuesOf(leaves) {
  const table = document.createElement('table');
  table.className = 'values';
  const body = table.createTBody();
  for (const { localName, textContent } of leaves) {
    const row = body.insertRow();
    addCell(row, 'row', localName);
    addCell(row, undefined, textContent);
  }
  return table;
}

/** More columns than this do not fit on any screen. */
const MOST_COLUMNS = 9;

function titleOf(list) {
  const title = document.createElement('h3');
  title.textContent = `${list.localName} (${list.children.length})`;
  return title;
}

/** A table with one row per item, or the items one after another. */
function listOf(list) {
  const items = [...list.children];
  const names = fields.dataset.columns.split(' ');
  if (names.length > MOST_COLUMNS) {
    const box = document.createElement('div');
    box.className = 'items';
    box.append(...items.map((item) => valuesOf([...item.children])));
    return box;
  }
  const table = document.createElement('table');
  table.className = 'cards list';
  const head = table.createTHead().insertRow();
  for (const name of names) addCell(head, 'col', name);
  const body = table.createTBody();
  for (const item of items) {
    const row = body.insertRow();
    for (const [i, name] of names.entries()) {
      addCell(row, i === 0 ? 'row' : undefined, textOf(item, name) ?? '').dataset.label = name;
    }
  }
  return table;
}

function addCell(row, scope, text) {
  const cell = document.createElement(scope === undefined ? 'td' : 'th');
  if (scope !== undefined) cell.scope = scope;
  cell.textContent = text;
  row.append(cell);
  return cell;
}
