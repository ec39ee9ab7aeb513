import { createHash } from 'node:crypto';

/** Text as HTML shows it, in content and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const STYLE = `
:root { color-scheme: light dark; --line: #8886; --soft: #8881; --accent: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --accent: #8ab4f8; } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
a { color: var(--accent); }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2rem; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .4rem; padding: .75rem; overflow-x: auto; font-size: .875rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } th, td { border: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top; }
form { display: grid; gap: .75rem; max-width: 34rem; } label { display: grid; gap: .2rem; font-weight: 600; }
label small { font-weight: 400; } input, button { font: inherit; padding: .45rem .6rem; }
button { justify-self: start; } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Everything a page needs is in it: nothing is loaded, no script runs, and it can't be framed. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
};

/** A whole page around a body that is HTML already. */
export const page = (title: string, body: string): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
