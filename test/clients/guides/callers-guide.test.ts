import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readCases } from '../../wire/cases/read-case.ts';

const guide = readFileSync(new URL('../../../docs/callers/differences.md', import.meta.url), 'utf8');
const folder = new URL('../../wire/cases/old-service/', import.meta.url);

/** The column of the guide's tables that a case belongs to, by its transport, and how its title ends. */
const TRANSPORTS: Readonly<Record<string, { readonly column: string; readonly title: string }>> = {
  'soap-1.1': { column: 'SOAP 1.1', title: 'SOAP 1.1' },
  'soap-1.2': { column: 'SOAP 1.2', title: 'SOAP 1.2' },
  'http-get': { column: 'Forms', title: 'HTTP GET' },
  'http-post': { column: 'Forms', title: 'HTTP POST' },
};
const NONE = '–';

type Row = ReadonlyMap<string, string>;

/** The rows of the first table under a heading, by the names of its columns. */
function tableUnder(heading: string): readonly Row[] {
  const section = guide.slice(guide.indexOf(`## ${heading}`));
  const lines = section.slice(section.indexOf('\n| ') + 1).split('\n');
  const table = lines.slice(0, lines.indexOf(''));
  const [head = [], , ...rows] = table.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return rows.map((cells) => new Map(head.map((name, index) => [name, cells[index] ?? ''])));
}

const cases = readdirSync(folder).flatMap((file) =>
  readCases(readFileSync(new URL(file, folder), 'utf8')).map(({ title, transport = '', exchanges }) => ({
    file,
    transport,
    title,
    answer: exchanges.at(-1)?.answer,
  })),
);

/** The guide's text about the rows of one table, and the cases that send them. */
function holdsTogether(heading: string, verb: string, cellOf: (status: number | undefined) => string): void {
  const rows = tableUnder(heading);
  const titleOf = (row: Row, transport: string): string =>
    `A request that ${row.get('A request that')?.replaceAll('`', '')} is ${verb} over ${TRANSPORTS[transport]?.title}.`;
  const sent = rows.map((row) => ({
    row,
    cases: cases.filter(({ title, transport }) => title === titleOf(row, transport)),
  }));

  it('has a case for every column of every row', () => {
    expect(rows.length).to.be.above(15);
    for (const { row, cases: ofRow } of sent) {
      for (const column of ['SOAP 1.1', 'SOAP 1.2', 'Forms']) {
        const found = ofRow.filter(({ transport }) => TRANSPORTS[transport]?.column === column);
        expect(found.length > 0, `${row.get('A request that')}, ${column}`).to.equal(row.get(column) !== NONE);
      }
    }
  });

  it('describes what the cases expect', () => {
    for (const { row, cases: ofRow } of sent) {
      for (const { file, transport, answer } of ofRow) {
        const column = TRANSPORTS[transport]?.column ?? '';
        expect(row.get(column), file).to.equal(cellOf(answer?.status));
        const code = row.get('Code');
        if (code !== undefined && transport.startsWith('soap'))
          expect(answer?.body, file).to.include(`<Code>${code}</Code>`);
      }
    }
  });

  it('has a row for every case', () => {
    const known = new Set(sent.flatMap(({ cases: ofRow }) => ofRow));
    const unknown = cases.filter((one) => one.title.includes(` is ${verb} over `) && !known.has(one));
    expect(unknown.map(({ file, title }) => `${file}: ${title}`)).to.deep.equal([]);
  });
}

describe('The page for programs that called the old service', () => {
  it('says in the title of every case what happens to the request', () => {
    expect(cases.filter(({ title }) => !/ is (understood|refused) over (SOAP|HTTP) \S+\.$/.test(title))).to.deep.equal(
      [],
    );
  });

  describe('What stays the same', () => {
    holdsTogether('What stays the same', 'understood', (status) => (status === 200 ? 'yes' : 'no'));
  });

  describe('What is stricter', () => {
    holdsTogether('What is stricter', 'refused', String);
  });
});
