import type { Contract, Parameter } from '../../../src/contract/contract.ts';
import { type DateProperties, parameterText, SERVER } from './project-properties.ts';
import { element, expansion, ids, NO_CREDENTIALS, textElement } from './soapui-element.ts';

/**
 * The GET and POST forms, as a REST service with one resource per operation. It has no definitionCache, because SoapUI's schema requires a part
 * in it, and there is no WADL to put there. SoapUI adds an empty one itself.
 */
export const formInterface = (contract: Contract, dates: DateProperties): string =>
  element(
    'interface',
    {
      'xsi:type': 'con:RestService',
      ...ids('forms'),
      wadlVersion: 'http://wadl.dev.java.net/2009/02',
      name: 'GET and POST forms',
      type: 'rest',
      basePath: '',
    },
    [
      element('settings'),
      element('endpoints', {}, [textElement('endpoint', SERVER)]),
      ...contract.operations.map(({ name, parameters }) => {
        const path = `${contract.path}/${name}`;
        return element('resource', { name, path, ...ids('forms', name) }, [
          element('settings'),
          element(
            'parameters',
            {},
            parameters.map((parameter) => resourceParameter(parameter, dates)),
          ),
          ...(['GET', 'POST'] as const).map((method) => formMethod(path, name, method, parameters, dates)),
        ]);
      }),
    ],
  );

function resourceParameter(parameter: Parameter, dates: DateProperties): string {
  const example = parameterText(parameter, {}, dates);
  return element('parameter', { required: 'true' }, [
    textElement('name', parameter.name),
    textElement('value', example),
    textElement('style', 'QUERY'),
    textElement('default', example),
    textElement('description', parameter.documentation),
  ]);
}

const formMethod = (
  path: string,
  name: string,
  method: 'GET' | 'POST',
  parameters: readonly Parameter[],
  dates: DateProperties,
): string =>
  element('method', { name: method, ...ids('forms', name, method), method }, [
    element('settings'),
    element('parameters'),
    element(
      'request',
      {
        name: 'Example',
        ...ids('forms', name, method, 'request'),
        mediaType: 'application/x-www-form-urlencoded',
        postQueryString: String(method === 'POST'),
      },
      [
        element('settings'),
        textElement('encoding', 'UTF-8'),
        textElement('endpoint', expansion('Project', 'server')),
        element('request'),
        textElement('originalUri', SERVER + path),
        NO_CREDENTIALS,
        element(
          'parameters',
          {},
          parameters.map((p) => element('entry', { key: p.name, value: parameterText(p, {}, dates) })),
        ),
        element(
          'parameterOrder',
          {},
          parameters.map((p) => textElement('entry', p.name)),
        ),
      ],
    ),
  ]);
