/** One line of what `npm run test:durability` prints: what was tried, the figures, and whether they are those that were asked for. */
export interface Figure {
  readonly what: string;
  readonly figures: Readonly<Record<string, number | string>>;
  readonly ok: boolean;
}

export const figureLine = ({ what, figures, ok }: Figure): string =>
  `${ok ? 'ok  ' : 'FAIL'} ${what}: ${Object.entries(figures)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value).toLocaleString('en') : value}`)
    .join(', ')}`;
