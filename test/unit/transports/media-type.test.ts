import { expect } from 'chai';
import express, { type Request } from 'express';
import fc from 'fast-check';
import { wantsJson } from '../../../src/transports/media-type.ts';
import { readMediaType } from '../../../src/vocabulary/media-type.ts';

describe('A Content-Type', () => {
  it('is read with type and charset in lower case, its action as it is, and nothing else', () => {
    expect(readMediaType('Text/XML; boundary=x; Charset="UTF-8"; charset=utf-16')).to.deep.equal({
      essence: 'text/xml',
      charset: 'utf-8',
      action: undefined,
    });
    const actionOf = (action: string) => readMediaType(`application/soap+xml;charset=utf-8; action=${action}`).action;
    expect(['"http://tempuri.org/GetDoctor"', 'GetDoctor', '""'].map(actionOf)).to.deep.equal([
      'http://tempuri.org/GetDoctor',
      'GetDoctor',
      '',
    ]);
  });

  it('has no type if it is absent, or longer than any program sends', () => {
    const none = { essence: '', charset: undefined, action: undefined };
    expect(readMediaType(undefined)).to.deep.equal(none);
    expect(readMediaType(`text/xml;a=${'b'.repeat(1014)}`)).to.deep.equal(none);
    expect(readMediaType(`text/xml;a=${'b'.repeat(1013)}`).essence).to.equal('text/xml');
  });

  it('is read without an error, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(readMediaType(header)).to.have.all.keys('essence', 'charset', 'action');
      }),
    );
  });
});

describe('An Accept header', () => {
  /** A request as Express's own methods see it. */
  const requestWith = (accept: string | undefined): Request =>
    Object.assign(Object.create(express.request), { headers: accept === undefined ? {} : { accept } });

  it('asks for JSON if it prefers it to XML', () => {
    for (const accept of [
      'application/json',
      'Application/JSON',
      'application/problem+json',
      'application/json, text/xml;q=0.9',
      'application/json, */*;q=0.1',
      'text/html, application/json',
      'application/json; charset=utf-8',
      'application/json;odata=verbose',
      'application/json;version=1;q=0.9, text/xml;q=0.5',
    ]) {
      expect(wantsJson(requestWith(accept)), accept).to.equal(true);
    }
  });

  it('does not ask for JSON otherwise', () => {
    for (const accept of [
      undefined,
      '',
      '*/*',
      'text/xml',
      'text/*',
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'text/xml, application/json;q=0.5',
      'application/json;q=0, */*',
      'application/json;charset=utf-8;q=0.1, text/xml',
      'application/jsonfoo',
      'json',
    ]) {
      expect(wantsJson(requestWith(accept)), accept).to.equal(false);
    }
  });
});
