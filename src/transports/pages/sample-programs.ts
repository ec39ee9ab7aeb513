import type { Contract, Operation, Transport } from '../../contract/contract.ts';
import { SOAP_11 } from '../soap/soap-versions.ts';
import { sampleEnvelope } from './samples.ts';

/** A shell command that calls an operation with its examples and prints the answer. */
export interface SampleProgram {
  readonly title: string;
  readonly transport: Transport;
  readonly note: string;
  readonly text: string;
}

export function samplePrograms(contract: Contract, operation: Operation, endpoint: string): readonly SampleProgram[] {
  const address = `${endpoint}/${operation.name}`;
  return [
    { title: 'curl', transport: 'httpPost', note: 'HTTP POST. For a POSIX shell.', text: curlForm(operation, address) },
    {
      title: 'curl, SOAP 1.1',
      transport: 'soap11',
      note: 'For a POSIX shell.',
      text: curlSoap(contract, operation, endpoint),
    },
  ];
}

const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const curlForm = ({ parameters }: Operation, address: string): string =>
  [
    // Without any data, curl would send a GET.
    `curl ${shellWord(address)}${parameters.length === 0 ? " --data ''" : ''}`,
    ...parameters.map(({ name, example }) => `  --data-urlencode ${shellWord(`${name}=${example}`)}`),
  ].join(' \\\n');

const curlSoap = ({ namespace }: Contract, operation: Operation, endpoint: string): string =>
  [
    `curl ${shellWord(endpoint)}`,
    `  -H ${shellWord(`Content-Type: ${SOAP_11.contentType}`)}`,
    `  -H ${shellWord(`SOAPAction: "${operation.soapAction}"`)}`,
    `  --data-binary ${shellWord(sampleEnvelope(SOAP_11, operation, namespace))}`,
  ].join(' \\\n');
