import type { Contract, Operation, Transport } from '../../contract/contract.ts';
import { SOAP_11 } from '../soap/soap-versions.ts';
import { sampleEnvelope } from './samples.ts';

/** A whole program, or a shell command, that calls an operation with its examples and prints the answer. */
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
    {
      title: 'C#',
      transport: 'httpPost',
      note: '.NET Framework 4.7 or .NET, without packages.',
      text: csharp(operation, address),
    },
    { title: 'Java', transport: 'httpPost', note: `Java 11 or later: java Call.java`, text: java(operation, address) },
    { title: 'Python', transport: 'httpPost', note: 'Python 3, without packages.', text: python(operation, address) },
  ];
}

const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A string literal of C#, Java and Python: the escapes of JSON mean the same in all three. */
const literal = (text: string): string => JSON.stringify(text);

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

const csharp = ({ parameters }: Operation, address: string): string => `using System;
using System.Collections.Generic;
using System.Net.Http;

class Call
{
    static void Main()
    {
        var form = new Dictionary<string, string>
        {
${parameters.map(({ name, example }) => `            { ${literal(name)}, ${literal(example)} },`).join('\n')}
        };
        using (var client = new HttpClient())
        {
            var answer = client.PostAsync(${literal(address)}, new FormUrlEncodedContent(form)).Result;
            Console.WriteLine((int)answer.StatusCode);
            Console.WriteLine(answer.Content.ReadAsStringAsync().Result);
        }
    }
}`;

const java = ({ parameters }: Operation, address: string): string => `import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.stream.Collectors;

class Call {
    public static void main(String[] arguments) throws Exception {
        var form = new LinkedHashMap<String, String>();
${parameters.map(({ name, example }) => `        form.put(${literal(name)}, ${literal(example)});`).join('\n')}
        var body = form.entrySet().stream()
            .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
        var request = HttpRequest.newBuilder(URI.create(${literal(address)}))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(answer.statusCode());
        System.out.println(answer.body());
    }
}`;

const python = ({ parameters }: Operation, address: string): string => `from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

form = {
${parameters.map(({ name, example }) => `    ${literal(name)}: ${literal(example)},`).join('\n')}
}
try:
    with urlopen(${literal(address)}, urlencode(form).encode()) as answer:
        print(answer.status)
        print(answer.read().decode())
except HTTPError as refused:
    print(refused.code)
    print(refused.read().decode())`;
