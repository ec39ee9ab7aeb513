import { readContract } from '../../../src/contract/read-contract.ts';
import { SOAP_11, SOAP_12 } from '../../../src/transports/soap/soap-versions.ts';
import { formInterface, soapInterface } from './interfaces.ts';
import { element, expansion, ids, properties, textElement } from './soapui-element.ts';
import { formTestCase, soapTestCase } from './test-case.ts';

const SOAPUI = 'http://eviware.com/soapui/config';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** The service that the project calls until a tester sets another. */
const SERVER = 'http://localhost:8080';
/** Properties with the dates of the contract's examples, in their order, so that a tester changes each in one place. */
const DATE_NAMES = ['date', 'newDate'];
const DESCRIPTION =
  'Set the project properties: server is the base URL; date and newDate are two days on which the doctor works, in the next 365 days. The steps Sent_SMS are disabled because they may send a text message.';

/** The whole project, in the format of SoapUI 5.7. The order of the children is that of SoapUI's own schema, soapui.xsd. */
export function soapUiProject(wsdl: string): string {
  const contract = readContract(wsdl);
  const versions = [SOAP_11, SOAP_12] as const;
  const parts = [
    textElement('description', DESCRIPTION),
    element('settings'),
    ...versions.map((version) => soapInterface(contract, version)),
    formInterface(contract),
    element('testSuite', { ...ids('suite'), name: 'All operations' }, [
      element('settings'),
      textElement('runType', 'SEQUENTIAL'),
      ...versions.map((version) => soapTestCase(contract, version)),
      formTestCase(contract),
      element('properties'),
    ]),
  ];
  const examples = contract.operations.flatMap(({ parameters }) => parameters);
  const dates = [
    ...new Set(examples.flatMap(({ type, example }) => (type === 'dateTime' ? [example.slice(0, 10)] : []))),
  ].map((date, index) => {
    const name = DATE_NAMES[index];
    if (name === undefined) throw new Error('The examples contain another date; name a property for it.');
    return { name, date };
  });
  const attributes = {
    ...ids('project'),
    activeEnvironment: 'Default',
    name: contract.serviceName,
    resourceRoot: '',
    'soapui-version': '5.7.2',
    abortOnError: 'false',
    runType: 'SEQUENTIAL',
    'xmlns:con': SOAPUI,
    'xmlns:xsi': XSI,
  };
  const project = element('soapui-project', attributes, [
    ...parts.map((part) =>
      dates.reduce((text, { name, date }) => text.replaceAll(date, expansion('Project', name)), part),
    ),
    properties({ server: SERVER, ...Object.fromEntries(dates.map(({ name, date }) => [name, date])) }),
    element('wssContainer'),
    element('oAuth2ProfileContainer'),
    element('oAuth1ProfileContainer'),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${project}\n`;
}
