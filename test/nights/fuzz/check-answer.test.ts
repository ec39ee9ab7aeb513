import { expect } from 'chai';
import { createAnswerCheck } from '../../../scripts/fuzz/check-answer.ts';
import type { FuzzedRequest } from '../../../scripts/fuzz/fuzzed-request.ts';
import { readContract } from '../../../src/contract/read-contract.ts';
import type { Answer } from '../../support/http/raw-connection.ts';
import { ownWsdl } from '../../wire/contract/own-wsdl.ts';

const PATH = '/TPWebServices.asmx';
const SOAP_11 = 'http://schemas.xmlsoap.org/soap/envelope/';
const SOAP_12 = 'http://www.w3.org/2003/05/soap-envelope';
const fault11 = (code: string, text = 'No.') =>
  `<s:Envelope xmlns:s="${SOAP_11}"><s:Body><s:Fault><faultcode>s:${code}</faultcode><faultstring>${text}</faultstring></s:Fault></s:Body></s:Envelope>`;
const fault12 = (code: string) =>
  `<s:Envelope xmlns:s="${SOAP_12}"><s:Body><s:Fault><s:Code><s:Value>s:${code}</s:Value></s:Code></s:Fault></s:Body></s:Envelope>`;

describe('createAnswerCheck', () => {
  const check = createAnswerCheck(readContract(ownWsdl), () => {});

  function problems(status: number, type: string, body: string, path = PATH, method = 'POST'): readonly string[] {
    const request = { method, path, isWhole: true } as FuzzedRequest;
    const headers = new Map([
      ['content-type', `${type}; charset=utf-8`],
      ['cache-control', 'no-store'],
      ['x-content-type-options', 'nosniff'],
    ]);
    return check(request, { status, headers, body: Buffer.from(body), head: '' } as Answer);
  }

  it('accepts every permitted answer', () => {
    expect(problems(500, 'text/xml', fault11('Client'))).to.deep.equal([]);
    expect(problems(500, 'application/soap+xml', fault12('Sender'))).to.deep.equal([]);
    expect(problems(400, 'text/plain', 'Missing parameter: centerid.', `${PATH}/GetDoctor`)).to.deep.equal([]);
    const record = '<DoctorList xmlns="http://tempuri.org/"><ResultCode>0</ResultCode></DoctorList>';
    expect(problems(200, 'text/xml', record, `${PATH}/GetDoctor`)).to.deep.equal([]);
  });

  const wrong: readonly (readonly [what: string, found: readonly string[]])[] = [
    ['a server’s fault of SOAP 1.1', problems(500, 'text/xml', fault11('Server'))],
    ['a receiver’s fault of SOAP 1.2', problems(500, 'application/soap+xml', fault12('Receiver'))],
    ['an envelope of the other version', problems(400, 'application/soap+xml', fault11('Client'))],
    ['a fault with status 200', problems(200, 'text/xml', fault11('Client'))],
    ['XML that is not well-formed', problems(400, 'text/xml', fault11('Client').replace('</s:Body>', ''))],
    ['a stack trace', problems(400, 'text/xml', fault11('Client', 'No\n    at f (a.b:1)'))],
    ['an exception’s message', problems(400, 'text/xml', fault11('Client', 'Cannot read properties of undefined'))],
    ['SQL', problems(400, 'text/plain', 'near SELECT id FROM doctor.', `${PATH}/GetDoctor`)],
    ['a path on the machine', problems(400, 'text/plain', 'No /var/lib/b.', `${PATH}/GetDoctor`)],
    ['a status that is not listed', problems(500, 'text/plain', 'No.', `${PATH}/GetDoctor`)],
    ['HTML where it is not allowed', problems(200, 'text/html', '<p>', `${PATH}/GetDoctor`)],
    [
      'a record that belongs to no operation',
      problems(200, 'text/xml', '<x xmlns="http://tempuri.org/"/>', `${PATH}/GetDoctor`),
    ],
    ['JSON that cannot be read', problems(200, 'application/json', '{', `${PATH}/GetDoctor`, 'GET')],
    ['text of more than one line', problems(400, 'text/plain', 'a\nb.', `${PATH}/GetDoctor`)],
    ['405 without Allow', problems(405, 'text/plain', 'No.', `${PATH}/GetDoctor`, 'PUT')],
  ];
  for (const [what, found] of wrong) {
    it(`finds ${what}`, () => {
      expect(found).not.to.deep.equal([]);
    });
  }
});
