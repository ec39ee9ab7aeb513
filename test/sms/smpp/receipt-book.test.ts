import { expect } from 'chai';
import type { SendOutcome } from '../../../src/sms/gateway.ts';
import type { DeliveryReport } from '../../../src/sms/smpp/delivery-report.ts';
import { MAX_REMEMBERED, ReceiptBook } from '../../../src/sms/smpp/receipt-book.ts';
import type { DeliveryReceipt } from '../../../src/vocabulary/messages.ts';

const MOBILE = '+919845012345';
const SUBMITTED: SendOutcome = { kind: 'submitted', reference: undefined };
const report = (id: string, status: DeliveryReport['status'] = 'delivered', mobile = MOBILE): DeliveryReport => ({
  id,
  status,
  code: 'X',
  mobile,
});

describe('The receipt book', () => {
  let receipts: DeliveryReceipt[];
  let book: ReceiptBook;
  beforeEach(() => {
    receipts = [];
    book = new ReceiptBook((receipt) => void receipts.push(receipt));
  });
  /** Begins to submit a message. `accept` and `end` say how the SMS center answers. */
  const submit = (id: number, segments: number, mobile = MOBILE) => {
    const ended = Promise.withResolvers<SendOutcome>();
    let accept = (_: string): void => {};
    const outcome = book.record({ id, mobile }, segments, (accepted) => {
      accept = accepted;
      return ended.promise;
    });
    const end = async (answer: SendOutcome = SUBMITTED): Promise<void> => {
      ended.resolve(answer);
      await outcome;
      await new Promise(setImmediate);
    };
    return { accept, end };
  };
  const accepted = async (id: number, ids: readonly string[], mobile = MOBILE) => {
    const { accept, end } = submit(id, ids.length, mobile);
    for (const each of ids) accept(each);
    await end();
  };
  const short = () => receipts.map(({ messageId, reference, status }) => `${messageId ?? reference} ${status}`);

  it('knows a message by the id under which it was accepted', async () => {
    await accepted(7, ['A1']);
    await book.receive(report('a1', 'submitted'));
    await book.receive(report('A1'));
    expect(short()).to.deep.equal(['7 submitted', '7 delivered']);
  });

  it('reports again what could not be stored', async () => {
    let fails = true;
    book = new ReceiptBook((receipt) => {
      if (fails) throw new Error('disk full');
      receipts.push(receipt);
    });
    await accepted(7, ['1', '2']);
    await book.receive(report('1'));
    expect(await book.receive(report('2')).catch((error) => error.message)).to.equal('disk full');
    fails = false;
    await book.receive(report('2'));
    await book.receive(report('2'));
    expect(short().slice(0, 1)).to.deep.equal(['7 delivered']);
  });

  it('passes on everything that may identify a message of another process', async () => {
    await book.receive({ ...report('00171', 'delivered', '919845012345'), userReference: 77 });
    // 171 is 0xab, and 0x171 is 369.
    expect(receipts).to.deep.equal([
      {
        messageId: undefined,
        reference: '171',
        hints: { references: ['ab', '369'], idEnd: 77, mobile: '919845012345' },
        status: 'delivered',
        code: 'X',
      },
    ]);
  });

  it('waits for every segment before it says delivered', async () => {
    await accepted(7, ['1', '2', '3']);
    await book.receive(report('3'));
    await book.receive(report('1'));
    await book.receive(report('1'));
    expect(short()).to.deep.equal([]);
    await book.receive(report('2'));
    expect(short()).to.deep.equal(['7 delivered']);
  });

  it('reports a failed segment at once, and only once', async () => {
    await accepted(7, ['1', '2', '3']);
    await book.receive(report('1'));
    await book.receive(report('2', 'failed'));
    await book.receive(report('3', 'expired'));
    expect(short()).to.deep.equal(['7 failed']);
  });

  it('does not mistake the segments accepted so far for all segments', async () => {
    const { accept } = submit(7, 2);
    accept('1');
    await book.receive(report('1'));
    expect(short()).to.deep.equal([]);
    accept('2');
    await book.receive(report('2'));
    expect(short()).to.deep.equal(['7 delivered']);
  });

  it('ignores segments of a message that was not sent as a whole', async () => {
    const { accept, end } = submit(7, 2);
    accept('1');
    await end({ kind: 'unknown', code: 'timeout' });
    accept('2');
    await book.receive(report('1', 'failed'));
    await book.receive(report('2', 'failed'));
    expect(short()).to.deep.equal(['1 failed', '2 failed']);
  });

  it('knows a message of one segment whose answer arrives late', async () => {
    const { accept, end } = submit(7, 1);
    await end({ kind: 'unknown', code: 'timeout' });
    accept('1');
    await book.receive(report('1'));
    expect(short()).to.deep.equal(['7 delivered']);
  });

  it('keeps a receipt that overtook the answer to its submission, and reports it after the answer', async () => {
    const { accept, end } = submit(7, 1);
    await book.receive(report('1'));
    expect(short()).to.deep.equal([]);
    accept('1');
    await end();
    expect(short()).to.deep.equal(['7 delivered']);
  });

  it('reports a held receipt by its id if it belongs to no message being sent', async () => {
    const [one, two] = [submit(1, 1), submit(2, 1)];
    await book.receive(report('99'));
    await one.end();
    expect(short()).to.deep.equal([]);
    submit(3, 1);
    await two.end();
    expect(short()).to.deep.equal(['99 delivered']);
  });

  for (const [submitted, received] of [
    ['ABCDE1', '11259361'],
    ['000abcde1', '11259361'],
    ['11259361', '00ABCDE1'],
    ['11259361', '0011259361'],
  ] as const) {
    it(`recognizes ${submitted} when the receipt has ${received}`, async () => {
      await accepted(7, [submitted]);
      await book.receive(report(received));
      expect(short()).to.deep.equal(['7 delivered']);
    });
  }

  it("never takes another number's message, whatever the notation", async () => {
    await accepted(8, ['256'], '+919845099999');
    await book.receive(report('256'));
    // 256 is 0x100.
    await accepted(7, ['100']);
    await book.receive(report('256'));
    expect(short()).to.deep.equal(['256 delivered', '7 delivered']);
  });

  it('chooses among messages to one number by the reference that the SMS center returns', async () => {
    await accepted(8, ['256']);
    await accepted(7, ['100']);
    await book.receive({ ...report('256'), userReference: 7 });
    expect(short()).to.deep.equal(['7 delivered']);
  });

  it('forgets the oldest of a very large number', async () => {
    const ids = Array.from({ length: MAX_REMEMBERED + 1 }, (_, index) => String(index + 1));
    const { accept, end } = submit(7, ids.length);
    for (const id of ids) accept(id);
    await end();
    await book.receive(report('1', 'submitted'));
    await book.receive(report('2', 'submitted'));
    expect(receipts.map(({ messageId }) => messageId)).to.deep.equal([undefined, 7]);
  });
});
