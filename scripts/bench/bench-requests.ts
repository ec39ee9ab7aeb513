import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract, Operation } from '../../src/contract/contract.ts';
import { readContract } from '../../src/contract/read-contract.ts';
import { ownWsdl } from '../../src/contract/wsdl-document.ts';
import { writeEnvelope } from '../../src/transports/soap/soap-fault.ts';
import { SOAP_11, SOAP_12 } from '../../src/transports/soap/soap-versions.ts';
import { escapeText } from '../../src/xml/xml-characters.ts';

export const BENCH_TRANSPORTS = ['SOAP 1.1', 'SOAP 1.2', 'GET', 'POST'] as const;
export type BenchTransport = (typeof BENCH_TRANSPORTS)[number];

/** Values that load.lua fills in anew for every request, by parameter. */
const VARYING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Fetch_Details: {
    DoctorID: '@doctor@',
    // Patients of one name at one time would be compared with each other.
    Name: '@reg@',
    RegistrationNumber: '@reg@',
    app_date: '@date@T00:00:00',
    app_time: '@date@T@time@',
    centerid: '@center@',
    contactnumber: '@phone@',
  },
};

/** One request as load.lua reads it: request line, headers, a blank line, the body. */
export function benchRequest(contract: Contract, operation: Operation, transport: BenchTransport): string {
  const values = operation.parameters.map(
    ({ name, example }) => [name, VARYING[operation.name]?.[name] ?? example] as const,
  );
  const form = values
    .map(([name, value]) => `${name}=${value.startsWith('@') ? value : encodeURIComponent(value)}`)
    .join('&');
  const children = values.map(([name, value]) => `\n      <${name}>${escapeText(value)}</${name}>`).join('');
  const payload = `\n    <${operation.name} xmlns="${contract.namespace}">${children}\n    </${operation.name}>\n  `;
  switch (transport) {
    case 'SOAP 1.1':
      return `POST ${contract.path}\nContent-Type: ${SOAP_11.contentType}\nSOAPAction: "${operation.soapAction}"\n\n${writeEnvelope(SOAP_11, '', payload)}`;
    case 'SOAP 1.2':
      return `POST ${contract.path}\nContent-Type: ${SOAP_12.contentType}\n\n${writeEnvelope(SOAP_12, '', payload)}`;
    case 'GET':
      return `GET ${contract.path}/${operation.name}?${form}\n\n`;
    case 'POST':
      return `POST ${contract.path}/${operation.name}\nContent-Type: application/x-www-form-urlencoded\n\n${form}`;
  }
}

/** Writes a request into a file in `folder`, for wrk. */
export function requestFile(folder: string, name: string, transport: BenchTransport): string {
  const contract = readContract(ownWsdl());
  const operation = contract.operations.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const file = join(folder, `${name}-${transport}.txt`);
  writeFileSync(file, benchRequest(contract, operation, transport));
  return file;
}
