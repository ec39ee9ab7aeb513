import type { Operation, RecordType } from '../../contract/contract.ts';
import { type Html, html } from './html.ts';
import { parameterFields, REQUIRED_MARK } from './parameter-fields.ts';

/**
 * A form that calls the operation, filled in with its examples, and the place for the answer. Its button stays visible as long as the form
 * does. `secured`: whether callers must identify themselves.
 */
export const callForm = (operation: Operation, pathname: string, secured: boolean): Html =>
  html`<p>The values are examples. Parameters marked ${REQUIRED_MARK} must have a value; others may be empty unless their description says otherwise.${
    operation.safe
      ? undefined
      : html`
<strong>Calls from this page are real, and their changes are permanent.</strong>`
  }</p>
<form id="call" method="post" action="${pathname}/${operation.name}">
${secured ? LOGIN : undefined}
${parameterFields(operation)}
<div class="actions"><button class="call">Call ${operation.name}</button></div>
</form>
<div id="response">
<p id="outcome" role="status"></p>
<div id="answer" hidden>
<div id="fields" data-columns="${columnsOf(operation.resultType).join(' ')}"></div>
<details><summary><h3>Raw response</h3></summary><div>
<div class="code" data-label="the raw response"><pre></pre></div>
</div></details>
</div>
</div>`;

/** The fields of the items that an answer lists, if any. Their table has all these columns, whichever of them the answer contains. */
const columnsOf = ({ fields }: RecordType): readonly string[] =>
  fields.flatMap(({ type, repeated }) => {
    if (typeof type === 'string') return [];
    return repeated ? type.fields.map(({ name }) => name) : columnsOf(type);
  });

/**
 * The key is sent in a header, which only a script can do, so without a script the field stays hidden. The field has no name, so no form
 * submits it.
 */
const LOGIN = html`<div class="note">
<p>Only known clients may call. The browser asks for a user name and a password when they are needed.</p>
<div class="field" id="key-field" hidden>
<label for="api-key">API key</label>
<input type="password" id="api-key" aria-describedby="api-key.hint" autocomplete="off" spellcheck="false">
<p class="hint" id="api-key.hint">Sent as X-API-Key with calls from this page, and not stored. Leave it empty to log in with a password.</p>
</div>
</div>`;
