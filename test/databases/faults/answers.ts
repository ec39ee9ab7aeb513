import { expect } from 'chai';
import { type Answer, RawConnection } from '../../support/http/raw-connection.ts';
import { allNamed, parseXml, textAt, type XmlElement } from '../../support/xml/parse-xml.ts';
import { CONTENT_TYPES, ENVELOPES, type SoapVersionName } from './requests.ts';

/** An answer must arrive within this time, in milliseconds: long enough for a busy machine, short enough to detect a hang. */
const ANSWER_LIMIT = 8000;
const CLOSE_LIMIT = 3000;

export interface Outcome {
  readonly answer: Answer;
  /** True if the server closed the connection by itself. */
  readonly closed: boolean;
  /** Bytes that followed the answer. */
  readonly rest: Buffer;
}

export interface ExchangeSettings {
  readonly isHead?: boolean;
  /** Waits for the server to close. */
  readonly untilClosed?: boolean;
}

/** Sends bytes on a new connection and reads the answer. */
export async function exchange(
  port: number,
  bytes: Buffer | string,
  { isHead = false, untilClosed = false }: ExchangeSettings = {},
): Promise<Outcome> {
  const connection = new RawConnection(port);
  try {
    void connection.send(bytes);
    const answer = await connection.answer(ANSWER_LIMIT, isHead);
    if (answer === undefined) throw new Error('the connection was closed without an answer');
    const closed = untilClosed && (await connection.closes(CLOSE_LIMIT));
    return { answer, closed, rest: connection.rest };
  } finally {
    connection.destroy();
  }
}

export const textOf = ({ body }: Answer): string => body.toString('utf8');

/** The root of an XML answer; fails if it is not well-formed. */
export function xmlOf(answer: Answer): XmlElement {
  const root = parseXml(textOf(answer));
  if (typeof root === 'string') throw new Error(`the answer is not well-formed: ${root}: ${textOf(answer)}`);
  return root;
}

export interface ReadFault {
  readonly faultCode: string;
  /** From the ServiceFault. */
  readonly code: string | undefined;
  readonly message: string;
}

/** The fault in an answer; fails unless it is one, with the envelope and content type of the version. */
export function faultIn(answer: Answer, version: SoapVersionName): ReadFault {
  expect(answer.headers.get('content-type'), textOf(answer)).to.equal(CONTENT_TYPES[version]);
  const root = xmlOf(answer);
  expect(root.namespace, 'namespace of the envelope').to.equal(ENVELOPES[version]);
  const [fault] = allNamed(root, 'Fault');
  if (fault === undefined) throw new Error(`no fault: ${textOf(answer)}`);
  const faultCode = version === '1.1' ? textAt(fault, 'faultcode') : textAt(fault, 'Code', 'Value');
  const message = version === '1.1' ? textAt(fault, 'faultstring') : textAt(fault, 'Reason', 'Text');
  const [detail] = allNamed(fault, 'ServiceFault');
  return {
    faultCode: (faultCode ?? '').replace(/^.*:/, ''),
    code: detail === undefined ? undefined : textAt(detail, 'Code'),
    message: message ?? '',
  };
}

/** Fails unless the answer is a client fault with the ServiceFault's code and the status. */
export function expectCallerFault(answer: Answer, version: SoapVersionName, code: string, status: number): ReadFault {
  const fault = faultIn(answer, version);
  expect(fault.faultCode).to.equal(version === '1.1' ? 'Client' : 'Sender');
  expect(fault.code, fault.message).to.equal(code);
  expect(answer.status).to.equal(status);
  return fault;
}

/** The ResultCode of an answer over any transport; undefined if it has none. */
export function resultCodeOf(answer: Answer): number | undefined {
  const code = /<ResultCode>(\d+)<\/ResultCode>/.exec(textOf(answer))?.[1];
  return code === undefined ? undefined : Number(code);
}
