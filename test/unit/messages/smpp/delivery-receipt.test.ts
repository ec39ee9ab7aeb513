import { expect } from 'chai';
import { deliveryReceipt } from '../../../../src/messages/gateways/delivery-receipt.ts';
import { decodePdu, encodePdu, type PduFields } from '../../../../src/messages/gateways/pdu.ts';

const unknown: string[] = [];
/** The receipt that is read, with its id and our reference as the SMS center wrote them. */
const read = (fields: PduFields, command = 'deliver_sm') => {
  const pdu = decodePdu(encodePdu(command, 1, { source_addr: '+919845012345', ...fields }));
  const receipt = deliveryReceipt(pdu, (state) => unknown.push(state));
  if (receipt === undefined) return undefined;
  const { reference, status, code, hints } = receipt;
  expect(hints?.mobiles).to.deep.equal(['919845012345']);
  return { id: reference, status, code, ...(hints?.idEnd === undefined ? {} : { userReference: hints.idEnd }) };
};
const text = (words: string) => Buffer.from(words, 'latin1');

describe('deliveryReceipt', () => {
  const usual = 'id:0a_B-1 sub:001 dlvrd:001 submit date:2611200910 done date:2611200911 stat:DELIVRD err:000 text:Hi';
  const said = (words: string, more: PduFields = {}) => ({ esm_class: 4, short_message: text(words), ...more });
  const inTlvs = (id: string, state: number, more: PduFields = {}) => ({
    ...{ esm_class: 4, receipted_message_id: id, message_state: state },
    ...more,
  });
  /** The id, the status and the code. */
  const told: readonly [what: string, fields: PduFields, read: string][] = [
    ['the usual text', said(usual), 'a_b-1 delivered DELIVRD:000'],
    ['other letters, order and spaces', said('ID: 77 Status: undeliv Err: 2E'), '77 failed UNDELIV:2E'],
    ['TLVs without a text', inTlvs('77', 3), '77 expired EXPIRED'],
    ['TLVs without esm_class', inTlvs('77', 2, { esm_class: 0 }), '77 delivered DELIVRD'],
    ['TLVs that say more than the text', said('id:171 stat:DELIVRD err:004', inTlvs('AB', 5)), 'ab failed UNDELIV:004'],
    [
      'a text in UCS-2',
      { esm_class: 4, data_coding: 8, short_message: Buffer.from('id:5 stat:EXPIRED', 'utf16le').swap16() },
      '5 expired EXPIRED',
    ],
    [
      'a text in message_payload',
      { esm_class: 4, message_payload: text('id:5 stat:REJECTD err:1') },
      '5 failed REJECTD:1',
    ],
    ['an intermediate state', said('id:5 stat:ACCEPTD err:000'), '5 submitted ACCEPTD:000'],
    ['signs of ids and other separators', said('\0id:a/b+c== ;stat:UNDELIV|err:ab\0'), 'a/b+c== failed UNDELIV:ab'],
    ['an error in a TLV', inTlvs('77', 5, { network_error_code: Buffer.of(3, 0x02, 0x74) }), '77 failed UNDELIV:628'],
    [
      'an intermediate notification, which ends nothing',
      said('id:5 stat:UNDELIV err:001', { esm_class: 0x20 }),
      '5 submitted UNDELIV:001',
    ],
    [
      'a text whose quoted message looks like a receipt',
      said('id:5 stat:EXPIRED text:id:6 stat:DELIVRD err:7'),
      '5 expired EXPIRED',
    ],
  ];
  for (const [what, fields, expected] of told) {
    it(`reads ${what}`, () => {
      const { id, status, code, ...more } = read(fields) ?? {};
      expect(`${id} ${status} ${code}`).to.equal(expected);
      expect(more).to.deep.equal({});
    });
  }

  it('reads our own reference, returned by the center', () => {
    const receipt = read(inTlvs('77', 2, { user_message_reference: 0x2345 }));
    expect(receipt).to.deep.equal({ id: '77', status: 'delivered', code: 'DELIVRD', userReference: 0x2345 });
  });

  for (const [word, status] of [
    ['DELIVERED', 'delivered'],
    ['UNDELIVERABLE', 'failed'],
    ['Undelivered', 'failed'],
    ['REJECTED', 'failed'],
    ['ACCEPTED', 'submitted'],
  ]) {
    it(`understands ${word}, which is not a word of the protocol`, () => {
      expect(read({ esm_class: 4, short_message: text(`id:5 stat:${word}`) })).to.include({ status });
    });
  }

  for (const [received, ids] of [
    ['00171', ['171', 'ab', '369']],
    ['00ABCDE1', ['abcde1', '11259361']],
    ['abc_1', ['abc_1']],
  ] as const) {
    it(`recognizes ${received} in every notation`, () => {
      const pdu = decodePdu(encodePdu('deliver_sm', 1, { receipted_message_id: received, message_state: 2 }));
      const { reference, hints } = deliveryReceipt(pdu, () => {}) ?? {};
      expect([reference, ...(hints?.references ?? [])]).to.deep.equal(ids);
    });
  }

  it('reads an id no further than its TLV, whether or not NUL ends it', () => {
    for (const id of ['77', '77\x00', '77\x00999']) {
      const fields = { esm_class: 4, message_state: 2, receipted_message_id: id, user_message_reference: 0x3939 };
      expect(read(fields)).to.include({ id: '77', userReference: 0x3939 });
    }
  });

  for (const [words, status] of [
    ['id:5 stat:TEMPLATE-NOT-MATCHED err:628', 'failed TEMPLATE-NOT-MATCHED:628'],
    ['id:5 stat:SNDR-NT-REG', 'failed SNDR-NT-REG'],
    ['id:5,sub:001,stat:ABSENT-SUB,err:27,text:x', 'failed ABSENT-SUB:27'],
    ['id:5 stat:HANDED-OVER err:000', 'submitted HANDED-OVER:000'],
  ] as const) {
    it(`takes ${words} as ${status}`, () => {
      const { status: found, code } = read({ esm_class: 4, short_message: text(words) }) ?? {};
      expect(`${found} ${code}`).to.equal(status);
    });
  }

  for (const [source, destination, mobiles] of [
    ['HOSPTL', '+91 98450-12345', ['919845012345']],
    ['91984XXXXX45', 'HOSPTL', []],
    ['', '56161', []],
  ] as const) {
    it(`finds ${mobiles.length} phones in a receipt from "${source}" to "${destination}"`, () => {
      const fields = { esm_class: 4, short_message: text(usual), source_addr: source, destination_addr: destination };
      const receipt = deliveryReceipt(decodePdu(encodePdu('deliver_sm', 1, fields)), () => {});
      expect(receipt?.hints?.mobiles).to.deep.equal(mobiles);
    });
  }

  it('reads what precedes a TLV that is longer than its PDU', () => {
    const frame = Buffer.concat([
      encodePdu('deliver_sm', 1, said('id:5 stat:EXPIRED')),
      Buffer.from('04270001', 'hex'),
    ]);
    frame.writeUInt32BE(frame.length, 0);
    expect(deliveryReceipt(decodePdu(frame), () => {})).to.include({ reference: '5', status: 'expired' });
  });

  it('reports the word of an unknown state', () => {
    unknown.length = 0;
    read({ esm_class: 4, short_message: text('id:5 stat:WHATEVER') });
    expect(unknown).to.deep.equal(['WHATEVER']);
  });

  it('reads a receipt that arrives as data_sm', () => {
    const fields = { esm_class: 4, receipted_message_id: '5', message_state: 2 };
    expect(read(fields, 'data_sm')).to.include({ id: '5', status: 'delivered' });
  });

  const unmarked = { short_message: text('id:5 stat:DELIVRD err:000') };
  it('reads one that is not marked as such', () => {
    expect(read(unmarked)).to.include({ id: '5', status: 'delivered' });
  });

  const nothing: readonly [string, PduFields][] = [
    ["a message from somebody's phone", { short_message: text('Thank you') }],
    ['a text like a receipt that is not marked and names no number', { ...unmarked, source_addr: 'HOSPTL' }],
    ['a receipt without an id', { esm_class: 4, short_message: text('stat:DELIVRD') }],
    ['a receipt without a text', { esm_class: 4 }],
    ['an id that no message can have', { esm_class: 4, message_state: 2, receipted_message_id: '7'.repeat(200) }],
  ];
  for (const [what, fields] of nothing) {
    it(`reads no receipt from ${what}`, () => expect(read(fields)).to.equal(undefined));
  }
});
