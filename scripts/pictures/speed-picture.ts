import { escapeText, svgDocument } from './svg-document.ts';

/** What every server is compared with; the axis ends there. */
const LIMIT = 'bare node:http';
const RATIO = `of ${LIMIT}`;
const OWN = 'TPWebServices';

interface Figure {
  readonly operation: string;
  readonly transport: string;
  readonly server: string;
  /** Answers per processor time, relative to bare node:http. */
  readonly ratio: number;
}

const WIDTH = 720;
const LABELS = 250;
const BARS = 400;
const ROW = 26;
const GROUP = 34;
const TOP = 44;

/** The speed of the service and of its peers as bars, from the first table of docs/performance.md that has their ratios. */
export function speedPicture(markdown: string): string {
  const figures = figuresIn(markdown).filter(({ server }) => server !== LIMIT);
  if (figures.length === 0) throw new Error(`No table has the columns Operation, Transport, Server and ${RATIO}.`);
  const content: string[] = [];
  let y = TOP;
  for (const [operation, group] of Map.groupBy(figures, (figure) => figure.operation)) {
    content.push(`<text class="operation" x="0" y="${y + 16}">${escapeText(operation)}</text>`);
    y += GROUP;
    for (const { transport, server, ratio } of group) {
      const length = (ratio * BARS).toFixed(1);
      const label = server === OWN ? transport : `${transport}, ${server}`;
      content.push(
        `<text class="label" x="${LABELS - 12}" y="${y + 14}" text-anchor="end">${escapeText(label)}</text>`,
        `<rect class="${server === OWN ? 'own' : 'peer'}" x="${LABELS}" y="${y}" width="${length}" height="${ROW - 8}" rx="2"/>`,
        `<text class="label" x="${LABELS + Number(length) + 8}" y="${y + 14}">${ratio.toFixed(2)}</text>`,
      );
      y += ROW;
    }
    y += 8;
  }
  const text = figures.map(
    ({ operation, transport, server, ratio }) => `${operation} over ${transport}, ${server}: ${ratio.toFixed(2)}`,
  );
  return svgDocument({
    width: WIDTH,
    height: y + 10,
    title: `Answers per processor time, as a part of what ${LIMIT} gives`,
    description: `${text.join('; ')}.`,
    style: `.operation { font-weight: 600 } .label { font-size: 13px; fill: var(--faint) }
  .own { fill: var(--path) } .peer { fill: var(--other) } .limit { stroke: var(--line); stroke-dasharray: 4 4 }`,
    content: [
      `<line class="limit" x1="${LABELS + BARS}" x2="${LABELS + BARS}" y1="${TOP - 12}" y2="${y}"/>`,
      `<text class="label" x="${LABELS + BARS}" y="18" text-anchor="middle">${LIMIT}: 1</text>`,
      `<text class="label" x="0" y="18">${OWN}, and others where named</text>`,
      ...content,
    ],
  });
}

function figuresIn(markdown: string): readonly Figure[] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) =>
    ['Operation', 'Transport', 'Server', RATIO].every((name) => cells(line).includes(name)),
  );
  if (start === -1) return [];
  const columns = cells(lines[start] ?? '');
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end === -1 ? undefined : end).flatMap((line) => {
    const row = cells(line);
    const cell = (name: string) => (row[columns.indexOf(name)] ?? '').replaceAll(/[`*]/g, '');
    const ratio = medianOf(cell(RATIO));
    if (ratio === undefined) return [];
    return [{ operation: cell('Operation'), transport: cell('Transport'), server: cell('Server'), ratio }];
  });
}

const cells = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** For several rounds the bench writes minimum, median and maximum. */
function medianOf(text: string): number | undefined {
  const numbers = text.split('/').map((part) => Number.parseFloat(part));
  const median = numbers[Math.floor(numbers.length / 2)];
  return median === undefined || Number.isNaN(median) ? undefined : median;
}
