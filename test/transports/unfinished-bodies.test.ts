import { expect } from 'chai';
import { UnfinishedBodies } from '../../src/transports/unfinished-bodies.ts';

describe('Bodies that are not whole', () => {
  const begin = (bodies: UnfinishedBodies, name: string, gone: string[]) => bodies.begin(() => gone.push(name));

  it('give way in the order in which they began, as many as make room', () => {
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

  it('make room themselves where none began before', () => {
    const bodies = new UnfinishedBodies(100);
    const gone: string[] = [];
    begin(bodies, 'only', gone).grow(101);
    expect(gone).to.deep.equal(['only']);
  });

  it('count no more once they are whole or given up', () => {
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
