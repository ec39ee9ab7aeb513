import { expect } from 'chai';
import {
  FAULT_ANSWERS,
  faultAnswerOf,
  faultHeaders,
  faultOf,
  RETRY_AFTER,
  refusalStatus,
} from '../../../src/transports/faults.ts';
import { ERROR_CODES, type ErrorCode, ServiceError } from '../../../src/vocabulary/errors.ts';
import { REFUSALS, Refusal } from '../../../src/vocabulary/result-codes.ts';

const codes = Object.keys(ERROR_CODES) as ErrorCode[];

/** SOAP 1.1 status and code, SOAP 1.2 status and code, status elsewhere. */
const EXPECTED: Readonly<Record<ErrorCode, string>> = {
  Malformed: '400 Client, 400 Sender, 400',
  MissingParameter: '500 Client, 500 Sender, 400',
  InvalidValue: '500 Client, 500 Sender, 400',
  UnexpectedElement: '500 Client, 500 Sender, 400',
  DuplicateParameter: '500 Client, 500 Sender, 400',
  UnknownOperation: '500 Client, 500 Sender, 404',
  ActionMismatch: '500 Client, 500 Sender, 400',
  MustUnderstand: '500 MustUnderstand, 500 MustUnderstand, 400',
  VersionMismatch: '500 VersionMismatch, 500 VersionMismatch, 400',
  UnsupportedMediaType: '415 Client, 415 Sender, 415',
  TooLarge: '413 Client, 413 Sender, 413',
  IdempotencyKeyReused: '500 Client, 500 Sender, 422',
  Unauthorized: '401 Client, 401 Sender, 401',
  Forbidden: '403 Client, 403 Sender, 403',
  TooManyRequests: '429 Client, 429 Sender, 429',
  CrossSite: '403 Client, 403 Sender, 403',
  MethodNotAllowed: '405 Client, 405 Sender, 405',
  NotFound: '404 Client, 404 Sender, 404',
  MisdirectedRequest: '421 Client, 421 Sender, 421',
  Refused: '500 Client, 500 Sender, 422',
  Unavailable: '503 Server, 503 Receiver, 503',
  Internal: '500 Server, 500 Receiver, 500',
};

describe('Faults', () => {
  for (const code of codes) {
    it(`${code} is answered as ${EXPECTED[code]}.`, () => {
      const { soap11, soap12, soapStatus, status } = FAULT_ANSWERS[code];
      const answers = `${soapStatus} ${soap11}, ${soapStatus} ${soap12}, ${status}`;
      expect(answers).to.equal(EXPECTED[code]);
    });
  }

  for (const [name, { number, status }] of Object.entries(REFUSALS)) {
    it(`A refusal ${name} is answered ${status} on the forms.`, () => {
      expect(refusalStatus(number)).to.equal(status);
    });
  }

  it('A ServiceError keeps its message.', () => {
    const error = new ServiceError('InvalidValue', 'Parameter a is wrong.', { parameter: 'a', cause: new Error('x') });
    expect(faultOf(error, 'id-1')).to.deep.equal({
      code: 'InvalidValue',
      message: 'Parameter a is wrong.',
      resultCode: undefined,
      parameter: 'a',
      correlationId: 'id-1',
      retryAfter: undefined,
      securityFault: undefined,
    });
  });

  for (const thrown of [
    new Error('SELECT secret FROM patients'),
    new TypeError('secret is undefined'),
    new URIError('secret'),
    'secret',
    { Fault: { faultstring: 'secret' } },
    undefined,
    null,
  ]) {
    it(`${thrown instanceof Error ? `A thrown ${thrown.name}` : `Thrown ${JSON.stringify(thrown)}`} is an internal error, and its text is not disclosed.`, () => {
      const fault = faultOf(thrown, 'id-1');
      expect(fault.code).to.equal('Internal');
      expect(fault.message).to.equal(ERROR_CODES.Internal);
      expect(JSON.stringify(fault)).to.not.include('secret');
    });
  }

  it("A path that cannot be decoded is malformed, and the decoder's message is not disclosed.", () => {
    const fault = faultOf(Object.assign(new URIError("Failed to decode param '%zz'"), { status: 400 }), 'id-1');
    expect(fault.code).to.equal('Malformed');
    expect(fault.message).to.not.include('%zz');
  });

  it('A refusal as a fault has its ResultCode, text and parameter.', () => {
    expect(faultOf(new Refusal('UnknownCenter', 'there is no center 9.', 'centerid'), 'id-1')).to.deep.equal({
      code: 'Refused',
      message: 'Parameter centerid: there is no center 9.',
      resultCode: 11,
      parameter: 'centerid',
      correlationId: 'id-1',
    });
  });

  it('Retry-After accompanies only errors that pass by themselves.', () => {
    expect(RETRY_AFTER).to.deep.equal({ Unavailable: 2, TooManyRequests: 5 });
    for (const code of codes) {
      const headers = faultHeaders({ ...faultOf(new ServiceError(code), 'id-1') });
      expect(headers['Retry-After'], code).to.equal(RETRY_AFTER[code]?.toString());
    }
    const known = new ServiceError('TooManyRequests', undefined, { retryAfter: 17 });
    expect(faultHeaders(faultOf(known, 'id-1'))['Retry-After']).to.equal('17');
  });

  it('Only a caller who cannot be identified is asked for a name and a password.', () => {
    for (const code of codes) {
      const asked = faultHeaders(faultOf(new ServiceError(code), 'id-1'))['WWW-Authenticate'];
      expect(asked, code).to.equal(
        code === 'Unauthorized' ? 'Basic realm="TPWebServices", charset="UTF-8"' : undefined,
      );
    }
  });

  it('A refused Security header keeps its own fault code, and does not ask for Basic.', () => {
    const error = new ServiceError('Unauthorized', 'No.', { securityFault: 'InvalidSecurity' });
    const fault = faultOf(error, 'id-1');
    expect(fault.securityFault).to.equal('InvalidSecurity');
    expect(faultAnswerOf(fault).soapStatus).to.equal(500);
    expect(faultHeaders(fault)).to.deep.equal({ 'X-Correlation-Id': 'id-1' });
  });

  it('Every fault has its correlation id in a header.', () => {
    for (const code of codes) {
      expect(faultHeaders(faultOf(new ServiceError(code), 'id-7'))['X-Correlation-Id']).to.equal('id-7');
    }
  });

  it('The connection is closed only after a request that was too large.', () => {
    for (const code of codes) {
      const { Connection } = faultHeaders(faultOf(new ServiceError(code), 'id-1'));
      expect(Connection, code).to.equal(code === 'TooLarge' ? 'close' : undefined);
    }
  });
});
