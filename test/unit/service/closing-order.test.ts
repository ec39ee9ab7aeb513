import { expect } from 'chai';
import { ClosingOrder } from '../../../src/service/closing-order.ts';

describe('ClosingOrder', () => {
  const never = () => new Promise<never>(() => {});

  it('closes in reverse order, and the members of one group at the same time', async () => {
    const order: string[] = [];
    const thing =
      (name: string, until: Promise<unknown> = Promise.resolve()) =>
      async () => {
        order.push(`${name} begins`);
        await until;
        order.push(`${name} ends`);
      };
    const { promise, resolve } = Promise.withResolvers<void>();
    const open = new ClosingOrder();
    open.add(thing('store'));
    open.add(thing('server', promise));
    open.withPrevious(async () => resolve());
    expect(await open.close(1000, (error) => expect.fail(String(error)))).to.equal(true);
    expect(order).to.deep.equal(['server begins', 'server ends', 'store begins', 'store ends']);
  });

  it('closes everything even if one member throws', async () => {
    const open = new ClosingOrder();
    let isClosed = false;
    open.add(async () => {
      isClosed = true;
    });
    open.add(() => {
      throw new Error('no');
    });
    const errors: unknown[] = [];
    expect(await open.close(1000, (error) => errors.push(error))).to.equal(true);
    expect([isClosed, String(errors)]).to.deep.equal([true, 'Error: no']);
  });

  it('waits no longer than the limit', async () => {
    const open = new ClosingOrder();
    open.withPrevious(never);
    open.withPrevious(never);
    expect(await open.close(20, (error) => expect.fail(String(error)))).to.equal(false);
  });
});
