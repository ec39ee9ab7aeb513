import { type Html, html } from './html.ts';

/** Text to be copied as it stands. `label` says what it is, for those who don't see it. */
export const codeBlock = (label: string, text: string): Html =>
  html`<div class="code" data-label="${label}"><pre>${text}</pre></div>`;
