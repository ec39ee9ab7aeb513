import { Graph, layout } from '@dagrejs/dagre';
import { arrowsBetweenRooms } from '../../test/house/rooms.ts';
import type { SourceFile } from '../../test/house/source-files.ts';
import { escapeText, svgDocument } from './svg-document.ts';

/** The path of a request through the rooms. */
const REQUEST_PATH: readonly (readonly [from: string, to: string])[] = [
  ['http', 'transports/soap'],
  ['http', 'transports/forms'],
  ['transports/soap', 'transports'],
  ['transports/forms', 'transports'],
  ['transports', 'calls'],
  ['calls', 'operations'],
  ['operations', 'rules'],
  ['operations', 'store'],
];
const ON_PATH: ReadonlySet<string> = new Set(REQUEST_PATH.flat());

const HEIGHT = 34;
const PER_CHARACTER = 8.4;
const MARGIN = 20;
/** Below the drawing: what the lines mean. */
const LEGEND_HEIGHT = 60;

type Arrows = ReadonlyMap<string, ReadonlyMap<string, string>>;
interface Point {
  readonly x: number;
  readonly y: number;
}

/** The rooms of src/, and which room imports which, as SVG; the path of a request is highlighted. */
export function roomsPicture(files: readonly SourceFile[]): string {
  const arrows = arrowsBetweenRooms(files);
  const strange = REQUEST_PATH.find(([from, to]) => !arrows.get(from)?.has(to));
  if (strange !== undefined) throw new Error(`No file of ${strange[0]} imports ${strange[1]}, as a request goes.`);
  const drawn = [...arrows].flatMap(([from, targets]) =>
    [...targets.keys()]
      .filter((to) => isOnPath(from, to) || !isImplied(arrows, from, to))
      .map((to) => [from, to] as const),
  );

  const graph = new Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 40, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const room of [...arrows.keys()].sort()) {
    graph.setNode(room, { width: room.length * PER_CHARACTER + 28, height: HEIGHT });
  }
  for (const [from, to] of drawn) graph.setEdge(from, to, { weight: isOnPath(from, to) ? 5 : 1 });
  layout(graph);

  const { width = 0, height = 0 } = graph.graph();
  const lines = drawn
    .toSorted(([a, b], [c, d]) => Number(isOnPath(a, b)) - Number(isOnPath(c, d)))
    .map(([from, to]) => {
      const { points } = graph.edge(from, to) as { readonly points: readonly Point[] };
      const [start, end] = [graph.node(from), graph.node(to)];
      const way = [
        { x: start.x, y: start.y + HEIGHT / 2 },
        // Every second point is between two rows; the others are where the arrow passes a row vertically.
        ...points
          .slice(2, -2)
          .filter((_, index) => index % 2 === 0)
          .flatMap(({ x, y }) => [
            { x, y: y - HEIGHT / 2 },
            { x, y: y + HEIGHT / 2 },
          ]),
        { x: end.x, y: end.y - HEIGHT / 2 },
      ];
      const kind = isOnPath(from, to) ? 'path' : 'import';
      return `<path class="${kind}" d="${curve(way)}" marker-end="url(#${kind}-end)"/>`;
    });
  const boxes = graph.nodes().map((room: string) => {
    const { x, y, width, height } = graph.node(room);
    const kind = ON_PATH.has(room) ? 'path' : 'room';
    return `<g class="${kind}-box"><rect x="${round(x - width / 2)}" y="${round(y - height / 2)}" width="${round(width)}" height="${height}" rx="6"/><text x="${round(x)}" y="${round(y + 5)}" text-anchor="middle">${escapeText(room)}</text></g>`;
  });
  const text = [...arrows].map(([from, targets]) =>
    targets.size === 0 ? `${from} imports no other room` : `${from} imports ${[...targets.keys()].sort().join(', ')}`,
  );
  return svgDocument({
    width: Math.ceil(width),
    height: Math.ceil(height) + LEGEND_HEIGHT,
    title: 'The rooms of src/ and the way of a request',
    description: `A request goes ${REQUEST_PATH.map(([from, to]) => `from ${from} to ${to}`).join(', ')}. Imports: ${text.join('; ')}.`,
    style: STYLE,
    content: [endOf('path'), endOf('import'), ...lines, ...boxes, ...legend(Math.ceil(height))],
  });
}

const STYLE = `path { fill: none }
  .import { stroke: var(--line); stroke-width: 1.2 }
  .path { stroke: var(--path); stroke-width: 3 }
  .import-head { fill: var(--line) } .path-head { fill: var(--path) }
  .room-box rect { fill: var(--box); stroke: var(--line) }
  .path-box rect { fill: var(--path-box); stroke: var(--path); stroke-width: 1.5 }
  .legend { font-size: 13px; fill: var(--faint) }`;

const isOnPath = (from: string, to: string): boolean => REQUEST_PATH.some(([a, b]) => a === from && b === to);

/** True if another path leads there, so that an arrow would add nothing. */
function isImplied(arrows: Arrows, from: string, to: string): boolean {
  const seen = new Set<string>();
  const reaches = (room: string): boolean => {
    if (room === to) return true;
    if (seen.has(room)) return false;
    seen.add(room);
    return [...(arrows.get(room)?.keys() ?? [])].some(reaches);
  };
  return [...(arrows.get(from)?.keys() ?? [])].some((next) => next !== to && reaches(next));
}

const round = (value: number): string => value.toFixed(1).replace(/\.0$/, '');
const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`;

/** Down through the points, vertical at each of them. */
function curve([first, ...rest]: readonly Point[]): string {
  if (first === undefined) return '';
  let from = first;
  const bends = rest.map((to) => {
    const middle = (from.y + to.y) / 2;
    const bend = `C${at({ x: from.x, y: middle })} ${at({ x: to.x, y: middle })} ${at(to)}`;
    from = to;
    return bend;
  });
  return `M${at(first)}${bends.join('')}`;
}

const endOf = (kind: string): string =>
  `<marker id="${kind}-end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path class="${kind}-head" d="M0 0 8 4 0 8Z"/></marker>`;

const legend = (top: number): string[] => [
  `<path class="path" d="M${MARGIN} ${top + 12}h36"/><text class="legend" x="${MARGIN + 46}" y="${top + 17}">the way of a request, from the socket to the rules and the store</text>`,
  `<path class="import" d="M${MARGIN} ${top + 36}h36"/><text class="legend" x="${MARGIN + 46}" y="${top + 41}">imports; an import that other arrows imply is not drawn</text>`,
];
