import { isUtf8 } from 'node:buffer';
import type { Contract } from '../../src/contract/contract.ts';
import type { Answer } from '../../test/support/http/raw-connection.ts';
import { parseXml, textAt, type XmlElement } from '../../test/support/xml/parse-xml.ts';
import type { FuzzedRequest } from './fuzzed-request.ts';

/** What is wrong with an answer, one sentence each; empty if the answer is allowed. */
export type CheckAnswer = (request: FuzzedRequest, answer: Answer) => readonly string[];

const SOAP_11 = 'http://schemas.xmlsoap.org/soap/envelope/';
const SOAP_12 = 'http://www.w3.org/2003/05/soap-envelope';

/** Words that must not leave the service: stacks, paths, SQL, messages of the language and the system. */
const INSIDE: readonly RegExp[] = [
  /\n\s+at .*[:)]/,
  /node_modules|node:internal|file:\/\/\/\w/,
  /\/(?:home|root|usr|tmp|var|src)\//,
  /\.(?:ts|js|mjs|cjs):\d/,
  /\b(?:SELECT|INSERT|UPDATE|DELETE)\s+(?:\w|\*|").*\b(?:FROM|INTO|SET|WHERE)\b/i,
  /SQLITE_|constraint failed|no such (?:table|column)|datatype mismatch/i,
  /\b(?:Type|Range|Reference|Syntax|Assertion)Error\b/,
  /Cannot read propert|is not a function|is not defined|is not iterable|Invalid URL/,
  /\bE(?:CONNRESET|CONNREFUSED|PIPE|NOENT|ACCES|MFILE)\b/,
  /\[object \w+\]|>undefined<|>NaN<|>null</,
];

/** Statuses by media type, for a request that Node's parser accepted. Source: the error matrix of the protocol. */
const FORM_STATUSES: Readonly<Record<string, readonly number[]>> = {
  'text/xml; charset=utf-8': [200, 404, 409, 422, 429],
  'application/json; charset=utf-8': [200, 404, 409, 422, 429],
  'application/problem+json; charset=utf-8': [400, 401, 403, 404, 405, 413, 415, 421, 422, 429],
  'text/plain; charset=utf-8': [400, 401, 403, 404, 405, 413, 415, 421, 422, 429],
};
const SOAP_STATUSES: Readonly<Record<string, readonly number[]>> = {
  'text/xml; charset=utf-8': [200, 400, 401, 403, 413, 415, 421, 429, 500],
  'application/soap+xml; charset=utf-8': [200, 400, 401, 403, 413, 415, 421, 429, 500],
  // 429: beside too many pieces of other bodies in one turn.
  'text/plain; charset=utf-8': [401, 405, 415, 429],
};
const PAGE_STATUSES: Readonly<Record<string, readonly number[]>> = {
  'text/xml; charset=utf-8': [200],
  'text/html; charset=utf-8': [200, 404],
  'application/problem+json; charset=utf-8': [400, 401, 404, 405, 413, 421, 429],
  'text/plain; charset=utf-8': [302, 400, 401, 404, 405, 413, 421, 429],
};
const PARSER_STATUSES = [400, 405, 408, 431, 501, 505];

/** `sampleOf` receives every XML body of a new kind, for libxml2. */
export function createAnswerCheck(contract: Contract, sampleOf: (xml: string) => void): CheckAnswer {
  const known = new Set<string>();
  const records = new Set(contract.operations.map(({ resultType }) => resultType.name));

  return (request, answer) => {
    const findings: string[] = [];
    const { status, headers, body } = answer;
    const type = headers.get('content-type') ?? '';
    const target = targetOf(request, contract.path);
    const statuses = { form: FORM_STATUSES, soap: SOAP_STATUSES, page: PAGE_STATUSES }[target];
    const isListed = statuses[type]?.includes(status) === true;
    const isParsers = type === 'text/plain; charset=utf-8' && PARSER_STATUSES.includes(status);
    // A mutation of a request's first lines may have changed its target.
    const anywhere = [FORM_STATUSES, SOAP_STATUSES, PAGE_STATUSES].some((s) => s[type]?.includes(status) === true);
    if (!isListed && !(!request.isWhole && (anywhere || isParsers))) {
      findings.push(`status ${status} with "${type}" is not listed for a ${target} request`);
    }
    if (headers.get('cache-control') !== 'no-store') findings.push('without Cache-Control: no-store');
    if (headers.get('x-content-type-options') !== 'nosniff') findings.push('without X-Content-Type-Options: nosniff');
    if (status === 405 && !headers.has('allow')) findings.push('405 without Allow');
    if (request.method === 'HEAD') return findings;
    if (!isUtf8(body)) return [...findings, 'the body is not UTF-8'];
    const text = body.toString('utf8');
    for (const pattern of INSIDE) {
      const leaked = pattern.exec(text)?.[0];
      if (leaked !== undefined) findings.push(`the body shows the inside: ${JSON.stringify(leaked)}`);
    }
    if (type.startsWith('text/xml') || type.startsWith('application/soap+xml')) {
      const shape = text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replace(/>\d+</g, '>0<');
      const key = `${status} ${type} ${shape}`;
      if (known.has(key)) return findings;
      const problems = checkXml(text, status, type, target, request.isWhole);
      if (problems.length > 0) return [...findings, ...problems];
      if (known.size < 200_000) known.add(key);
      sampleOf(text);
    } else if (type.includes('json')) {
      findings.push(...checkJson(text));
    } else if (type.startsWith('text/plain')) {
      findings.push(...checkSentence(text));
    }
    return findings;
  };

  function checkXml(text: string, status: number, type: string, target: string, isWhole: boolean): readonly string[] {
    const root = parseXml(text);
    if (typeof root === 'string') return [`the XML is not well-formed: ${root}`];
    if (root.name !== 'Envelope') {
      if (type !== 'text/xml; charset=utf-8') return [`a ${root.name} as ${type}`];
      if (target === 'page' || !isWhole) return [];
      return records.has(root.name) && root.namespace === contract.namespace ? [] : [`the root is ${root.name}`];
    }
    const envelope = type.startsWith('text/xml') ? SOAP_11 : SOAP_12;
    if (root.namespace !== envelope) return [`an Envelope of ${root.namespace} as ${type}`];
    const body = root.children.filter(({ name, namespace }) => name === 'Body' && namespace === envelope);
    const content = body[0]?.children ?? [];
    if (body.length !== 1 || content.length !== 1) return ['the Envelope does not hold one Body of one element'];
    const [only] = content as [XmlElement];
    const isFault = only.name === 'Fault' && only.namespace === envelope;
    if (!isFault) return status === 200 ? [] : [`status ${status} without a Fault`];
    const code = envelope === SOAP_11 ? textAt(only, 'faultcode') : textAt(only, 'Code', 'Value');
    const name = code?.split(':')[1];
    const expected =
      envelope === SOAP_11
        ? { Client: [400, 401, 403, 413, 415, 421, 429, 500], MustUnderstand: [500], VersionMismatch: [500] }
        : { Sender: [400, 401, 403, 413, 415, 421, 429, 500], MustUnderstand: [500], VersionMismatch: [500] };
    const allowed = (expected as Record<string, number[]>)[name ?? ''];
    return allowed?.includes(status) === true ? [] : [`fault ${code} with status ${status}`];
  }
}

function targetOf({ method, path }: FuzzedRequest, endpoint: string): 'form' | 'soap' | 'page' {
  const plain = path.replace(/\?.*$/s, '').toLowerCase().replace(/\/$/, '');
  if (plain === endpoint.toLowerCase()) return method === 'POST' ? 'soap' : 'page';
  return plain.startsWith(`${endpoint.toLowerCase()}/`) ? 'form' : 'page';
}

function checkJson(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? [] : ['the JSON is no object'];
  } catch (error) {
    return [`the JSON cannot be read: ${String(error)}`];
  }
}

function checkSentence(text: string): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: one visible line is what is expected
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)) return ['the text is not one visible line'];
  if (!/[.?]$/.test(text)) return ['the text is no sentence'];
  return text.length > 900 ? ['the text is longer than any sentence'] : [];
}
