// Calls the operation and shows the answer in the page. Without this script the browser sends the form and shows the raw answer.
// All parts of an answer are set as text, never as markup.
const form = document.querySelector('#call');
const button = form.querySelector('button');
const key = document.querySelector('#api-key');
const response = document.querySelector('#response');
const outcome = document.querySelector('#outcome');
const answer = document.querySelector('#answer');
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
    const answered = await fetch(form.getAttribute('action'), {
      method: 'POST',
      headers: { Accept: 'application/json', ...(key?.value ? { 'X-API-Key': key.value.trim() } : {}) },
      // Without the browser's own credentials, a caller that sends a wrong key receives an error instead of the browser's password prompt.
      credentials: key?.value ? 'omit' : 'same-origin',
      body: new URLSearchParams(new FormData(form)),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await answered.text();
    showAnswer(answered, text, Math.round(performance.now() - began));
  } catch {
    showOutcome('bad', 'The service did not answer.', 'It is unknown whether it executed the call.');
    answer.hidden = true;
  } finally {
    calling = false;
    button.removeAttribute('aria-disabled');
    (document.querySelector('#fault')?.parentElement ?? response).scrollIntoView({ block: 'nearest' });
  }
});

/** The answer is a record, a problem or, from a proxy in front of the service, any text. */
function showAnswer({ ok, status, statusText, headers }, text, milliseconds) {
  const isJson = headers.get('Content-Type')?.includes('json');
  const { ResultCode, ResultText, detail = text } = isJson ? JSON.parse(text) : {};
  const isGood = ok && !(ResultCode >= 10);
  const facts = [`HTTP ${status} ${statusText}`, `${milliseconds} ms`];
  if (ResultCode !== undefined) facts.unshift(`ResultCode ${ResultCode}`);
  if (!isGood) facts.push(`correlation id ${headers.get('X-Correlation-Id')}`);
  const sentence = ResultText ?? detail;
  showOutcome(isGood ? 'good' : 'bad', sentence, facts.join(' · '));
  if (!isGood) showFault(/^(?:Parameter|Missing parameter:) (\w+)/.exec(sentence)?.[1], sentence);
  answer.textContent = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text;
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
  const strong = element('strong', sentence);
  // Arabic and Urdu run from right to left.
  strong.dir = 'auto';
  outcome.replaceChildren(strong, facts);
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
