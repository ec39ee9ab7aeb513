import type { Express, Request, RequestHandler, Response } from 'express';
import soap from 'soap';
import { ANONYMOUS, callerOf } from '../../access/client.ts';
import { SECURITY_HEADER } from '../../access/ws-security/security-header.ts';
import type { Operation } from '../../contract/contract.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { shown } from '../../vocabulary/text.ts';
import { decodeXmlBytes } from '../../xml/decode-xml-bytes.ts';
import { answer, answerTextFault } from '../answer.ts';
import { callOf, type EndpointDependencies, isFaultFor } from '../call-of-request.ts';
import { type Fault, faultHeaders, faultOf, faultOfRefusal } from '../faults.ts';
import { type MediaType, readMediaType } from '../media-type.ts';
import { readBody } from '../read-body.ts';
import { compileResponseWriter } from '../record-writer.ts';
import { refuseCrossSite } from '../refuse-cross-site.ts';
import { reportFault } from '../report-fault.ts';
import { CORRELATION_HEADER, correlationIdOf } from '../request-ids.ts';
import { MessageReader, type SoapMessage } from './message-reader.ts';
import { createFaultWriter, writeEnvelope, writeFaultHeader } from './soap-fault.ts';
import { SOAP_11, SOAP_12, type SoapVersion, versionOfMediaType } from './soap-versions.ts';

/** What is known of a request before its message is read; `arrival` of `response.locals`. */
interface Arrival {
  readonly began: number;
  readonly correlationId: string;
  readonly type: MediaType;
  /** The version to which the media type belongs. */
  readonly typed: SoapVersion;
  readonly takesTokens: boolean;
  readonly soapAction: string | undefined;
}

const arrivalOf = ({ res }: Request): Arrival => res?.locals.arrival as Arrival;

/** The version in which a message is answered. Some toolkits send SOAP 1.2 as text/xml, too. */
const versionOf = ({ version }: SoapMessage, { typed }: Arrival): SoapVersion =>
  typed === SOAP_12 ? SOAP_12 : (version ?? SOAP_11);

/** An answer, already written. */
export interface WrittenBody {
  readonly version: SoapVersion;
  /** The single child of the Body. */
  readonly xml: string;
}

/** The library's WSDL with our reader and our writer. */
class ContractWsdl extends soap.WSDL {
  readonly #read: (xml: string) => SoapMessage;
  readonly #anyOperation: string;

  constructor(wsdl: string, path: string, anyOperation: string, read: (xml: string) => SoapMessage) {
    super(wsdl, path, {});
    this.#read = read;
    this.#anyOperation = anyOperation;
  }

  /** The library looks up the method of the operation that a message names. It is the same for all, so any will do for the others. */
  override xmlToObject(xml: string): { readonly Body: Readonly<Record<string, SoapMessage>> } {
    const message = this.#read(xml);
    return { Body: { [message.operation?.name ?? this.#anyOperation]: message } };
  }

  /** The library writes the envelope immediately after this. */
  override objectToDocumentXML(_name: string, { version, xml }: WrittenBody): string {
    this.options.forceSoap12Headers = version === SOAP_12;
    return xml;
  }
}

/**
 * Answers SOAP 1.1 and SOAP 1.2 on one path, each in its own version. `receive` checks the media type, lets the gate admit the sender, reads
 * and decodes the body, and passes on only POST requests whose body is a text that is not empty, without SOAPAction, which the library would
 * prefer to the message. `wsdl` is the contract's own text, in the deployment's namespace.
 */
export function createSoapEndpoint(dependencies: EndpointDependencies & { wsdl: string }) {
  const { contract, wsdl, invoke, refusals, newCorrelationId, gate, stopwatch } = dependencies;
  const { operations, namespace } = contract;
  const reader = new MessageReader(contract);
  const writers = new Map(operations.map((operation) => [operation, compileResponseWriter(operation, namespace)]));
  const writeFault = createFaultWriter(contract.fault, namespace);

  /** What is wrong with a message, before it is executed, becomes its problem. */
  async function check(message: SoapMessage, request: Request): Promise<void> {
    const { takesTokens, type, typed, soapAction } = arrivalOf(request);
    const { version, operation } = message;
    try {
      // A caller that cannot be identified receives that error first, whatever else is wrong with the message. A token is checked even if
      // the caller is identified without it, because its sender relies on that.
      if (takesTokens) await gate.admit(request, message.headers);
      // RFC 3902. The wrong envelope explains whatever else is wrong with it.
      if (version === SOAP_11 && typed === SOAP_12) throw wrongEnvelope();
      if (message.problem !== undefined || operation === undefined) return;
      // Clients that support both versions send both: the header is part of SOAP 1.1, the parameter of SOAP 1.2 (part 2, 7.5).
      checkAction(version === SOAP_11 ? soapAction : type.action, operation, namespace);
      refuseCrossSite(request, operation, dependencies);
    } catch (error) {
      message.problem = error;
    }
  }

  /** Executes a message without a problem, and answers either way. */
  async function answerMessage(message: SoapMessage, request: Request, response: Response): Promise<WrittenBody> {
    const arrival = arrivalOf(request);
    const { correlationId, began } = arrival;
    const version = versionOf(message, arrival);
    // The library has set that of the request.
    response.setHeader('Content-Type', version.contentType);
    const { operation, input, problem } = message;
    let fault: Fault;
    try {
      if (problem !== undefined || operation === undefined || input === undefined) throw problem;
      const outcome = await invoke(
        callOf(request, { operation, input, transport: version.name, correlationId }, dependencies),
      );
      if (!isFaultFor(request, outcome, refusals)) {
        const xml = writers.get(operation)?.(outcome.record) as string;
        response.setHeader(CORRELATION_HEADER, correlationId);
        return { version, xml };
      }
      fault = faultOfRefusal(outcome, correlationId);
    } catch (error) {
      fault = faultOf(error, correlationId);
      reportFault(dependencies, error, fault, { request, transport: version.name, operation, began });
    }
    const { status, body } = writeFault(version, fault);
    response.status(status).set(faultHeaders(fault));
    return { version, xml: body };
  }

  /** The text of the message, which is not empty. */
  async function readText(request: Request, response: Response, charset: string | undefined, takesTokens: boolean) {
    try {
      // A byte order mark alone is no text. For an empty one, the library would wait for a body that was read already.
      const text = decodeXmlBytes(await readBody(request, response), charset);
      if (text === '') throw new ServiceError('Malformed', 'The body is empty; expected a SOAP envelope.');
      return text;
    } catch (error) {
      // `letRead` has not counted a caller that is to be identified by the message.
      if (takesTokens && callerOf(request) === ANONYMOUS) gate.count(request);
      throw error;
    }
  }

  const receive: RequestHandler = async (request, response, next) => {
    const began = stopwatch();
    const correlationId = correlationIdOf(request, newCorrelationId);
    const type = readMediaType(request.headers['content-type']);
    const typed = versionOfMediaType(type.essence);
    const takesTokens = gate.takesTokens();
    try {
      if (typed === undefined) {
        gate.count(request);
        throw wrongMediaType(type, request.headers['content-type']);
      }
      await (takesTokens ? gate.letRead(request) : gate.admit(request));
      request.body = await readText(request, response, type.charset, takesTokens);
      const soapAction = actionOfHeader(request.headers.soapaction);
      request.headers.soapaction = undefined;
      response.locals.arrival = { began, correlationId, type, typed, takesTokens, soapAction } satisfies Arrival;
      // The library finds the port by the path as the WSDL spells it.
      request.url = contract.path;
      next();
    } catch (error) {
      const fault = faultOf(error, correlationId);
      reportFault(dependencies, error, fault, { request, transport: typed?.name ?? 'http', began });
      if (response.headersSent || response.destroyed) return;
      if (typed === undefined) return answerTextFault(response, fault);
      const { status, body } = writeFault(typed, fault);
      answer(response, status, typed.contentType, writeEnvelope(typed, '', body), faultHeaders(fault));
    }
  };

  /**
   * Puts the `soap` library's listener, which serves both versions, behind `receive`. Nothing that it calls throws or rejects: the library would
   * answer by itself.
   */
  async function listen(app: Express): Promise<void> {
    const { path, serviceName, ports } = contract;
    const method = (
      message: SoapMessage,
      _callback: unknown,
      _headers: unknown,
      request: Request,
      response: Response,
    ) => answerMessage(message, request, response);
    // It takes the first port with this path, whichever version a message has.
    const services = {
      [serviceName]: { [ports.soap11]: Object.fromEntries(operations.map(({ name }) => [name, method])) },
    };
    const library = new ContractWsdl(wsdl, path, operations[0]?.name ?? '', (xml) =>
      reader.read(xml, gate.takesTokens() ? [SECURITY_HEADER] : []),
    );
    await new Promise<void>((resolve, reject) => {
      const callback = (error: unknown) => (error ? reject(error) : resolve());
      const options = { path, services, enableChunkedEncoding: false, suppressStack: true, callback };
      const server = new soap.Server(app, path, services, library, options);
      server.authenticate = async (_security, _callback, request, envelope) => {
        const [message] = Object.values((envelope as ReturnType<ContractWsdl['xmlToObject']>).Body);
        await check(message as SoapMessage, request as Request);
        return true;
      };
      server.addSoapHeader((_method: string, message: SoapMessage, _headers: unknown, request: Request) =>
        writeFaultHeader(versionOf(message, arrivalOf(request)), message.problem),
      );
    });
    // The envelope needs only its own namespace, because the Body's child declares those that it uses.
    library.xmlnsInEnvelope = '';
  }

  return { receive, listen };
}

function wrongMediaType({ essence }: MediaType, header: string | undefined): ServiceError {
  const is = header === undefined ? 'is missing' : `"${shown(essence || header)}" is not supported`;
  const expected = `${SOAP_11.mediaType} (SOAP 1.1) or ${SOAP_12.mediaType} (SOAP 1.2)`;
  return new ServiceError('UnsupportedMediaType', `The Content-Type ${is}; expected ${expected}.`);
}

const wrongEnvelope = () =>
  new ServiceError(
    'UnsupportedMediaType',
    `A SOAP 1.1 envelope must be sent as ${SOAP_11.mediaType}, not as ${SOAP_12.mediaType}.`,
  );

/**
 * Refuses an action other than the body's operation. It only repeats what the body says, so an absent or empty one is accepted. If it differs,
 * an intermediary, such as a filter that decides by the header, was shown a request other than ours. Throws ServiceError `ActionMismatch`.
 */
export function checkAction(action: string | undefined, { name, soapAction }: Operation, namespace: string): void {
  // The interface document writes it as {namespace}/<Op>, whether or not the namespace ends in a slash.
  if (action === undefined || action === '' || action === soapAction || action === `${namespace}/${name}`) return;
  const problem = `The SOAP action "${shown(action)}" is not that of ${name} in the body; expected "${soapAction}".`;
  throw new ServiceError('ActionMismatch', problem);
}

/** The SOAPAction header's URI without its quotes: SOAP 1.1, 6.1.1. Old clients omit the quotes. */
export function actionOfHeader(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
