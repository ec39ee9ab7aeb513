import { readContract } from '../../../src/contract/read-contract.ts';
import { SOAP_11, SOAP_12 } from '../../../src/transports/soap/soap-versions.ts';
import { formInterface } from './form-interface.ts';
import { dateProperties, SERVER } from './project-properties.ts';
import { soapInterface } from './soap-interface.ts';
import { element, ids, properties, textElement } from './soapui-element.ts';
import { testCase } from './test-case.ts';

const SOAPUI = 'http://eviware.com/soapui/config';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** The whole project, in the format of SoapUI 5.7. The order of the children is that of SoapUI's own schema, soapui.xsd. */
export function soapUiProject(wsdl: string): string {
  const contract = readContract(wsdl);
  const dates = dateProperties(contract);
  const versions = [SOAP_11, SOAP_12] as const;
  return `<?xml version="1.0" encoding="UTF-8"?>
${element(
  'soapui-project',
  {
    ...ids('project'),
    activeEnvironment: 'Default',
    name: contract.serviceName,
    resourceRoot: '',
    'soapui-version': '5.7.2',
    abortOnError: 'false',
    runType: 'SEQUENTIAL',
    'xmlns:con': SOAPUI,
    'xmlns:xsi': XSI,
  },
  [
    textElement('description', DESCRIPTION),
    element('settings'),
    ...versions.map((version) => soapInterface(contract, wsdl, version, dates)),
    formInterface(contract, dates),
    element('testSuite', { ...ids('suite'), name: 'All operations' }, [
      element('settings'),
      textElement('runType', 'SEQUENTIAL'),
      ...versions.map((version) => testCase(contract, version, dates)),
      element('properties'),
    ]),
    properties({ server: SERVER, ...Object.fromEntries(Array.from(dates, ([date, name]) => [name, date])) }),
    element('wssContainer'),
    element('oAuth2ProfileContainer'),
    element('oAuth1ProfileContainer'),
  ],
)}
`;
}

const DESCRIPTION =
  'Set the project properties: server is the base URL; date and newDate are two days on which the doctor works, in the next 365 days.';
