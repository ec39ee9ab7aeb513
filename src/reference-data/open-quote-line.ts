/**
 * The line, from 1, of the first quote that is not closed properly: either the text ends before a closing quote, or text follows it.
 * Expects CSV that is valid up to there, with LF line ends.
 */
export function openQuoteLine(text: string, delimiter: string): number {
  const ends = new Set([delimiter, '\n', undefined]);
  let open = text.indexOf('"');
  for (;;) {
    let close = text.indexOf('"', open + 1);
    // A doubled quote represents a single one.
    while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
    if (close === -1) break;
    let after = close + 1;
    while (text[after] === ' ') after++;
    const next = text.indexOf('"', after);
    if (!ends.has(text[after]) || next === -1) break;
    open = next;
  }
  return lineAt(text, Math.max(open, 0));
}

/** The line of a position in a text, from 1. */
function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
