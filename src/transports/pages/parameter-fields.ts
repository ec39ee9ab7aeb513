import type { Operation, Parameter } from '../../contract/contract.ts';
import { INT_MAX, INT_MIN } from '../../contract/parameter-values.ts';
import { type Html, html } from './html.ts';

/** Strings that may be longer than this get a field of several lines. */
const ONE_LINE = 255;

/** One labeled input per parameter, filled in with its example. Its description gives its type and meaning. */
export const parameterFields = (operation: Operation): Html =>
  html`<div class="fields">
${operation.parameters.map((parameter) => fieldOf(parameter, operation))}
</div>`;

function fieldOf(parameter: Parameter, operation: Operation): Html {
  const { name, documentation } = parameter;
  return html`<div class="field">
<label for="${name}">${name}</label><span class="kind" id="${name}.kind">${parameter.type}</span>${requiredMark(parameter)}
${inputOf(parameter, operation)}
<p class="hint" id="${name}.hint">${documentation}</p>
</div>`;
}

export const requiredMark = ({ required }: Parameter): Html | undefined => (required ? REQUIRED_MARK : undefined);

/** How a page marks required parameters. */
export const REQUIRED_MARK: Html = html`<span class="required">required</span>`;

function inputOf(parameter: Parameter, operation: Operation): Html {
  const { name, example, required, maxLength = 0 } = parameter;
  const common = html`id="${name}" name="${name}" aria-describedby="${name}.kind ${name}.hint" autocomplete="off"${required ? html` required` : undefined}`;
  switch (parameter.type) {
    case 'int':
      return html`<input type="number" min="${INT_MIN}" max="${INT_MAX}" step="1" ${common} value="${example}">`;
    case 'dateTime':
      return html`<input ${dateTimeInput(parameter, operation)} ${common}>`;
    case 'string':
      return maxLength > ONE_LINE
        ? html`<textarea rows="4" ${common}>${example}</textarea>`
        : html`<input type="text" ${common} value="${example}">`;
  }
}

const MIDNIGHT = '00:00:00';

/**
 * A dateTime's example shows which part of it counts: at midnight it is a day, and another time next to a day is a time of day. The forms
 * accept either part on its own.
 */
function dateTimeInput({ example }: Parameter, { parameters }: Operation): Html {
  const [day = '', clock = ''] = example.split('T');
  if (clock === MIDNIGHT) return html`type="date" value="${day}"`;
  const hasDay = parameters.some((other) => other.type === 'dateTime' && other.example.endsWith(`T${MIDNIGHT}`));
  return hasDay
    ? html`type="time" value="${clock.slice(0, 5)}"`
    : html`type="datetime-local" value="${example.slice(0, 16)}"`;
}
