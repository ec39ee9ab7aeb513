import { expect } from 'chai';
import fc from 'fast-check';
import { readMediaType } from '../../src/transports/media-type.ts';

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

  it('An absent header has no type, and neither has one that is longer than any program sends.', () => {
    const none = { essence: '', charset: undefined, action: undefined };
    expect(readMediaType(undefined)).to.deep.equal(none);
    expect(readMediaType(`text/xml;a=${'b'.repeat(1014)}`)).to.deep.equal(none);
    expect(readMediaType(`text/xml;a=${'b'.repeat(1013)}`).essence).to.equal('text/xml');
  });

  it('Any text is read without an error.', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(readMediaType(header)).to.have.all.keys('essence', 'charset', 'action');
      }),
    );
  });
});
