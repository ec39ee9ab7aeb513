import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { SOAP_11, SOAP_12, versionOfEnvelope } from '../../src/transports/soap/soap-versions.ts';
import { perSuite } from '../support/prepared.ts';
import { startService } from '../support/process/start-service.ts';
import { validateAll } from '../wire/cases/validate-all.ts';
import { findElement, parseXmlTree, writeXmlTree, type XmlTree } from '../wire/cases/xml-tree.ts';
import { ownContract, ownWsdl } from '../wire/contract/own-wsdl.ts';
import { schemaOf } from '../wire/contract/schema-of.ts';
import { root } from './source-files.ts';

const file = readFileSync(new URL('docs/callers/TPWebServices-soapui-project.xml', root), 'utf8');
const project = parseXmlTree(file);
const SOAPUI = '{http://eviware.com/soapui/config}';
const TARGET = `{${ownContract.namespace}}`;

const childrenOf = (node: XmlTree, name: string): readonly XmlTree[] =>
  node.children.filter((child) => child.name === `${SOAPUI}${name}`);

function childOf(node: XmlTree, name: string): XmlTree {
  const [child, second] = childrenOf(node, name);
  if (child === undefined || second !== undefined) throw new Error(`not one ${name} in ${node.name}`);
  return child;
}

const attributeOf = (node: XmlTree, name: string): string =>
  node.attributes.find(([known]) => known === `{}${name}`)?.[1] ?? '';

const propertiesOf = (node: XmlTree): Map<string, string> =>
  new Map(
    childrenOf(childOf(node, 'properties'), 'property').map((property) => [
      childOf(property, 'name').text,
      childOf(property, 'value').text,
    ]),
  );

/** Replaces property expansions as SoapUI does. Throws an Error for a property that does not exist. */
const expand = (text: string, scopes: Readonly<Record<string, ReadonlyMap<string, string>>>): string =>
  text.replace(/\$\{#(\w+)#(\w+)\}/g, (whole, scope: string, name: string) => {
    const value = scopes[scope]?.get(name);
    if (value === undefined) throw new Error(`no property ${whole}`);
    return value;
  });

const interfaces = childrenOf(project, 'interface');
const soapInterfaces = interfaces.filter((node) => attributeOf(node, 'type') === 'wsdl');
const testCases = childrenOf(childOf(project, 'testSuite'), 'testCase');
const projectProperties = propertiesOf(project);
const soapTestCases = testCases.slice(0, soapInterfaces.length);

const stepsOf = (testCase: XmlTree): readonly XmlTree[] =>
  childrenOf(testCase, 'testStep').filter((step) => attributeOf(step, 'type') !== 'transfer');
const isWrong = (step: XmlTree): boolean => attributeOf(step, 'name').endsWith(' fault');
const textIn = (node: XmlTree, name: string): string => node.children.find((child) => child.name === name)?.text ?? '';

/** Every SOAP request of the project that is meant to be valid, with the interface that it belongs to. */
const requests = [
  ...soapInterfaces.flatMap((node) =>
    childrenOf(node, 'operation').map((operation) => ({
      interfaceName: attributeOf(node, 'name'),
      operation: attributeOf(operation, 'name'),
      text: childOf(childOf(operation, 'call'), 'request').text,
    })),
  ),
  ...soapTestCases.flatMap((testCase) =>
    stepsOf(testCase)
      .filter((step) => !isWrong(step))
      .map((step) => {
        const config = childOf(step, 'config');
        return {
          interfaceName: childOf(config, 'interface').text,
          operation: childOf(config, 'operation').text,
          text: childOf(childOf(config, 'request'), 'request').text,
        };
      }),
  ),
];

describe('The SoapUI project', () => {
  it('has one interface per SOAP binding, with its operations and actions', () => {
    expect(project.name).to.equal(`${SOAPUI}soapui-project`);
    const { soap11, soap12 } = ownContract.ports;
    expect(soapInterfaces.map((node) => attributeOf(node, 'name'))).to.deep.equal([soap11, soap12]);
    for (const node of soapInterfaces) {
      const named = (operation: XmlTree) => ['name', 'action'].map((name) => attributeOf(operation, name));
      const operations = childrenOf(node, 'operation').map(named);
      expect(operations).to.deep.equal(ownContract.operations.map(({ name, soapAction }) => [name, soapAction]));
    }
  });

  it('has both forms of every operation with every parameter', () => {
    const forms = interfaces.filter((node) => attributeOf(node, 'type') === 'rest');
    expect(forms).to.have.length(1);
    const resources = childrenOf(forms[0] as XmlTree, 'resource');
    expect(resources.map((resource) => attributeOf(resource, 'path'))).to.deep.equal(
      ownContract.operations.map(({ name }) => `${ownContract.path}/${name}`),
    );
    for (const [index, resource] of resources.entries()) {
      const names = ownContract.operations[index]?.parameters.map(({ name }) => name);
      const methods = childrenOf(resource, 'method');
      expect(methods.map((method) => attributeOf(method, 'method'))).to.deep.equal(['GET', 'POST']);
      for (const method of methods) {
        const entries = childrenOf(childOf(childOf(method, 'request'), 'parameters'), 'entry');
        expect(entries.map((entry) => attributeOf(entry, 'key'))).to.deep.equal(names);
      }
    }
  });

  it('gives every part its own id', () => {
    const found = [...file.matchAll(/<con:[^>]* id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(found).size).to.equal(found.length);
    for (const id of found) expect(id).to.match(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  });

  it('calls every operation in every test case, over SOAP also so that it is refused and so that it is a fault', () => {
    const names = ownContract.operations.map(({ name }) => name);
    const titles = testCases.map((testCase) => attributeOf(testCase, 'name'));
    expect(titles).to.deep.equal([SOAP_11.title, SOAP_12.title, 'GET and POST forms']);
    for (const testCase of testCases) {
      const steps = stepsOf(testCase).map((step) => attributeOf(step, 'name'));
      expect(steps).to.include.members(names);
      if (!soapTestCases.includes(testCase)) continue;
      expect(steps).to.include.members(names.flatMap((name) => [`${name} refused`, `${name} fault`]));
    }
  });

  it('sends no text message until a tester enables it', () => {
    for (const testCase of testCases) {
      const disabled = stepsOf(testCase).filter((step) => attributeOf(step, 'disabled') === 'true');
      expect(disabled.map((step) => attributeOf(step, 'name'))).to.deep.equal(['Sent_SMS']);
    }
  });

  it('has requests in the envelope of their version, valid against the types of the WSDL', async () => {
    const payloads = new Map<string, string>();
    for (const { interfaceName, operation, text } of requests) {
      const testCase = new Map([['AppointmentID', '1']]);
      const envelope = parseXmlTree(expand(text, { Project: projectProperties, TestCase: testCase }));
      const version = versionOfEnvelope(/^\{(.*)\}Envelope$/.exec(envelope.name)?.[1] ?? '');
      expect(version && ownContract.ports[version.name]).to.equal(interfaceName);
      const [payload] = findElement(envelope, `{${version?.envelopeNamespace}}Body`)?.children ?? [];
      expect(payload?.name).to.equal(TARGET + operation);
      payloads.set(`${payloads.size}-${operation}.xml`, writeXmlTree(payload as XmlTree));
    }
    expect(payloads.size).to.be.above(ownContract.operations.length * 4);
    expect(await validateAll(schemaOf(ownWsdl), payloads)).to.deep.equal([]);
  });

  describe('run against the service', () => {
    const service = perSuite(() => startService());
    before(() => projectProperties.set('server', service.baseUrl));

    it('finds the WSDL where it says that it is', async () => {
      for (const node of soapInterfaces) {
        const url = expand(attributeOf(node, 'definition'), { Project: projectProperties });
        const wsdl = await (await fetch(url)).text();
        expect(parseXmlTree(wsdl).name).to.equal('{http://schemas.xmlsoap.org/wsdl/}definitions');
      }
    });

    // Twice: one run leaves nothing behind that disturbs the next.
    for (const round of ['at first', 'once more']) {
      for (const testCase of testCases) {
        it(`passes ${attributeOf(testCase, 'name')} ${round}`, async () => {
          const scopes = { Project: projectProperties, TestCase: propertiesOf(testCase) };
          let answer = '';
          for (const step of childrenOf(testCase, 'testStep')) {
            if (attributeOf(step, 'disabled') === 'true') continue;
            if (attributeOf(step, 'type') === 'transfer') {
              scopes.TestCase.set('AppointmentID', /<AppointmentID>(\d+)</.exec(answer)?.[1] ?? '');
              continue;
            }
            answer = await runStep(step, scopes);
          }
        });
      }
    }
  });
});

type Scopes = Readonly<Record<string, ReadonlyMap<string, string>>>;

/** Sends a step's request and checks its assertions, as far as they are about HTTP and fields of the result or of the fault. */
async function runStep(step: XmlTree, scopes: Scopes): Promise<string> {
  const config = childOf(step, 'config');
  const isForm = attributeOf(step, 'type') === 'restrequest';
  const request = childOf(config, isForm ? 'restRequest' : 'request');
  const response = await (isForm ? sendForm(config, request, scopes) : sendMessage(config, request, scopes));
  const answer = await response.text();
  const assertions = childrenOf(request, 'assertion');
  const isFault = assertions.some((node) => attributeOf(node, 'type') === 'Not SOAP Fault Assertion');
  if (isFault) expect(response.status, answer).to.be.oneOf([400, 500]);
  else expect(response.status, answer).to.equal(200);
  const matches = assertions.filter((node) => attributeOf(node, 'type') === 'XPath Match');
  expect(matches).to.have.length.above(0);
  for (const match of matches) {
    const configuration = childOf(match, 'configuration');
    const content = expand(textIn(configuration, '{}content'), scopes);
    const [, record, field] = /\/tp:(\w+)\/tp:(\w+)/.exec(textIn(configuration, '{}path')) ?? [];
    const value = textIn(findElement(parseXmlTree(answer), `${TARGET}${record}`) as XmlTree, `${TARGET}${field}`);
    expect(field).to.equal(attributeOf(match, 'name'));
    if (field !== 'ResultCode') expect(value, `${field} in ${answer}`).to.equal(content);
    else if (isFault) expect(Number(value), answer).to.be.at.least(10);
    else expect(['0', '1'], answer).to.include(value);
  }
  return answer;
}

function sendMessage(config: XmlTree, request: XmlTree, scopes: Scopes): Promise<Response> {
  const operation = ownContract.operations.find(({ name }) => name === childOf(config, 'operation').text);
  const isSoap11 = childOf(config, 'interface').text === ownContract.ports.soap11;
  return fetch(expand(childOf(request, 'endpoint').text, scopes), {
    method: 'POST',
    headers: isSoap11
      ? { 'Content-Type': SOAP_11.contentType, SOAPAction: `"${operation?.soapAction}"` }
      : { 'Content-Type': `${SOAP_12.contentType};action="${operation?.soapAction}"` },
    body: expand(childOf(request, 'request').text, scopes),
  });
}

function sendForm(config: XmlTree, request: XmlTree, scopes: Scopes): Promise<Response> {
  const url = expand(childOf(request, 'endpoint').text, scopes) + attributeOf(config, 'resourcePath');
  const form = new URLSearchParams(
    childrenOf(childOf(request, 'parameters'), 'entry').map((entry) => [
      attributeOf(entry, 'key'),
      expand(attributeOf(entry, 'value'), scopes),
    ]),
  );
  return attributeOf(config, 'methodName') === 'GET'
    ? fetch(`${url}?${form}`)
    : fetch(url, { method: 'POST', body: form });
}
