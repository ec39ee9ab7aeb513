import { expect } from 'chai';
import { type RecordType, TRANSPORTS } from '../../../../src/contract/contract.ts';
import { sampleEnvelope, sampleExchanges } from '../../../../src/transports/pages/samples.ts';
import { SOAP_11 } from '../../../../src/transports/soap/soap-versions.ts';
import { rawExchange } from '../../../support/http/raw-exchange.ts';
import { startService } from '../../../support/process/start-service.ts';
import { validateAll } from '../../../wire/cases/validate-all.ts';
import { findElement, parseXmlTree, writeXmlTree, type XmlTree } from '../../../wire/cases/xml-tree.ts';
import { ownContract, ownWsdl } from '../../../wire/contract/own-wsdl.ts';
import { schemaOf } from '../../../wire/contract/schema-of.ts';
import { PING, SMALL_CONTRACT } from '../../../wire/contract/small-contract.ts';

const ENDPOINT = 'http://localhost:8080/TPWebServices.asmx';
const samplesOf = (name: string, results: 'record' | 'none' = 'record') => {
  const operation = ownContract.operations.find((known) => known.name === name);
  if (operation === undefined) throw new Error(name);
  return sampleExchanges(ownContract, operation, { endpoint: ENDPOINT, results });
};

function bodyOf(message: string): string {
  const end = message.indexOf('\n\n');
  return end === -1 ? '' : message.slice(end + 2);
}

/** What the contract's types describe of an XML message. */
function payloadOf(body: string): XmlTree {
  const root = parseXmlTree(body);
  if (!root.name.endsWith('}Envelope')) return root;
  return findElement(root, root.name.replace('}Envelope', '}Body'))?.children[0] ?? root;
}

/** The elements of a text without elements in them. */
const leavesOf = (xml: string): ReadonlySet<string> => new Set(xml.match(/<(\w+)>[^<]*<\/\1>/g));

/** In a caller's order: a booking, then what is said about it, then its change. */
const FIRST = ['Fetch_Details', 'Appointment_Status', 'OPAppointmentdetail', 'Appointment_Status_Updates'];
const calledInOrder = [...new Set([...FIRST, ...ownContract.operations.map(({ name }) => name)])];

describe('Samples on the pages', () => {
  for (const { name } of ownContract.operations) {
    it(`${name} has one sample per transport, with the correct lengths.`, () => {
      const samples = samplesOf(name);
      expect(samples.map(({ transport }) => transport)).to.deep.equal(TRANSPORTS);
      for (const message of samples.flatMap(({ request, response }) => [request, response])) {
        const length = /^Content-Length: (\d+)$/m.exec(message)?.[1];
        if (message.startsWith('GET ')) expect(length).to.equal(undefined);
        else expect(length).to.equal(String(Buffer.byteLength(bodyOf(message))));
      }
    });
  }

  it('Every XML message is valid against the types of the contract.', async () => {
    const payloads = new Map<string, string>();
    for (const { name } of ownContract.operations) {
      for (const { transport, request, response } of samplesOf(name)) {
        for (const message of [request, response]) {
          const body = bodyOf(message);
          if (!body.startsWith('<')) continue;
          payloads.set(`${payloads.size}-${name}-${transport}.xml`, writeXmlTree(payloadOf(body)));
        }
      }
    }
    expect(payloads.size).to.equal(ownContract.operations.length * 6);
    expect(await validateAll(schemaOf(ownWsdl), payloads)).to.deep.equal([]);
  });

  it('An answer has every field of its record, with an example.', () => {
    for (const { name, resultType } of ownContract.operations) {
      const answer = samplesOf(name)[0]?.response ?? '';
      const leaves = ({ fields }: RecordType): readonly string[] =>
        fields.flatMap(({ name: field, type }) => (typeof type === 'object' ? leaves(type) : [field]));
      for (const field of leaves(resultType)) expect(answer).to.match(new RegExp(`<${field}>[^<]+</${field}>`));
    }
  });

  it('The answers are those of the demo data, except for times of events.', async () => {
    const service = await startService();
    const flat = (xml: string) => xml.replace(/>\n *</g, '><').replace(/<(ReceivedOn|UpdatedOn)>[^<]*<\/\1>/g, '');
    for (const name of calledInOrder) {
      const { parameters = [] } = ownContract.operations.find((known) => known.name === name) ?? {};
      const body = new URLSearchParams(parameters.map((p) => [p.name, p.example] as [string, string]));
      const answer = await (await fetch(`${service.endpoint}/${name}`, { method: 'POST', body })).text();
      const sample = flat(bodyOf(samplesOf(name).at(-1)?.response ?? ''));
      // A sample list has one item; the demo data may have more.
      const [, , list] = /<(\w+)>(<(\w+)>.*<\/\3>)<\/\1><\/\w+>$/.exec(sample) ?? [];
      const [found, example] =
        list === undefined ? [flat(answer) === sample, sample] : [flat(answer).includes(list), list];
      if (!found) {
        const given = leavesOf(flat(answer));
        const unfit = [...leavesOf(example)].filter((leaf) => !given.has(leaf)).join(', ');
        expect.fail(
          `${name} with its examples does not answer ${unfit || 'one record with all its examples'}: ${answer}`,
        );
      }
    }
  });

  it('Without results, the answers are empty.', () => {
    const bodies = samplesOf('GetDoctor', 'none').map(({ response }) => bodyOf(response));
    expect(bodies[0])
      .to.include('<GetDoctorResponse xmlns="http://tempuri.org/" />')
      .and.not.include('GetDoctorResult');
    expect(bodies.slice(2)).to.deep.equal(['', '']);
  });

  it('The service accepts every sample request as it is.', async () => {
    const service = await startService({ environment: { REFUSALS: 'result' } });
    for (const { name } of ownContract.operations) {
      for (const { transport, request } of samplesOf(name)) {
        const [head = '', ...rest] = request.split('\n\n');
        const bytes = `${head.trimEnd().replaceAll('\n', '\r\n')}\r\n\r\n${rest.join('\n\n')}`;
        const { status, body } = await rawExchange(service.port, bytes);
        expect(status, `${name} over ${transport}: ${body}`).to.equal(200);
      }
    }
  });

  it('A request without parameters has no query and an empty form.', () => {
    const requests = sampleExchanges(SMALL_CONTRACT, PING, { endpoint: ENDPOINT, results: 'record' }).map(
      ({ request }) => request,
    );
    expect(requests[0]).to.include('<Ping xmlns="http://tempuri.org/"></Ping>');
    expect(requests[2]).to.match(/^GET \/TPWebServices.asmx\/Ping HTTP\/1.1\n/);
    expect(requests[3]).to.match(/\nContent-Length: 0\n\n$/);
  });

  it('Elements that contain elements are on lines of their own, and values keep their white space.', () => {
    const [operation = expect.fail()] = ownContract.operations;
    const [parameter = expect.fail()] = operation.parameters;
    const odd = { ...operation, parameters: [{ ...parameter, example: ' a\n <b> ' }] };
    expect(sampleEnvelope(SOAP_11, odd, 'urn:x').split('\n  ').slice(1)).to.deep.equal([
      '<soap:Body>',
      '  <Fetch_Details xmlns="urn:x">',
      `    <${parameter.name}> a\n &lt;b&gt; </${parameter.name}>`,
      '  </Fetch_Details>',
      '</soap:Body>\n</soap:Envelope>',
    ]);
  });
});
