// Calls the operation and shows the answer in the page. Without this script the browser sends the form and shows the raw answer.
// Everything of an answer is set as text, never as markup.
const form = document.querySelector('#call');
const button = form.querySelector('button');
const outcome = document.querySelector('#outcome');
const answer = document.querySelector('#answer');
let calling = false;

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (calling) return;
  calling = true;
  button.setAttribute('aria-disabled', 'true');
  try {
    const began = performance.now();
    const response = await fetch(form.getAttribute('action'), {
      method: 'POST',
      headers: { Accept: 'text/xml' },
      body: new URLSearchParams(new FormData(form)),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    show(response, text, Math.round(performance.now() - began));
  } catch {
    tell('bad', 'The service did not answer.', 'Whether it did what was asked is not known.');
    answer.hidden = true;
  } finally {
    calling = false;
    button.removeAttribute('aria-disabled');
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
  const table = answer.querySelector('#fields');
  table.replaceChildren();
  if (record !== undefined) table.append(tableOf(record));
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

/** A record as rows of name and value; a list in it as a table of its own, a row an item. */
function tableOf(record) {
  const box = document.createElement('div');
  const leaves = [...record.children].filter((child) => child.children.length === 0);
  box.append(
    scrolling(
      'Answer',
      leaves.map((leaf) => [leaf.localName, leaf.textContent]),
    ),
  );
  for (const list of [...record.children].filter((child) => child.children.length > 0)) {
    const items = [...list.children];
    const names = [...new Set(items.flatMap((item) => [...item.children].map((field) => field.localName)))];
    const rows = items.map((item) => names.map((name) => textOf(item, name) ?? ''));
    box.append(heading(`${list.localName} (${items.length})`), scrolling(list.localName, rows, names));
  }
  return box;
}

function heading(text) {
  const element = document.createElement('h3');
  element.textContent = text;
  return element;
}

function scrolling(label, rows, names) {
  const box = document.createElement('div');
  box.className = 'wide';
  box.tabIndex = 0;
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', label);
  const table = document.createElement('table');
  if (names !== undefined) fill(table.createTHead().insertRow(), names, 'col');
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    fill(line, row.slice(0, 1), 'row');
    fill(line, row.slice(1));
  }
  box.append(table);
  return box;
}

function fill(row, texts, scope) {
  for (const text of texts) {
    const cell = document.createElement(scope === undefined ? 'td' : 'th');
    if (scope !== undefined) cell.scope = scope;
    cell.textContent = text;
    row.append(cell);
  }
}
