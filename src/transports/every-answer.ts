/**
 * Headers of every answer: it contains patient data, must never be interpreted as anything other than its declared type, and must not be
 * shown by another site's page.
 */
export const EVERY_ANSWER: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  // The allowed styles and images are those with which browsers display XML as a tree.
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** The same, in the form in which they are sent. */
export const EVERY_ANSWER_LINES = Object.entries(EVERY_ANSWER)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');
