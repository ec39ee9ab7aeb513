import type { Request, RequestHandler, Response } from 'express';
import { ANONYMOUS, callerOf } from '../../access/client.ts';
import type { Gate } from '../../access/gate.ts';
import { subscriberNetwork } from '../../access/ip-address.ts';
import { SECURITY_HEADER } from '../../access/ws-security/security-header.ts';
import type { Call, Invoke } from '../../calls/call.ts';
import type { Contract, Operation, ResultRecord } from '../../contract/contract.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { shown } from '../../vocabulary/text.ts';
import { decodeXmlBytes } from '../../xml/decode-xml-bytes.ts';
import { answer } from '../answer.ts';
import { answerTextFault } from '../answer-text-fault.ts';
import { correlationIdOf, type NewCorrelationId } from '../correlation-id.ts';
import { faultHeaders } from '../fault-headers.ts';
import { type Fault, faultOf, faultOfRefusal, type RefusalStyle } from '../faults.ts';
import { idempotencyKeyOf } from '../idempotency-key.ts';
import { type MediaType, readMediaType } from '../media-type.ts';
import { onceIfFrozen } from '../once-if-frozen.ts';
import { readBody, takeBody } from '../read-body.ts';
import { compileResponseWriter } from '../record-writer.ts';
import { type CrossSiteSettings, refuseCrossSite } from '../refuse-cross-site.ts';
import { type FaultReport, reportFault } from '../report-fault.ts';
import { whenAdmitted } from '../when-admitted.ts';
import { compileMessageReader, type SeenMessage } from './message-reader.ts';
import { createActionCheck, createActionHeaderCheck } from './soap-action.ts';
import { createFaultWriter, writeEnvelope } from './soap-fault.ts';
import { type AnswerCall, createSoapServer, ThrownFault, WrittenBody } from './soap-server.ts';
import { SOAP_11, SOAP_12, type SoapVersion } from './soap-versions.ts';

export interface SoapDoorDependencies extends CrossSiteSettings, FaultReport {
  readonly contract: Contract;
  /** The contract's own text, in the deployment's namespace. */
  readonly wsdl: string;
  readonly invoke: Invoke;
  readonly refusals: RefusalStyle;
  readonly newCorrelationId: NewCorrelationId;
  readonly gate: Gate;
}

/**
 * Answers SOAP 1.1 and SOAP 1.2 on one path, each in its own version. It reads the message, passes the call to the `soap` library's Server
 * for its version, and answers with a fault itself if there is no call to pass on.
 */
export async function createSoapDoor(dependencies: SoapDoorDependencies): Promise<RequestHandler> {
  const { contract, wsdl, invoke, refusals, newCorrelationId, gate } = dependencies;
  const readMessage = compileMessageReader(contract);
  const readMessageWithToken = compileMessageReader(contract, [SECURITY_HEADER]);
  const checkAction = createActionCheck(contract.operations, contract.namespace);
  const checkActionHeader = createActionHeaderCheck(contract.operations, checkAction);
  const writeFault = createFaultWriter(contract.fault, contract.namespace);

  const answerIn = (version: SoapVersion): AnswerCall => {
    const bodies = new Map<Operation, (record: ResultRecord) => WrittenBody>();
    for (const operation of contract.operations) {
      const write = compileResponseWriter(operation, contract.namespace);
      bodies.set(
        operation,
        onceIfFrozen((record) => new WrittenBody(write(record))),
      );
    }
    return async (call, response) => {
      let fault: Fault;
      try {
        const outcome = await invoke(call);
        if (!outcome.refused || (call.client.refusals ?? refusals) === 'result') {
          const bodyOfRecord = bodies.get(call.operation);
          if (bodyOfRecord === undefined) throw new Error(`${call.operation.name} has no writer`);
          return bodyOfRecord(outcome.record);
        }
        fault = faultOfRefusal(outcome, call.correlationId);
      } catch (error) {
        fault = faultOf(error, call.correlationId);
        reportFault(dependencies, error, fault, version.name, call.operation, response.req);
      }
      const { status, body } = writeFault(version, fault);
      response.setHeaders(new Map(Object.entries(faultHeaders(fault))));
      throw new ThrownFault(body, status);
    };
  };

  const servers = {
    soap11: await createSoapServer(contract, wsdl, SOAP_11, answerIn(SOAP_11)),
    soap12: await createSoapServer(contract, wsdl, SOAP_12, answerIn(SOAP_12)),
  };

  function readCall(
    request: Request,
    type: MediaType,
    seen: SeenMessage,
    correlationId: string,
    read: typeof readMessage,
  ): Call {
    const bytes = takeBody(request);
    if (bytes.length === 0) throw new ServiceError('Malformed', 'The body is empty; expected a SOAP envelope.');
    const { version, operation, input } = readVersioned(read, decodeXmlBytes(bytes, type.charset), type, seen);
    // SOAP 1.2 has no such header, but clients that support both versions send it: SOAP 1.2 part 2, 7.5.
    if (version === SOAP_11) checkActionHeader(request.headers.soapaction, operation);
    checkAction(type.action, operation);
    refuseCrossSite(request, operation, dependencies);
    const idempotencyKey = idempotencyKeyOf(request);
    return {
      operation,
      input,
      transport: version.name,
      client: callerOf(request),
      network: networkOf(request),
      address: dependencies.addressOf(request),
      correlationId,
      idempotencyKey,
    };
  }

  const networkOf = (request: Request) => () => subscriberNetwork(dependencies.originOf(request).address);

  /** Some toolkits send SOAP 1.2 as text/xml, too. application/soap+xml never contains SOAP 1.1: RFC 3902. */
  function readVersioned(read: typeof readMessage, xml: string, type: MediaType, seen: SeenMessage) {
    try {
      return read(xml, seen);
    } finally {
      if (seen.version === SOAP_11 && type.essence === SOAP_12.mediaType) {
        // biome-ignore lint/correctness/noUnsafeFinally: the wrong envelope explains whatever else is wrong with it
        throw new ServiceError(
          'UnsupportedMediaType',
          `A SOAP 1.1 envelope must be sent as ${SOAP_11.mediaType}, not as ${SOAP_12.mediaType}.`,
        );
      }
    }
  }

  function turnAway(
    response: Response,
    error: unknown,
    version: SoapVersion | undefined,
    correlationId: string,
    operation: Operation | undefined,
  ): void {
    const fault = faultOf(error, correlationId);
    reportFault(dependencies, error, fault, version?.name ?? 'http', operation, response.req);
    if (response.headersSent || response.destroyed) return;
    if (version === undefined) {
      answerTextFault(response, fault);
      return;
    }
    const notUnderstood = error instanceof ServiceError ? error.notUnderstood : [];
    const { status, header, body } = writeFault(version, fault, notUnderstood);
    answer(response, status, version.contentType, writeEnvelope(version, header, body), faultHeaders(fault));
  }

  return (request, response, next) => {
    const correlationId = correlationIdOf(request, newCorrelationId);
    const header = request.headers['content-type'];
    const type = readMediaType(header);
    const typed = versionOfMediaType(type.essence);
    if (typed === undefined) {
      const expected = `${SOAP_11.mediaType} (SOAP 1.1) or ${SOAP_12.mediaType} (SOAP 1.2)`;
      const is = header === undefined ? 'is missing' : `"${shown(type.essence || header)}" is not supported`;
      const refuse = (error: unknown) => turnAway(response, error, undefined, correlationId, undefined);
      const problem = new ServiceError('UnsupportedMediaType', `The Content-Type ${is}; expected ${expected}.`);
      whenAdmitted(
        () => gate.count(request),
        () => refuse(problem),
        refuse,
        next,
      );
      return;
    }
    const takesTokens = gate.takesTokens();
    const enter = () =>
      readBody(request, response, (bodyError?: unknown) => {
        const seen: SeenMessage = {};
        const refuse = (error: unknown) =>
          turnAway(
            response,
            error,
            typed === SOAP_12 ? SOAP_12 : (seen.version ?? SOAP_11),
            correlationId,
            seen.operation,
          );
        const hand = (call: Call) => servers[call.transport as SoapVersion['name']](call, request, response);
        let call: Call | undefined;
        let problem: unknown;
        try {
          if (bodyError !== undefined) throw bodyError;
          call = readCall(request, type, seen, correlationId, takesTokens ? readMessageWithToken : readMessage);
        } catch (error) {
          problem = error;
        }
        const goOn = () => {
          try {
            if (call === undefined) throw problem;
            hand(takesTokens ? { ...call, client: callerOf(request) } : call);
          } catch (error) {
            refuse(error);
          }
        };
        // A caller that cannot be identified receives that error first, whatever else is wrong with the message. A token is checked even if
        // the caller is identified without it, because its sender relies on that.
        if (takesTokens && bodyError === undefined) {
          whenAdmitted(() => gate.admit(request, seen.headers ?? []), goOn, refuse, next);
        } else if (takesTokens && callerOf(request) === ANONYMOUS) {
          // `letRead` has not counted it.
          whenAdmitted(() => gate.count(request), goOn, refuse, next);
        } else goOn();
      });
    whenAdmitted(
      () => (takesTokens ? gate.letRead(request) : gate.admit(request)),
      enter,
      (error) => turnAway(response, error, typed, correlationId, undefined),
      next,
    );
  };
}

function versionOfMediaType(essence: string): SoapVersion | undefined {
  if (essence === SOAP_11.mediaType) return SOAP_11;
  if (essence === SOAP_12.mediaType) return SOAP_12;
  return undefined;
}
