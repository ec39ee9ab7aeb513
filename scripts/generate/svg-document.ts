/** Characters that must be escaped in markup. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The colours for light and dark pages: the reader's own setting decides, within the picture. */
const STYLE = `
  text { font: 15px system-ui, "DejaVu Sans", sans-serif; fill: var(--text) }
  svg { --text: #1f2933; --faint: #5f6c7b; --line: #8592a1; --box: #f2f4f7; --path: #0b62b5; --path-box: #dcebfa; --other: #9aa7b5 }
  @media (prefers-color-scheme: dark) {
    svg { --text: #e6ebf0; --faint: #a3b0be; --line: #7d8a98; --box: #252c34; --path: #6db3f7; --path-box: #173a5c; --other: #66727f }
  }`;

export interface SvgDocument {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** Everything that the picture says, for readers who cannot see it. */
  readonly description: string;
  /** CSS of this picture alone. */
  readonly style: string;
  readonly content: readonly string[];
}

/** A picture for light and dark pages, without its own background. */
export function svgDocument({ width, height, title, description, style, content }: SvgDocument): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escapeText(title)}</title>`,
    `<desc id="description">${escapeText(description)}</desc>`,
    `<style>${STYLE}\n  ${style}\n</style>`,
    ...content,
    '</svg>\n',
  ].join('\n');
}
