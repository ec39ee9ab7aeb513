import { expect } from 'chai';
import fc from 'fast-check';
import { decodePdu, encodePdu, PduFrames, statusName, statusOf } from '../../../../src/messages/gateways/pdu.ts';
import { submitRefusal } from '../../../../src/messages/gateways/submit.ts';

describe('A PDU', () => {
  it('is written as the protocol defines it', () => {
    expect(encodePdu('enquire_link', 7).toString('hex')).to.equal('00000010000000150000000000000007');
    const hex = encodePdu('submit_sm', 1, {
      destination_addr: '91',
      short_message: Buffer.of(0, 0xff),
      dlt_principal_entity_id: '11',
      dlt_template_id: '12',
    }).toString('hex');
    const [before, after] = ['00'.repeat(6), '00'.repeat(10)];
    expect(hex.slice(32)).to.equal(`${before}3931${after}0200ff140000023131140100023132`);
  });

  it('is read with its octets unchanged', () => {
    const text = Buffer.from('id:a_@b stat:DELIVRD');
    const pdu = decodePdu(encodePdu('deliver_sm', 3, { short_message: text, validity_period: 'junk' }));
    expect(pdu).to.include({ command: 'deliver_sm', sequence_number: 3, validity_period: 'junk' });
    expect(pdu.short_message).to.deep.equal(text);
  });

  it('is answered with generic_nack if its command is unknown', () => {
    const frame = Buffer.from('00000010000007770000000000000009', 'hex');
    expect(decodePdu(frame)).to.include({ command: 'unknown' });
    expect(decodePdu(frame).response().toBuffer().toString('hex')).to.equal('00000010800000000000000300000009');
  });

  it('is found in the stream however it is split', () => {
    const pdus = [
      encodePdu('enquire_link', 1),
      encodePdu('unbind', 2),
      encodePdu('deliver_sm', 3, { source_addr: 'x' }),
    ];
    const stream = Buffer.concat(pdus);
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
        const frames = new PduFrames();
        const ends = [...cuts, stream.length].sort((a, b) => a - b);
        const found = ends.flatMap((end, index) => frames.take(stream.subarray(ends[index - 1] ?? 0, end)));
        expect(found.map((frame) => frame.toString('hex'))).to.deep.equal(pdus.map((pdu) => pdu.toString('hex')));
      }),
    );
  });

  for (const length of ['00000000', '0000000f', '00004001', 'ffffffff']) {
    it(`ends the stream if its length is 0x${length}`, () => {
      expect(() => new PduFrames().take(Buffer.from(length, 'hex'))).to.throw(RangeError);
    });
  }
});

describe('A status', () => {
  it("has the protocol's name, or its number", () => {
    expect(statusName(0x58)).to.equal('ESME_RTHROTTLED');
    expect(statusName(0x401)).to.equal('0x401');
    expect(() => statusOf('ESME_NONSENSE')).to.throw(RangeError);
  });

  for (const [name, kind] of [
    ['ESME_RTHROTTLED', 'unavailable'],
    ['ESME_RMSGQFUL', 'unavailable'],
    ['ESME_RINVBNDSTS', 'unavailable'],
    ['ESME_RSYSERR', 'failed'],
    ['ESME_RSUBMITFAIL', 'failed'],
    ['ESME_RX_T_APPN', 'failed'],
    ['ESME_RINVDSTADR', 'refused'],
    ['ESME_RINVSRCADR', 'account'],
    ['ESME_RTLVNOTALLWD', 'account'],
    ['ESME_RINVMSGLEN', 'refused'],
    ['ESME_RX_P_APPN', 'refused'],
    ['ESME_RMISSINGTLV', 'account'],
    ['ESME_RINVMSGID', 'failed'],
  ] as const) {
    it(`${name} makes a message ${kind}`, () => {
      expect(submitRefusal(statusOf(name))).to.deep.equal({ kind, code: name });
    });
  }

  it("is treated as temporary if it is a vendor's", () => {
    expect(submitRefusal(0x45d)).to.deep.equal({ kind: 'failed', code: '0x45D' });
  });
});
