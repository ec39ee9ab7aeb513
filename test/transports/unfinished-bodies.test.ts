import { expect } from 'chai';
import { UnfinishedBodies } from '../../src/transports/unfinished-bodies.ts';

describe('Unfinished bodies', () => {
  const begin = (bodies: UnfinishedBodies, name: string, gone: string[]) => bodies.begin(() => gone.push(name));

  it('are dropped in the order in which they began, as many as necessary', () => {
    const bodies = new UnfinishedBodies(100);
    const gone: string[] = [];
    const [first, second, third] = ['first', 'second', 'third'].map((name) => begin(bodies, name, gone));
    third?.grow(40);
    first?.grow(30);
    second?.grow(30);
    expect(gone).to.deep.equal([]);
    third?.grow(31);
    expect(gone).to.deep.equal(['first', 'second']);
  });

  it('are dropped themselves if no earlier one exists', () => {
    const bodies = new UnfinishedBodies(100);
    const gone: string[] = [];
    begin(bodies, 'only', gone).grow(101);
    expect(gone).to.deep.equal(['only']);
  });

  it('no longer count once they are complete or dropped', () => {
    const bodies = new UnfinishedBodies(100);
    const gone: string[] = [];
    const first = begin(bodies, 'first', gone);
    first.grow(90);
    first.end();
    const second = begin(bodies, 'second', gone);
    second.grow(101);
    second.grow(1000);
    begin(bodies, 'third', gone).grow(100);
    expect(gone).to.deep.equal(['second']);
  });
});
