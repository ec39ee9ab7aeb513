import { expect } from 'chai';
import { sampleFault, sampleRefusal } from '../../../src/transports/pages/sample-problems.ts';
import { ownContract } from '../../contract/own-wsdl.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';

/** The answer of the POST form to the examples of an operation, with one of them replaced. */
async function answerOf(service: RunningService, operation: string, parameter: string, value: string) {
  const { parameters = [] } = ownContract.operations.find((known) => known.name === operation) ?? {};
  const fields = parameters.map(
    ({ name, example }) => [name, name === parameter ? value : example] as [string, string],
  );
  const body = new URLSearchParams(fields);
  const answer = await fetch(`${service.endpoint}/${operation}`, { method: 'POST', body });
  return { status: answer.status, body: await answer.text() };
}

const flat = (message: string): string => message.slice(message.indexOf('\n\n') + 2).replace(/>\n *</g, '><');

describe('Samples of refusals and faults', () => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  for (const operation of ownContract.operations) {
    it(`${operation.name} returns exactly its sample refusal and its sample fault.`, async () => {
      for (const sample of [sampleRefusal(ownContract, operation, 'fault'), sampleFault(ownContract, operation)]) {
        if (sample === undefined) throw new Error(`${operation.name} has no sample`);
        const { status, body } = await answerOf(service, operation.name, sample.parameter, sample.value);
        const shown = sample.answers.at(-1)?.message ?? '';
        expect(shown).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
        // The SOAP reader accepts fewer forms of a dateTime, and names fewer.
        expect(flat(shown).split(';')[0]).to.equal(body.replace(/>\n</g, '><').split(';')[0]);
        expect(sample.answers[0]?.message).to.include('<faultcode>soap:Client</faultcode>');
        expect(sample.answers[1]?.message).to.include('<soap:Value>soap:Sender</soap:Value>');
      }
    });

    it(`${operation.name}: if refusals are results, its sample is a result.`, () => {
      for (const { message } of sampleRefusal(ownContract, operation, 'result')?.answers ?? []) {
        expect(message)
          .to.match(/^HTTP\/1\.1 200 OK/)
          .and.not.include('Fault');
      }
    });
  }
});
