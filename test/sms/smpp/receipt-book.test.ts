import { expect } from 'chai';
import type { DeliveryReceipt } from '../../../src/sms/gateway.ts';
import type { DeliveryReport } from '../../../src/sms/smpp/delivery-report.ts';
import { createReceiptBook, MAX_REMEMBERED } from '../../../src/sms/smpp/receipt-book.ts';

const MOBILE = '+919845012345';
const report = (id: string, status: DeliveryReport['status'] = 'delivered', mobile = MOBILE): DeliveryReport => ({
  id,
  status,
  code: 'X',
  mobile,
});

describe('The receipt book', () => {
  let told: DeliveryReceipt[];
  let book: ReturnType<typeof createReceiptBook>;
  beforeEach(() => {
    told = [];
    book = createReceiptBook((receipt) => void told.push(receipt));
  });
  const accept = (id: number, ...ids: string[]) => {
    const page = book.open({ id, mobile: MOBILE }, ids.length);
    for (const segment of ids) page.accepted(segment);
    page.finish();
    return page;
  };
  const short = () => told.map(({ messageId, reference, status }) => `${messageId ?? reference} ${status}`);

  it('knows a message by the id under which it was accepted', async () => {
    accept(7, 'A1');
    await book.receive(report('a1', 'submitted'));
    await book.receive(report('A1'));
    expect(short()).to.deep.equal(['7 submitted', '7 delivered']);
  });

  it('reports again what could not be stored', async () => {
    let fails = true;
    book = createReceiptBook((receipt) => {
      if (fails) throw new Error('disk full');
      told.push(receipt);
    });
    accept(7, '1', '2');
    await book.receive(report('1'));
    expect(await book.receive(report('2')).catch((error) => error.message)).to.equal('disk full');
    fails = false;
    await book.receive(report('2'));
    await book.receive(report('2'));
    expect(short().slice(0, 1)).to.deep.equal(['7 delivered']);
  });

  it('adds to an id that no message of this process has the reference that was received with it', async () => {
    await book.receive({ ...report('1', 'delivered', '919845012345'), userReference: 77 });
    expect(told).to.deep.equal([
      {
        messageId: undefined,
        reference: '1',
        clue: { idEnd: 77, mobile: '919845012345' },
        status: 'delivered',
        code: 'X',
      },
    ]);
  });

  it('waits for every segment before it says delivered', async () => {
    accept(7, '1', '2', '3');
    await book.receive(report('3'));
    await book.receive(report('1'));
    await book.receive(report('1'));
    expect(short()).to.deep.equal([]);
    await book.receive(report('2'));
    expect(short()).to.deep.equal(['7 delivered']);
  });

  it('reports a failed segment at once, and only once', async () => {
    accept(7, '1', '2', '3');
    await book.receive(report('1'));
    await book.receive(report('2', 'failed'));
    await book.receive(report('3', 'expired'));
    expect(short()).to.deep.equal(['7 failed']);
  });

  it('does not mistake the segments accepted so far for all segments', async () => {
    const page = book.open({ id: 7, mobile: MOBILE }, 2);
    page.accepted('1');
    await book.receive(report('1'));
    expect(short()).to.deep.equal([]);
    page.accepted('2');
    await book.receive(report('2'));
    expect(short()).to.deep.equal(['7 delivered']);
  });

  it('ignores segments of a message that was not sent as a whole', async () => {
    const page = book.open({ id: 7, mobile: MOBILE }, 2);
    page.accepted('1');
    page.close();
    page.accepted('2');
    page.finish();
    await book.receive(report('1', 'failed'));
    await book.receive(report('2', 'failed'));
    expect(short()).to.deep.equal(['1 failed', '2 failed']);
  });

  it('keeps a receipt that overtook the answer to its submission, and reports it after the answer', async () => {
    const page = book.open({ id: 7, mobile: MOBILE }, 1);
    await book.receive(report('1'));
    expect(short()).to.deep.equal([]);
    page.accepted('1');
    page.finish();
    expect(short()).to.deep.equal(['7 delivered']);
  });

  it('reports a held receipt by its id if it belongs to no message being sent', async () => {
    const [one, two] = [1, 2].map((id) => book.open({ id, mobile: MOBILE }, 1));
    await book.receive(report('99'));
    one?.finish();
    expect(short()).to.deep.equal([]);
    book.open({ id: 3, mobile: MOBILE }, 1);
    two?.finish();
    expect(short()).to.deep.equal(['99 delivered']);
  });

  it('relies on the id alone if the SMS center writes phones differently', async () => {
    accept(7, '1');
    await book.receive(report('1', 'delivered', '0'));
    expect(short()).to.deep.equal(['7 delivered']);
  });

  for (const [submitted, received] of [
    ['ABCDE1', '11259361'],
    ['000abcde1', '11259361'],
    ['11259361', '00ABCDE1'],
    ['11259361', '0011259361'],
  ] as const) {
    it(`recognizes ${submitted} when the receipt has ${received}`, async () => {
      accept(7, submitted);
      await book.receive(report(received));
      expect(short()).to.deep.equal(['7 delivered']);
    });
  }

  it('uses the phone to distinguish ids that could be the same number in decimal and hexadecimal', async () => {
    accept(7, '100');
    // 256 is 0x100.
    await book.receive(report('256', 'failed', '919845099999'));
    expect(short()).to.deep.equal(['256 failed']);
    await book.receive(report('256', 'failed', '9845012345'));
    expect(short().at(-1)).to.equal('7 failed');
  });

  it('chooses the message with the right phone if an id fits one message in each notation', async () => {
    const other = book.open({ id: 8, mobile: '+919845099999' }, 1);
    other.accepted('256');
    accept(7, '100');
    await book.receive(report('256'));
    expect(short()).to.deep.equal(['7 delivered']);
  });

  it("writes ids of an earlier process's messages in the notation in which the SMS center accepted them", async () => {
    accept(7, 'ABCDE1');
    await book.receive(report('11259361'));
    await book.receive(report('11259362'));
    expect(short()).to.deep.equal(['7 delivered', 'ABCDE2 delivered']);
  });

  it('forgets the oldest of a very large number', async () => {
    for (let id = 1; id <= MAX_REMEMBERED + 1; id++) accept(id, String(id));
    await book.receive(report('1'));
    await book.receive(report('2'));
    expect(told.map(({ messageId }) => messageId)).to.deep.equal([undefined, 2]);
  });
});
