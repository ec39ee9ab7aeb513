import { expect } from 'chai';
import { SOAP_11, SOAP_12, versionOfEnvelope } from '../../../../src/transports/soap/soap-versions.ts';

describe('versionOfEnvelope', () => {
  it('recognizes the versions by the namespaces of their Envelopes and nothing else', () => {
    expect(versionOfEnvelope('http://schemas.xmlsoap.org/soap/envelope/')).to.equal(SOAP_11);
    expect(versionOfEnvelope('http://www.w3.org/2003/05/soap-envelope')).to.equal(SOAP_12);
    for (const other of ['', 'http://www.w3.org/2003/05/soap-envelope/', 'http://schemas.xmlsoap.org/soap/envelope']) {
      expect(versionOfEnvelope(other)).to.equal(undefined);
    }
  });
});
