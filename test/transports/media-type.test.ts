import { expect } from 'chai';
import fc from 'fast-check';
import { readMediaType } from '../../src/transports/media-type.ts';

const NONE = { essence: '', charset: undefined, action: undefined };

describe('A Content-Type', () => {
  it('Type and charset are read in lower case.', () => {
    expect(readMediaType('Text/XML; Charset="UTF-8"')).to.deep.equal({
      essence: 'text/xml',
      charset: 'utf-8',
      action: undefined,
    });
  });

  it('The action parameter keeps its case, with and without quotes.', () => {
    expect(readMediaType('application/soap+xml; action="http://tempuri.org/GetDoctor"').action).to.equal(
      'http://tempuri.org/GetDoctor',
    );
    expect(readMediaType('application/soap+xml;charset=utf-8;action=GetDoctor').action).to.equal('GetDoctor');
  });

  it('An empty action is empty and not absent.', () => {
    expect(readMediaType('application/soap+xml; action=""').action).to.equal('');
  });

  it('The first of several charsets counts.', () => {
    expect(readMediaType('text/xml; charset=utf-8; charset=utf-16').charset).to.equal('utf-8');
  });

  it('Other parameters are ignored.', () => {
    expect(readMediaType('text/xml; boundary=x; q=1').essence).to.equal('text/xml');
  });

  for (const header of [undefined, '', 'text', 'text/', '/xml', ';charset=utf-8', 'text xml', 'text/x ml']) {
    it(`${header === undefined ? 'An absent header' : JSON.stringify(header)} has no type.`, () => {
      expect(readMediaType(header)).to.deep.equal(NONE);
    });
  }

  it('A header is read the same way again, whatever was read in between.', () => {
    const first = readMediaType('text/xml; charset=iso-8859-1');
    for (let n = 0; n < 500; n++) readMediaType(`text/x${n}`);
    expect(readMediaType('text/xml; charset=iso-8859-1')).to.deep.equal(first);
  });

  it('Any text is read without an error.', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(readMediaType(header)).to.have.all.keys('essence', 'charset', 'action');
      }),
    );
  });
});
