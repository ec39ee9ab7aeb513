import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Html, html } from './html.ts';

const asset = (name: string): string => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const STYLE = ['page', 'tables', 'form'].map((name) => asset(`${name}.css`)).join('\n');

/** The scripts of the pages. Every page works without them. */
const SCRIPTS = { copy: asset('copy.js'), call: asset('call.js') } as const;
type PageScript = keyof typeof SCRIPTS;

export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface PageParts {
  readonly title: string;
  /** Links above the heading. */
  readonly header?: Html;
  readonly body: Html;
  readonly scripts: readonly PageScript[];
}

/** A whole page with its content security policy: it contains everything it needs, nothing else is loaded or run, and it can't be framed. */
export const page = ({ title, header, body, scripts }: PageParts): Page => ({
  html: html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<header>
<a class="skip" href="#content">Skip to the content</a>
${header}
</header>
<main id="content">
${body}
</main>
${scripts.map((name) => html`<script type="module">${new Html(SCRIPTS[name])}</script>`)}
</body>
</html>
`.text,
  headers: headersFor(scripts),
});

function headersFor(scripts: readonly PageScript[]): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}`,
    ...(scripts.length === 0 ? [] : [`script-src ${scripts.map((name) => hashOf(SCRIPTS[name])).join(' ')}`]),
    ...(scripts.includes('call') ? ["connect-src 'self'", "form-action 'self'"] : ["form-action 'none'"]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    // A stricter policy would make the Origin of the page's own form `null`, which is refused as that of another site.
    'Referrer-Policy': 'same-origin',
    // For browsers that do not support frame-ancestors.
    'X-Frame-Options': 'DENY',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}
