import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { root } from './source-files.ts';

const folder = new URL('docs/callers/clients/', root);
const guides = readdirSync(folder).filter((name) => name.endsWith('.md'));
const textOf = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

describe('The guides for clients', () => {
  it('are all linked', () => {
    const links = guides.flatMap((name) => [...textOf(name).matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path));
    expect(links).to.include.members(guides.filter((name) => name !== 'README.md'));
  });

  it('book times of their own, so that they can run one after another against the same service', () => {
    const starts = guides.flatMap((name) =>
      [...textOf(name).matchAll(/^0 The appointment is booked\. .*(\d\d:\d\d):00$/gm)].map(
        ([, time]) => `${name} ${time}`,
      ),
    );
    const times = [...new Set(starts)].map((start) => start.split(' ')[1]);
    expect(times).to.have.length.above(10);
    expect(new Set(times).size).to.equal(times.length);
  });
});
