import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AnswerStyle } from '../../access/client.ts';
import type { Operation, Transport } from '../../contract/contract.ts';
import { isRefusal, RESULT_CODES, type ResultCodeName } from '../../vocabulary/result-codes.ts';
import { Html, html, table } from './html.ts';

const asset = (name: string): string => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const STYLE = asset('page.css');

/** Of the form, which works without it, too. */
const SCRIPT = asset('call.js');

export interface PageSettings extends AnswerStyle {
  /** Address of the service, as its callers reach it. */
  readonly endpoint: string;
  readonly secured: boolean;
  /** Those that are offered. The form on the pages needs httpPost. */
  readonly transports: readonly Transport[];
}

export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface PageParts {
  readonly title: string;
  /** Path of the service that the page describes, as its callers reach it. */
  readonly home?: string;
  readonly header?: Html;
  readonly body: Html;
  /** Whether the body has a form that calls an operation. */
  readonly hasForm: boolean;
}

/**
 * A whole page with its content security policy: it contains everything it needs, nothing else is loaded or run, and it can't be framed.
 * By its link, wsdl.exe, Add Web Reference and New-WebServiceProxy find the WSDL from the address of the service alone.
 */
export function page({ title, home, header, body, hasForm }: PageParts): Page {
  const { text } = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${home === undefined ? undefined : html`<link rel="alternate" type="text/xml" href="${home}?disco">`}
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
${hasForm ? html`<script type="module">${new Html(SCRIPT)}</script>` : undefined}
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}`,
    ...(hasForm
      ? [`script-src ${hashOf(SCRIPT)}`, "connect-src 'self'", "form-action 'self'"]
      : ["form-action 'none'"]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  const headers = {
    'Content-Security-Policy': policy.join('; '),
    // A stricter policy would make the Origin of the page's own form `null`, which is refused as that of another site.
    'Referrer-Policy': 'same-origin',
    // For browsers that do not support frame-ancestors.
    'X-Frame-Options': 'DENY',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
  return { html: text, headers };
}

/** The id of the ResultCodes on a page, and on the service page also of the errors. */
export const RESULT_CODES_ID = 'resultcodes';
export const ERRORS_ID = 'errors';

/** ResultCodes with their meanings, and with their answers if refusals are answered in that style. */
export const resultCodeTable = (codes: readonly ResultCodeName[], refusals: AnswerStyle['refusals']): Html =>
  table(
    ['ResultCode', 'Meaning', 'GET, POST', 'SOAP'],
    codes.map((name) => {
      const { number, status, meaning } = RESULT_CODES[name];
      const asFault = isRefusal(number) && refusals === 'fault';
      return [html`${number} ${name}`, meaning, asFault ? status : 200, asFault ? 'fault' : 'result'];
    }),
  );

export const effectBadge = ({ safe }: Operation): Html =>
  html`<span class="badge">${safe ? 'reads only' : 'changes data'}</span>`;
