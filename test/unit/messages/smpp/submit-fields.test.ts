import { expect } from 'chai';
import type { OutgoingMessage } from '../../../../src/messages/gateways/gateway.ts';
import { submitFields as fieldsOf, sourceAddress, validityPeriod } from '../../../../src/messages/gateways/submit.ts';
import { outgoing } from '../gateway-suite.ts';

const NOW = 1_800_000_000_000;
const submitFields = (message: OutgoingMessage, sender?: string) => fieldsOf(message, sender, NOW);
const octets = (fields: readonly Readonly<Record<string, unknown>>[]) =>
  fields.map(({ short_message }) => (short_message as Buffer).toString('hex'));

describe('submitFields', () => {
  it('writes a short text with one septet per octet', () => {
    const [fields, ...more] = submitFields(outgoing({ id: 0x12345, text: 'A€' }));
    expect(more).to.deep.equal([]);
    expect(fields).to.deep.equal({
      source_addr_ton: 0,
      source_addr_npi: 0,
      source_addr: '',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: '919845012345',
      registered_delivery: 1,
      data_coding: 0,
      validity_period: '',
      user_message_reference: 0x2345,
      short_message: Buffer.of(0x41, 0x1b, 0x65),
    });
  });

  it('writes UCS-2 with the high octet first, and an emoji as a surrogate pair', () => {
    const fields = submitFields(outgoing({ text: 'न😀' }));
    expect(octets(fields)).to.deep.equal(['0928d83dde00']);
    expect(fields[0]).to.include({ data_coding: 8 });
  });

  it('numbers segments after a header of six octets and splits no surrogate pair', () => {
    const text = `${'a'.repeat(152)}€${'b'.repeat(152)}{`;
    const fields = submitFields(outgoing({ id: 0x1ff, text }));
    expect(fields.map(({ esm_class }) => esm_class)).to.deep.equal([0x40, 0x40, 0x40]);
    expect(fields.map(({ registered_delivery }) => registered_delivery)).to.deep.equal([undefined, undefined, 1]);
    const messages = octets(fields);
    expect(messages.map((hex) => hex.slice(0, 12))).to.deep.equal(['050003ff0301', '050003ff0302', '050003ff0303']);
    expect(messages.map((hex) => hex.length / 2)).to.deep.equal([6 + 152, 6 + 153, 6 + 3]);
    expect(messages[1]?.slice(12, 16)).to.equal('1b65');
    expect(messages[2]?.slice(12)).to.equal('621b28');
  });

  it('fills segments of UCS-2 up to 134 octets', () => {
    const fields = submitFields(outgoing({ text: 'न'.repeat(71) }));
    expect(octets(fields).map((hex) => hex.length / 2)).to.deep.equal([140, 14]);
  });

  it('requests class 0 in the alphabet of the text', () => {
    expect(submitFields(outgoing({ flash: true }))[0]).to.include({ data_coding: 0x10 });
    expect(submitFields(outgoing({ flash: true, text: 'न' }))[0]).to.include({ data_coding: 0x18 });
  });

  it("prefers the message's header to the sender, and passes on DLT ids", () => {
    const dlt = { header: 'HOSPTL', dltTemplateId: '1107160000000000001', principalEntityId: '1101000000000000001' };
    expect(submitFields(outgoing(dlt), 'OTHER')[0]).to.include({
      source_addr: 'HOSPTL',
      dlt_principal_entity_id: '1101000000000000001',
      dlt_template_id: '1107160000000000001',
    });
    expect(submitFields(outgoing(), 'OTHER')[0])
      .to.include({ source_addr: 'OTHER' })
      .and.to.not.have.any.keys('dlt_principal_entity_id', 'dlt_template_id');
  });
});

describe('sourceAddress', () => {
  const forms: readonly [string | undefined, number, number, string][] = [
    ['HOSPTL', 5, 0, 'HOSPTL'],
    ['My Clinic 2', 5, 0, 'My Clinic 2'],
    ['+919845012345', 1, 1, '919845012345'],
    ['919845012345', 1, 1, '919845012345'],
    ['56161', 0, 1, '56161'],
    [undefined, 0, 0, ''],
  ];
  for (const [sender, ton, npi, address] of forms) {
    it(`gives ${sender ?? 'no sender'} type ${ton} and plan ${npi}`, () => {
      expect(sourceAddress(sender)).to.deep.equal({
        source_addr_ton: ton,
        source_addr_npi: npi,
        source_addr: address,
      });
    });
  }
});

describe('validityPeriod', () => {
  const times: readonly [string, number | undefined, string][] = [
    ['never', undefined, ''],
    ['10 minutes', NOW + 600_000, '000000001000000R'],
    ['a second, a minute and an hour', NOW + 3_661_000, '000000010101000R'],
    ['no time left', NOW - 5000, '000000000001000R'],
  ];
  for (const [what, expiresOn, expected] of times) {
    it(`writes ${what} as ${expected || 'nothing'}`, () => expect(validityPeriod(expiresOn, NOW)).to.equal(expected));
  }
});
