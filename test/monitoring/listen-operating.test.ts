import { expect } from 'chai';
import { listenOperating } from '../../src/monitoring/listen-operating.ts';
import { SetUpError } from '../../src/vocabulary/errors.ts';

describe("The operator's port", () => {
  it('names its setting where another replica has it already', async () => {
    const first = await listenOperating(new Map(), '127.0.0.1', 0, []);
    try {
      const error: unknown = await listenOperating(new Map(), '127.0.0.1', first.port, []).catch((thrown) => thrown);
      expect(error).to.be.instanceOf(SetUpError);
      expect(String(error)).to.include(`OPERATIONS_PORT=${first.port}: another program listens on this port`);
    } finally {
      await first.close();
    }
  });
});
