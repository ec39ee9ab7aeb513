import { expect } from 'chai';
import fc from 'fast-check';
import type { ResultRecord } from '../../../src/contract/contract.ts';
import { compileRecordWriter, compileResponseWriter } from '../../../src/transports/record-writer.ts';
import { Token, XmlScanner } from '../../../src/xml/xml-scanner.ts';
import { DOCTOR_LIST, GET_DOCTOR, record } from '../../wire/contract/small-contract.ts';

const write = compileRecordWriter(DOCTOR_LIST, 'urn:x', 'DoctorList');
const inner = (result: ResultRecord): string =>
  write(result).slice('<DoctorList xmlns="urn:x">'.length, -'</DoctorList>'.length);

describe('compileRecordWriter', () => {
  it('writes the element in its namespace, which is escaped', () => {
    expect(compileRecordWriter(record('R', []), 'urn:"<&', 'Root')({})).to.equal(
      '<Root xmlns="urn:&quot;&lt;&amp;"></Root>',
    );
  });
  it("writes fields in the contract's order and leaves undefined ones out", () => {
    expect(inner({ ResultText: 'fine', ResultCode: 0 })).to.equal(
      '<ResultCode>0</ResultCode><ResultText>fine</ResultText>',
    );
    expect(inner({ ResultCode: 1, ResultText: undefined })).to.equal('<ResultCode>1</ResultCode>');
  });
  it('ignores fields that are not in the contract', () => {
    expect(inner({ ResultCode: 1, Secret: 'x', constructor: 'y' })).to.equal('<ResultCode>1</ResultCode>');
  });
  it('repeats an array field for each of its items', () => {
    const Doctor = [
      { DoctorID: 1, DoctorName: 'A & B', Active: true, Since: '2027-01-18T10:15:00' },
      { DoctorID: -2, Active: false },
    ];
    expect(inner({ Doctors: { Doctor } })).to.equal(
      '<Doctors><Doctor><DoctorID>1</DoctorID><DoctorName>A &amp; B</DoctorName><Active>true</Active>' +
        '<Since>2027-01-18T10:15:00</Since></Doctor><Doctor><DoctorID>-2</DoctorID><Active>false</Active></Doctor></Doctors>',
    );
    expect(inner({ Doctors: { Doctor: [] } })).to.equal('<Doctors></Doctors>');
  });
  it('writes an empty string as an empty element', () => {
    expect(inner({ ResultText: '' })).to.equal('<ResultText></ResultText>');
  });
});

describe('compileResponseWriter', () => {
  it('wraps the result twice', () => {
    expect(compileResponseWriter(GET_DOCTOR, 'urn:x')({ ResultCode: 0 })).to.equal(
      '<GetDoctorResponse xmlns="urn:x"><GetDoctorResult><ResultCode>0</ResultCode></GetDoctorResult></GetDoctorResponse>',
    );
  });
  it('writes what the scanner reads back, for any string', () => {
    const awkward = fc.array(
      fc.constantFrom('&', '<', '>', ']]>', '\r', '\n', '\t', ' ', '\u{1f600}', '\u0939', '&amp;', '\u0085'),
    );
    const text = fc
      .oneof(
        awkward.map((parts) => parts.join('')),
        fc.string({ unit: 'grapheme' }),
      )
      .filter((value) => value !== '');
    fc.assert(
      fc.property(text, (ResultText) => {
        const scanner = new XmlScanner();
        scanner.reset(compileResponseWriter(GET_DOCTOR, 'urn:x')({ ResultText }));
        while (scanner.next() !== Token.Text);
        expect(scanner.text).to.equal(ResultText);
        while (scanner.next() !== Token.End);
      }),
    );
  });

  it('A frozen record is written once, and any other each time.', () => {
    let reads = 0;
    const counted = { ResultCode: 0 };
    Object.defineProperty(counted, 'ResultText', { get: () => `read ${++reads} times`, enumerable: true });
    const write = compileResponseWriter(GET_DOCTOR, 'urn:x');
    expect([write(counted), write(counted)].map((xml) => /read \d/.exec(xml)?.[0])).to.deep.equal(['read 1', 'read 2']);
    Object.freeze(counted);
    expect([write(counted), write(counted)].map((xml) => /read \d/.exec(xml)?.[0])).to.deep.equal(['read 3', 'read 3']);
  });
});
