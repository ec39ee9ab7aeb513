import { expect } from 'chai';
import { createReadVerdict } from '../../../../src/commands/rehearse/trial.ts';
import { TRANSPORTS } from '../../../../src/contract/contract.ts';
import { SOAP_11, SOAP_12 } from '../../../../src/transports/soap/soap-versions.ts';
import { BOOKING_PARAMETERS } from '../../../support/http/booking-parameters.ts';
import { requestOver } from '../../../support/http/four-transports.ts';
import { envelope, GET_DOCTOR } from '../../../support/http/soap-request.ts';
import { type RunningService, startService } from '../../../support/process/start-service.ts';
import { ownContract } from '../../../wire/contract/own-wsdl.ts';

describe('The verdict that a rehearsal reads from an answer', () => {
  const readVerdict = createReadVerdict(ownContract);
  let service: RunningService;

  before(async () => {
    service = await startService();
  });

  const verdictOf = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(service.baseUrl + path, init);
    return readVerdict({ status: answer.status, body: await answer.text() });
  };

  for (const transport of TRANSPORTS) {
    const call = (parameters: object) => {
      const { url, headers, ...init } = requestOver(transport, ownContract.path, 'Fetch_Details', {
        ...BOOKING_PARAMETERS,
        ...parameters,
      });
      return verdictOf(url, { ...init, headers: { ...headers, Accept: 'application/json' } });
    };

    it(`is right for a fault, a refusal and a success over ${transport}`, async () => {
      expect(await call({ DoctorID: 'x' })).to.deep.equal({ code: 'InvalidValue', parameter: 'DoctorID' });
      expect(await call({ DoctorID: 9 })).to.deep.equal({ code: 'UnknownDoctor', parameter: 'DoctorID' });
      expect(await call({})).to.deep.equal({ code: undefined, parameter: undefined });
    });
  }

  for (const version of [SOAP_11, SOAP_12]) {
    const post = (body: string) =>
      verdictOf(ownContract.path, { method: 'POST', headers: { 'Content-Type': version.contentType }, body });

    it(`recognizes the faults of ${version.title} that have no detail`, async () => {
      const header = `<a xmlns="urn:a" xmlns:e="${version.envelopeNamespace}" e:mustUnderstand="1"/>`;
      expect((await post(envelope(version, GET_DOCTOR, header))).code).to.equal('MustUnderstand');
      const other = envelope({ ...version, envelopeNamespace: 'urn:b' }, GET_DOCTOR);
      expect((await post(other)).code).to.equal('VersionMismatch');
    });
  }

  it('depends on the status if an answer is a single sentence', async () => {
    expect((await verdictOf('/nothing')).code).to.equal('NotFound');
    expect((await verdictOf(ownContract.path, { method: 'PUT' })).code).to.equal('MethodNotAllowed');
    expect((await verdictOf(ownContract.path, { method: 'POST', body: 'a' })).code).to.equal('UnsupportedMediaType');
    expect((await verdictOf(`${ownContract.path}?wsdl`)).code).to.equal(undefined);
  });
});
