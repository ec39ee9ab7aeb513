/** One line of the output of `npm run ci -- durability`: what was tried, the figures, and whether they meet the requirements. */
export interface Figure {
  readonly what: string;
  readonly figures: Readonly<Record<string, number | string>>;
  readonly ok: boolean;
}

export const figureLine = ({ what, figures, ok }: Figure): string =>
  `${ok ? 'ok  ' : 'FAIL'} ${what}: ${Object.entries(figures)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value).toLocaleString('en') : value}`)
    .join(', ')}`;
