import { LIMIT, OWN_SERVER, readBenchTable } from '../bench/bench-table.ts';
import { escapeText, svgDocument } from './svg-document.ts';

const WIDTH = 720;
const LABELS = 250;
const BARS = 400;
const ROW = 26;
const GROUP = 34;
const TOP = 44;

/**
 * The speed of the service and of its peers as bars, from the table of `npm run bench` in docs/performance.md. The longest bar, or bare
 * node:http, fills the width.
 */
export function speedPicture(markdown: string): string {
  const figures = readBenchTable(markdown).filter(({ server }) => server !== LIMIT);
  const unit = BARS / Math.max(1, ...figures.map(({ ratio }) => ratio));
  const content: string[] = [];
  let y = TOP;
  for (const [operation, group] of Map.groupBy(figures, (figure) => figure.operation)) {
    content.push(`<text class="operation" x="0" y="${y + 16}">${escapeText(operation)}</text>`);
    y += GROUP;
    for (const { transport, server, ratio } of group) {
      const length = (ratio * unit).toFixed(1);
      const label = server === OWN_SERVER ? transport : `${transport}, ${server}`;
      content.push(
        `<text class="label" x="${LABELS - 12}" y="${y + 14}" text-anchor="end">${escapeText(label)}</text>`,
        `<rect class="${server === OWN_SERVER ? 'own' : 'peer'}" x="${LABELS}" y="${y}" width="${length}" height="${ROW - 8}" rx="2"/>`,
        `<text class="label" x="${LABELS + Number(length) + 8}" y="${y + 14}">${ratio.toFixed(2)}</text>`,
      );
      y += ROW;
    }
    y += 8;
  }
  const limitAt = (LABELS + unit).toFixed(1);
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
      `<line class="limit" x1="${limitAt}" x2="${limitAt}" y1="${TOP - 12}" y2="${y}"/>`,
      `<text class="label" x="${limitAt}" y="18" text-anchor="middle">${LIMIT}: 1</text>`,
      `<text class="label" x="0" y="18">${OWN_SERVER}, and others where named</text>`,
      ...content,
    ],
  });
}
