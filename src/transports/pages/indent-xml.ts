const TOKEN = /<[^<>]*>|[^<]+/g;

/**
 * Indents XML as the service writes it (without mixed content), so that every element that contains elements has its tags on lines of their
 * own.
 */
export function indentXml(xml: string): string {
  const tokens = xml.match(TOKEN) ?? [];
  const lines: string[] = [];
  let depth = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? '';
    if (token.startsWith('</')) depth--;
    const start = '  '.repeat(depth) + token;
    if (!opens(token)) {
      if (token.trim() !== '') lines.push(start);
      continue;
    }
    // An element without child elements stays on one line: white space would become part of its value.
    const end = [1, 2].find((ahead) => tokens[i + ahead]?.startsWith('</'));
    if (end === undefined || (end === 2 && tokens[i + 1]?.startsWith('<'))) {
      lines.push(start);
      depth++;
    } else {
      lines.push(start + tokens.slice(i + 1, i + end + 1).join(''));
      i += end;
    }
  }
  return lines.join('\n');
}

const opens = (token: string): boolean => /^<[^/?!]/.test(token) && !token.endsWith('/>');
