import { expect } from 'chai';
import type { RecordType } from '../../../src/contract/contract.ts';
import { sampleExchanges } from '../../../src/transports/pages/sample-exchanges.ts';
import { validateAll } from '../../cases/validate-all.ts';
import { findElement, parseXmlTree, writeXmlTree, type XmlTree } from '../../cases/xml-tree.ts';
import { ownContract, ownWsdl } from '../../contract/own-wsdl.ts';
import { schemaOf } from '../../contract/schema-of.ts';
import { rawExchange } from '../../support/http/raw-exchange.ts';
import { startService } from '../../support/process/start-service.ts';

const ENDPOINT = 'http://localhost:8080/TPWebServices.asmx';
const samplesOf = (name: string) => {
  const operation = ownContract.operations.find((known) => known.name === name);
  if (operation === undefined) throw new Error(name);
  return sampleExchanges(ownContract, operation, ENDPOINT);
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

const CALLED_IN_ORDER = [
  'Fetch_Details',
  'Appointment_Status',
  'OPAppointmentdetail',
  'Appointment_Status_Updates',
  'FB_Push_Details',
  'Sent_SMS',
  'GetDoctor',
];

describe('Samples on the pages', () => {
  for (const { name } of ownContract.operations) {
    it(`${name} has one sample per transport, with the correct lengths.`, () => {
      const samples = samplesOf(name);
      expect(samples.map(({ title }) => title)).to.deep.equal(['SOAP 1.1', 'SOAP 1.2', 'HTTP GET', 'HTTP POST']);
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
      for (const { title, request, response } of samplesOf(name)) {
        for (const message of [request, response]) {
          const body = bodyOf(message);
          if (!body.startsWith('<')) continue;
          payloads.set(`${payloads.size}-${name}-${title.replace(' ', '-')}.xml`, writeXmlTree(payloadOf(body)));
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
    try {
      // In a caller's order: a booking, then the messages about it, then its change.
      for (const name of CALLED_IN_ORDER) {
        const { parameters = [] } = ownContract.operations.find((known) => known.name === name) ?? {};
        const body = new URLSearchParams(parameters.map((p) => [p.name, p.example] as [string, string]));
        const answer = await (await fetch(`${service.endpoint}/${name}`, { method: 'POST', body })).text();
        const sample = flat(bodyOf(samplesOf(name).at(-1)?.response ?? ''));
        // A sample list has one item.
        const item = /<Doctor>.*<\/Doctor>/.exec(sample)?.[0];
        if (item === undefined) expect(flat(answer)).to.equal(sample);
        else expect(flat(answer)).to.include(item);
      }
    } finally {
      await service.close();
    }
  });

  it('The service accepts every sample request as it is.', async () => {
    const service = await startService({ environment: { REFUSALS: 'result' } });
    try {
      for (const { name } of ownContract.operations) {
        for (const { title, request } of samplesOf(name)) {
          const [head = '', ...rest] = request.split('\n\n');
          const bytes = `${head.trimEnd().replaceAll('\n', '\r\n')}\r\n\r\n${rest.join('\n\n')}`;
          const { status, body } = await rawExchange(service.port, bytes);
          expect(status, `${name} over ${title}: ${body}`).to.equal(200);
        }
      }
    } finally {
      await service.close();
    }
  });
});
