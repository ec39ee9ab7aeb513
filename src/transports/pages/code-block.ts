import { type Html, html } from './html.ts';

/** Text to be copied as it is. `label` describes it for users of screen readers. */
export const codeBlock = (label: string, text: string): Html =>
  html`<div class="code" data-label="${label}"><pre>${text}</pre></div>`;
