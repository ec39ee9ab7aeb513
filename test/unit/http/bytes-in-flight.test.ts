import { expect } from 'chai';
import { BytesInFlight } from '../../../src/http/bytes-in-flight.ts';

describe('Bytes in flight', () => {
  const begin = (bodies: BytesInFlight, name: string, gone: string[], sender: object = bodies) =>
    bodies.begin(sender, () => gone.push(name));

  it('are dropped in the order in which they began, as many as necessary', () => {
    const bodies = new BytesInFlight(100);
    const gone: string[] = [];
    const [first, second, third] = ['first', 'second', 'third'].map((name) => begin(bodies, name, gone));
    third?.grow(40);
    first?.grow(30);
    second?.grow(30);
    expect(gone).to.deep.equal([]);
    third?.grow(31);
    expect(gone).to.deep.equal(['first', 'second']);
  });

  it('are dropped of the sender that has the most, not of one whose began before', () => {
    const bodies = new BytesInFlight(100);
    const gone: string[] = [];
    const [honest, hostile] = [{}, {}];
    begin(bodies, 'honest', gone, honest).grow(30);
    begin(bodies, 'first of many', gone, hostile).grow(20);
    begin(bodies, 'second of many', gone, hostile).grow(40);
    const later = begin(bodies, 'later', gone, honest);
    later.grow(15);
    expect(gone).to.deep.equal(['first of many']);
    later.grow(25);
    expect(gone).to.deep.equal(['first of many', 'honest']);
  });

  it('are dropped themselves if no earlier one exists', () => {
    const bodies = new BytesInFlight(100);
    const gone: string[] = [];
    begin(bodies, 'only', gone).grow(101);
    expect(gone).to.deep.equal(['only']);
  });

  it('no longer count once they are complete or dropped', () => {
    const bodies = new BytesInFlight(100);
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
