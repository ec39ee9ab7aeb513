import { expect } from 'chai';
import express, { type Request } from 'express';
import { wantsJson } from '../../src/transports/wants-json.ts';

/** A request as Express's own methods see it. */
const requestWith = (accept: string | undefined): Request =>
  Object.assign(Object.create(express.request), { headers: accept === undefined ? {} : { accept } });

describe('The answer that a caller wants', () => {
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
    it(`${accept} asks for JSON.`, () => {
      expect(wantsJson(requestWith(accept))).to.equal(true);
    });
  }

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
    it(`${accept === undefined ? 'No Accept' : JSON.stringify(accept)} does not ask for JSON.`, () => {
      expect(wantsJson(requestWith(accept))).to.equal(false);
    });
  }
});
