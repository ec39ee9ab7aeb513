import { expect } from 'chai';
import { FAULT_ANSWERS, type Fault } from '../../../../src/transports/faults.ts';
import { createFaultWriter, writeEnvelope, writeFaultHeader } from '../../../../src/transports/soap/soap-fault.ts';
import { SOAP_11, SOAP_12, type SoapVersion } from '../../../../src/transports/soap/soap-versions.ts';
import { ERROR_CODES, type ErrorCode, ServiceError } from '../../../../src/vocabulary/errors.ts';
import { validateAll } from '../../../wire/cases/validate-all.ts';
import { findElement, linesOf, parseXmlTree, writeXmlTree, type XmlTree } from '../../../wire/cases/xml-tree.ts';
import { ownContract, ownWsdl } from '../../../wire/contract/own-wsdl.ts';
import { schemaOf } from '../../../wire/contract/schema-of.ts';

const write = createFaultWriter(ownContract.fault, ownContract.namespace);
const codes = Object.keys(ERROR_CODES) as ErrorCode[];

const fault = (code: ErrorCode, more: Partial<Fault> = {}): Fault => ({
  code,
  message: ERROR_CODES[code],
  resultCode: undefined,
  parameter: undefined,
  correlationId: 'id-1',
  ...more,
});

function treeOf(version: SoapVersion, what: Fault, error?: ServiceError): XmlTree {
  return parseXmlTree(writeEnvelope(version, writeFaultHeader(version, error), write(version, what)));
}

describe('A SOAP fault', () => {
  it('In SOAP 1.1, it has its code, its text and a ServiceFault as detail.', () => {
    const expected = parseXmlTree(`<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault>
      <faultcode>s:Client</faultcode><faultstring>No &lt;b&gt; &amp; no.</faultstring>
      <detail><ServiceFault xmlns="http://tempuri.org/"><Code>Refused</Code><ResultCode>14</ResultCode>
        <Message>No &lt;b&gt; &amp; no.</Message><Parameter>app_time</Parameter><CorrelationId>id-1</CorrelationId>
      </ServiceFault></detail></s:Fault></s:Body></s:Envelope>`);
    const what = fault('Refused', { message: 'No <b> & no.', resultCode: 14, parameter: 'app_time' });
    expect(linesOf(treeOf(SOAP_11, what))).to.equal(linesOf(expected));
  });

  it('In SOAP 1.2, it has a Subcode in the namespace and its text in English.', () => {
    const expected = parseXmlTree(`<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault>
      <s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value xmlns:t="http://tempuri.org/">t:InvalidValue</s:Value></s:Subcode></s:Code>
      <s:Reason><s:Text xml:lang="en">Wrong.</s:Text></s:Reason>
      <s:Detail><ServiceFault xmlns="http://tempuri.org/"><Code>InvalidValue</Code><Message>Wrong.</Message>
        <CorrelationId>id-1</CorrelationId></ServiceFault></s:Detail></s:Fault></s:Body></s:Envelope>`);
    expect(linesOf(treeOf(SOAP_12, fault('InvalidValue', { message: 'Wrong.' })))).to.equal(linesOf(expected));
  });

  it('Every error code is written in both versions.', () => {
    for (const code of codes) {
      for (const version of [SOAP_11, SOAP_12]) {
        const { [version.name]: faultCode } = FAULT_ANSWERS[code];
        const values = linesOf(treeOf(version, fault(code)));
        expect(values, code).to.include(`"{${version.envelopeNamespace}}${faultCode}"`);
      }
    }
  });

  it('Every detail is valid against the types of the contract.', async () => {
    const details = new Map<string, string>();
    for (const code of codes) {
      const detail = findElement(treeOf(SOAP_11, fault(code, { resultCode: 10, parameter: 'a' })), '{}detail');
      if (detail?.children[0] !== undefined) details.set(`${code}.xml`, writeXmlTree(detail.children[0]));
    }
    expect(details.size).to.equal(codes.length - 2);
    expect(await validateAll(schemaOf(ownWsdl), details)).to.deep.equal([]);
  });

  it('A fault about a header has no detail, because the detail is about the Body.', () => {
    for (const code of ['MustUnderstand', 'VersionMismatch'] as const) {
      for (const version of [SOAP_11, SOAP_12]) expect(linesOf(treeOf(version, fault(code)))).to.not.match(/detail/i);
    }
  });

  it('A fault about a Security header has the WS-Security code, in SOAP 1.2 as a Subcode.', () => {
    const what = fault('Unauthorized', { securityFault: 'FailedAuthentication' });
    const code =
      '"{http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd}FailedAuthentication"';
    expect(findElement(treeOf(SOAP_11, what), '{}faultcode')).to.not.equal(undefined);
    expect(linesOf(treeOf(SOAP_11, what))).to.include(code);
    const lines = linesOf(treeOf(SOAP_12, what));
    expect(lines.indexOf(code)).to.be.greaterThan(lines.indexOf(`"{${SOAP_12.envelopeNamespace}}Sender"`));
    for (const version of [SOAP_11, SOAP_12]) expect(linesOf(treeOf(version, what))).to.not.match(/detail/i);
  });

  it('SOAP 1.2 names each header that was not understood.', () => {
    const notUnderstood = [
      { namespace: 'urn:a&"<', localName: 'One' },
      { namespace: 'urn:b', localName: 'Two' },
    ];
    const error = new ServiceError('MustUnderstand', undefined, { notUnderstood });
    const header = findElement(
      treeOf(SOAP_12, fault('MustUnderstand'), error),
      '{http://www.w3.org/2003/05/soap-envelope}Header',
    );
    expect(header?.children.map(({ attributes }) => attributes)).to.deep.equal([
      [['{}qname', '{urn:a&"<}One']],
      [['{}qname', '{urn:b}Two']],
    ]);
    expect(writeFaultHeader(SOAP_11, error)).to.equal('');
  });

  it('SOAP 1.2 names the versions that are understood, the newer one first.', () => {
    const header = findElement(
      treeOf(SOAP_12, fault('VersionMismatch'), new ServiceError('VersionMismatch')),
      '{http://www.w3.org/2003/05/soap-envelope}Upgrade',
    );
    expect(header?.children.map(({ attributes }) => attributes[0]?.[1])).to.deep.equal([
      `{${SOAP_12.envelopeNamespace}}Envelope`,
      `{${SOAP_11.envelopeNamespace}}Envelope`,
    ]);
  });
});
