import { type Html, html } from './html.ts';

/** Text to be copied as is. `label` says what it is, for those who can't see it. */
export const codeBlock = (label: string, text: string): Html =>
  html`<div class="code" data-label="${label}"><pre>${text}</pre></div>`;
