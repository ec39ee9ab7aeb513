/** Headers of every answer: it holds patients' data, is never anything other than its declared type, and no other site's page may show it. */
export const EVERY_ANSWER: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  // The style and the images are those with which browsers show XML as a tree.
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** The same, as they are sent. */
export const EVERY_ANSWER_LINES = Object.entries(EVERY_ANSWER)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');
