import { expect } from 'chai';
import fc from 'fast-check';
import { readForm } from '../../../../src/transports/forms/read-form.ts';
import { ServiceError } from '../../../../src/vocabulary/errors.ts';

function errorOf(text: string): ServiceError {
  try {
    readForm(text);
  } catch (error) {
    expect(error).to.be.instanceOf(ServiceError);
    return error as ServiceError;
  }
  throw new Error(`accepted: ${text}`);
}

describe('A form', () => {
  it('Fields are read in order, with names and values decoded.', () => {
    expect(readForm('a=1&b=%E0%A4%B8&a=x+y%2B')).to.deep.equal([
      { name: 'a', value: '1' },
      { name: 'b', value: 'स' },
      { name: 'a', value: 'x y+' },
    ]);
  });

  it('An empty text is an empty form.', () => {
    expect(readForm('')).to.deep.equal([]);
  });

  it('Empty pairs are ignored.', () => {
    expect(readForm('&&a=1&')).to.deep.equal([{ name: 'a', value: '1' }]);
  });

  it('A name without = has an empty value.', () => {
    expect(readForm('wsdl')).to.deep.equal([{ name: 'wsdl', value: '' }]);
    expect(readForm('wsdl&a=1')).to.deep.equal([
      { name: 'wsdl', value: '' },
      { name: 'a', value: '1' },
    ]);
  });

  it('A value may contain = and markup characters.', () => {
    expect(readForm('a=b=c&d=<b>"\'')).to.deep.equal([
      { name: 'a', value: 'b=c' },
      { name: 'd', value: '<b>"\'' },
    ]);
  });

  it("The form in which .NET's proxies write non-ASCII characters is read.", () => {
    expect(readForm('Name=%u0938+%u20B9%uD83D%uDE00%26%25u00e9&b=%U00E9')).to.deep.equal([
      { name: 'Name', value: 'स ₹😀&%u00e9' },
      { name: 'b', value: 'é' },
    ]);
  });

  it('Bytes that are not UTF-8 are in the charset that the form declares, or in windows-1252.', () => {
    const read = (form: string, charset?: string) => readForm(form, charset).map(({ name, value }) => name + value);
    expect(read('a=caf%E9%92&b=\xe9&c=%E9%20%u20B9+%u00e9&d=%C3%A9&%E9=')).to.deep.equal([
      'acafé’',
      'bé',
      'cé ₹ é',
      'dé',
      'é',
    ]);
    for (const charset of ['utf-8', 'utf8', 'iso-8859-1', 'us-ascii'])
      expect(read('a=%E9', charset)).to.deep.equal(['aé']);
    expect(read('a=%E9&b=%C3%A9', 'windows-1251')).to.deep.equal(['aй', 'bé']);
    expect(read('a=1', 'unknown')).to.deep.equal(['a1']);
    expect(() => read('a=%E9', 'unknown')).to.throw('Parameter a: "%E9" is not percent-encoded UTF-8.');
  });

  for (const bad of [
    '%uD83D',
    '%uDE00%uD83D',
    '%uD83D-%uDE00',
    '%e0%a4%b0%e0%a4',
    '%c3%a9%c3',
    '%ed%a0%80',
    '%c0%80',
  ]) {
    it(`${bad} in a value is refused, and the parameter is named.`, () => {
      const error = errorOf(`ok=1&dept=${bad}`);
      expect(error.code).to.equal('Malformed');
      expect(error.message).to.equal(`Parameter dept: "${bad}" is not percent-encoded UTF-8.`);
    });
  }

  it('A percent sign that begins no escape is itself.', () => {
    for (const text of ['%', '%z1', '%4', '%u20b', '100%']) {
      expect(readForm(`${text}=${text}`)).to.deep.equal([{ name: text, value: text }]);
    }
    expect(readForm('a=%%41%u20B9%')).to.deep.equal([{ name: 'a', value: '%A\u20b9%' }]);
  });

  it('Bad UTF-8 in a name is refused.', () => {
    expect(errorOf('%c3%a9%c3=1').message).to.equal('A parameter name: "%c3%a9%c3" is not percent-encoded UTF-8.');
  });

  it('100 fields are accepted, and 101 are too many.', () => {
    expect(readForm(Array(100).fill('a=1').join('&'))).to.have.length(100);
    expect(errorOf(Array(101).fill('a=1').join('&')).code).to.equal('TooLarge');
  });

  it('Output of URLSearchParams is read back unchanged.', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.tuple(words, words), { maxLength: 20 }), (fields) => {
        const written = new URLSearchParams(fields).toString();
        const expected = fields.map(([name, value]) => ({ name, value }));
        expect(readForm(written)).to.deep.equal(expected);
      }),
    );
  });

  it('Any text is either read, or refused with a ServiceError.', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('%', '&', '=', '+', 'a', 'f', '0', '8', 'é') }), (text) => {
        try {
          readForm(text);
        } catch (error) {
          expect(error).to.be.instanceOf(ServiceError);
        }
      }),
    );
  });
});
