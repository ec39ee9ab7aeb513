import { DOTNET_ACCESS_CLIENTS } from './dotnet-clients.ts';
import { FETCH_WSDL, type ForeignClient, soapOnly } from './foreign-client.ts';
import { csharpPrograms, JAXWS, jaxwsProgram, jaxwsRun, MONO } from './foreign-clients.ts';
import { GO_ACCESS_CLIENTS } from './toolkits/go-toolkits.ts';
import { JAVA_ACCESS_CLIENTS } from './toolkits/java-toolkits.ts';
import { PYTHON_ACCESS_CLIENTS } from './toolkits/python-toolkits.ts';

/**
 * Clients that log in, over https: in addition to what every client gets, the environment has CA (PEM file of the service's issuer),
 * TOKEN_USER (logs in by UsernameToken), BASIC_USER (by HTTP Basic), PASSWORD (of both), CLIENT_CERT and CLIENT_KEY (PEM files),
 * CLIENT_P12 (both of them, encrypted with PASSWORD) and API_KEY.
 */
export const ACCESS_CLIENTS: readonly ForeignClient[] = [
  {
    name: 'npm soap logs in',
    folder: 'npm-soap',
    packages: [],
    run: 'NODE_EXTRA_CA_CERTS="$CA" "$NODE" "$HERE/access.ts"',
    ...soapOnly('the library speaks SOAP only'),
  },
  {
    name: 'Python zeep logs in',
    folder: 'zeep',
    packages: ['python3-zeep'],
    // A variable of the machine would take precedence over the program's setting.
    run: 'REQUESTS_CA_BUNDLE="$CA" /usr/bin/python3 "$HERE/access.py"',
    ...soapOnly('a UsernameToken is a SOAP header'),
  },
  {
    name: 'PHP SoapClient logs in',
    folder: 'php',
    packages: ['php-cli', 'php-soap', 'php-xml'],
    run: 'php "$HERE/access.php"',
    ...soapOnly('SoapClient speaks SOAP only'),
  },
  { name: 'curl logs in', folder: 'curl', packages: ['curl'], run: 'bash "$HERE/access.sh"' },
  {
    name: 'C# wsdl logs in',
    folder: 'csharp',
    packages: MONO,
    prepare: `${FETCH_WSDL}\n${csharpPrograms('service.wsdl', '"$HERE/AccessClient.cs"')}`,
    run: 'mono $TRANSPORT.exe',
  },
  ...DOTNET_ACCESS_CLIENTS,
  {
    name: 'Java JAX-WS logs in',
    folder: 'java',
    packages: JAXWS,
    prepare: `${FETCH_WSDL}\n${jaxwsProgram('service.wsdl', 'JaxwsAccessClient')}`,
    run: jaxwsRun('JaxwsAccessClient'),
    ...soapOnly('JAX-WS has no proxies of HTTP bindings'),
  },
  ...JAVA_ACCESS_CLIENTS,
  ...GO_ACCESS_CLIENTS,
  ...PYTHON_ACCESS_CLIENTS,
];
