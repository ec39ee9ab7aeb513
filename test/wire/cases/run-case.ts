import { expect } from 'chai';
import type { RawAnswer } from '../../support/http/raw-exchange.ts';
import { startService } from '../../support/process/start-service.ts';
import { type Connection, openConnection } from './open-connection.ts';
import type { CaseAnswer, CaseRequest, ExchangeCase } from './read-case.ts';
import { findElement, linesOf, parseXmlTree, type XmlTree } from './xml-tree.ts';

/** An answer of the service, and the request that it answers. */
export interface Answered {
  readonly request: CaseRequest;
  readonly expected: CaseAnswer;
  readonly answer: RawAnswer;
}

/** A proxy in front of the service: its port, and the path under which it has the service. */
export interface Proxy {
  readonly port: number;
  readonly path: string;
}

/** Starts a new service for the case and sends the requests, through a proxy if there is one; nothing is checked. */
export async function sendCase(
  { environment, exchanges }: Pick<ExchangeCase, 'environment' | 'exchanges'>,
  proxy?: Proxy,
): Promise<readonly Answered[]> {
  const service = await startService({ environment });
  const connections: Connection[] = [];
  const answered: Answered[] = [];
  try {
    for (const { request, answer: expected } of exchanges) {
      service.clock.now += request.minutesLater * 60_000;
      const connection =
        (request.sameConnection ? connections.at(-1) : undefined) ?? (await openConnection(proxy?.port ?? service.port));
      connections.push(connection);
      answered.push({ request, expected, answer: await connection.exchange(below(proxy?.path ?? '', request)) });
    }
  } finally {
    for (const connection of connections) connection.close();
    await service.close();
  }
  return answered;
}

/** The request with its address below the path. */
const below = (path: string, request: CaseRequest): CaseRequest => {
  const head = request.head.toString('latin1').replace(/(?<=^[A-Z]+ )(?=\/)/, path);
  return { ...request, head: Buffer.from(head, 'latin1') };
};

const EVERY_HEADER = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** Throws an AssertionError if an answer differs from the case's, or breaks a rule for all answers. */
export function checkAnswer({ request, expected, answer }: Answered): void {
  const body = answer.body.toString('utf8');
  expect(`${answer.status} ${expected.status === answer.status ? '' : body}`, 'status').to.equal(`${expected.status} `);
  for (const [name, value] of expected.headers) {
    const actual = answer.headers[name];
    if (value === '-') expect(actual, `header ${name}`).to.equal(undefined);
    else if (value === '*') expect(actual, `header ${name}`).to.be.a('string');
    else expect(actual, `header ${name}`).to.equal(value);
  }
  expect(answer.headers).to.not.have.property('transfer-encoding');
  expect(answer.headers).to.include(EVERY_HEADER);
  expect(answer.headers['content-security-policy']).to.include("frame-ancestors 'none'");
  if (request.method === 'HEAD' || answer.status === 204) expect(body).to.equal('');
  else expect(answer.headers['content-length'], 'Content-Length').to.equal(String(answer.body.length));
  if (expected.body !== undefined) checkBody(expected, answer, body);
  for (const line of expected.lacking) expect(body).to.not.include(line);
}

function checkBody(expected: CaseAnswer, answer: RawAnswer, body: string): void {
  const wanted = expected.body ?? '';
  if (expected.inPart) {
    for (const line of wanted.split('\n').filter((text) => text !== '')) expect(body).to.include(line);
    return;
  }
  const type = answer.headers['content-type'] ?? '';
  if (/[/+]xml;/.test(type)) {
    const pattern = parseXmlTree(wanted);
    expect(linesOf(parseXmlTree(body), pattern)).to.equal(linesOf(pattern));
  } else if (/[/+]json;/.test(type)) {
    const pattern: unknown = JSON.parse(wanted);
    expect(withWildcards(JSON.parse(body), pattern)).to.deep.equal(pattern);
  } else {
    const [before, after] = wanted.split(' *.');
    if (after === undefined) expect(body).to.equal(wanted);
    else expect(body.startsWith(before ?? '') && body.endsWith(`${after}.`), body).to.equal(true);
  }
}

/** The answer, with `*` wherever the pattern has it and there is any value. */
function withWildcards(actual: unknown, pattern: unknown): unknown {
  if (pattern === '*' && actual !== undefined && actual !== '') return '*';
  if (typeof actual !== 'object' || actual === null || typeof pattern !== 'object' || pattern === null) return actual;
  if (Array.isArray(actual)) return actual.map((item, index) => withWildcards(item, (pattern as unknown[])[index]));
  return Object.fromEntries(
    Object.entries(actual).map(([key, value]) => [
      key,
      withWildcards(value, (pattern as Record<string, unknown>)[key]),
    ]),
  );
}

/** The element described by the contract's types: an operation's response, a fault's detail, a form's record. */
export function payloadOf({ answer }: Answered): XmlTree | undefined {
  const type = answer.headers['content-type'] ?? '';
  // An answer to HEAD has the type of a body that it does not have.
  if (!/[/+]xml;/.test(type) || answer.body.length === 0) return undefined;
  const root = parseXmlTree(answer.body.toString('utf8'));
  const envelope =
    /^\{(http:\/\/schemas\.xmlsoap\.org\/soap\/envelope\/|http:\/\/www\.w3\.org\/2003\/05\/soap-envelope)\}/;
  const soap = envelope.exec(root.name)?.[0];
  if (soap === undefined) return root.name.includes('wsdl') || root.name.includes('disco') ? undefined : root;
  const content = findElement(root, `${soap}Body`)?.children[0];
  if (content?.name !== `${soap}Fault`) return content;
  return (findElement(content, '{}detail') ?? findElement(content, `${soap}Detail`))?.children[0];
}
