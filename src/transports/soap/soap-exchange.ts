import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { ANONYMOUS } from '../../access/client.ts';
import type { Contract, Operation, ResultRecord } from '../../contract/contract.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { type MediaType, readMediaType } from '../../vocabulary/media-type.ts';
import { quoted } from '../../vocabulary/text.ts';
import { decodeXmlBytes } from '../../xml/decode-xml-bytes.ts';
import { answer, answerTextFault } from '../answer.ts';
import { Exchange, type ExchangeParts } from '../exchange.ts';
import { type Fault, faultAnswerOf, faultHeaders } from '../faults.ts';
import { wrongMediaType } from '../media-type.ts';
import { readBody } from '../read-body.ts';
import { writeEmptyResponse } from '../record-writer.ts';
import { CORRELATION_HEADER } from '../request-ids.ts';
import type { SoapMessage } from './message-reader.ts';
import { type WriteFault, writeEnvelope, writeFaultHeader } from './soap-fault.ts';
import { SOAP_11, SOAP_12, type SoapVersion, versionOfMediaType } from './soap-versions.ts';

/** What all exchanges over SOAP share. */
export interface SoapParts extends ExchangeParts {
  readonly contract: Contract;
  readonly writers: ReadonlyMap<Operation, (record: ResultRecord) => string>;
  readonly writeFault: WriteFault;
}

/** The single child of the Body of an answer. */
export interface WrittenBody {
  readonly version: SoapVersion;
  readonly xml: string;
}

/** A request over SOAP. Its methods stand in the order in which they are called: `receive` by Express, the others by the `soap` library. */
export class SoapExchange extends Exchange {
  declare protected readonly parts: SoapParts;
  readonly #type: MediaType;
  /** The version to which the media type belongs. */
  readonly #typed: SoapVersion | undefined;
  /** Whether the caller may identify itself within the message. */
  readonly #takesTokens: boolean;
  #soapAction: string | undefined;
  #message: SoapMessage | undefined;

  constructor(parts: SoapParts, request: IncomingMessage) {
    super(parts, request);
    this.#type = readMediaType(request.headers['content-type']);
    this.#typed = versionOfMediaType(this.#type.essence);
    this.transport = this.#typed?.name ?? 'http';
    this.#takesTokens = parts.gate.takesTokens();
  }

  /** The exchange that `receive` passed on. */
  static of(request: unknown): SoapExchange {
    return (request as Request).res?.locals.exchange as SoapExchange;
  }

  /**
   * Checks the media type, lets the gate admit the sender, reads and decodes the body, and passes on only a text that is not empty, without
   * SOAPAction, which the library would prefer to the message.
   */
  async receive(next: () => void): Promise<void> {
    const { request, response } = this;
    try {
      if (this.#typed === undefined) {
        this.count();
        throw wrongMediaType(this.#type, request.headers['content-type'], EXPECTED_TYPES);
      }
      const admitted = this.#takesTokens ? this.parts.gate.letRead(this) : this.admit();
      if (admitted !== undefined) await admitted;
      request.body = await this.#readText();
      this.#soapAction = actionOfHeader(request.headers.soapaction);
      request.headers.soapaction = undefined;
      response.locals.exchange = this;
      // The library finds the port by the path as the WSDL spells it.
      request.url = this.parts.contract.path;
      next();
    } catch (error) {
      const fault = this.failed(error);
      if (response.headersSent || response.destroyed) return;
      if (this.#typed === undefined) return answerTextFault(response, fault);
      const envelope = writeEnvelope(this.#typed, '', this.parts.writeFault(this.#typed, fault));
      answer(response, faultAnswerOf(fault).soapStatus, this.#typed.contentType, envelope, faultHeaders(fault));
    }
  }

  /** The text of the message, which is not empty. */
  async #readText(): Promise<string> {
    try {
      // A byte order mark alone is no text. For an empty one, the library would wait for a body that was read already.
      const text = decodeXmlBytes(await readBody(this.request, this.response), this.#type.charset);
      if (text === '') throw new ServiceError('Malformed', 'The body is empty; expected a SOAP envelope.');
      return text;
    } catch (error) {
      // `letRead` has not counted a caller that is to be identified by the message.
      if (this.#takesTokens && this.client === ANONYMOUS) this.count();
      throw error;
    }
  }

  /** What is wrong with a message, before it is executed, becomes its problem. Synchronous unless it may contain a token. */
  check(message: SoapMessage): true | Promise<true> {
    this.#message = message;
    this.operation = message.operation;
    this.transport = this.#version.name;
    return this.#takesTokens ? this.#checkSender(message) : this.#checkCall(message);
  }

  /**
   * A caller that cannot be identified receives that error first, whatever else is wrong with the message. A token is checked even if the
   * caller is identified without it, because its sender relies on that.
   */
  async #checkSender(message: SoapMessage): Promise<true> {
    try {
      await this.admit(message.headers);
      return this.#checkCall(message);
    } catch (error) {
      message.problem = error;
      return true;
    }
  }

  #checkCall(message: SoapMessage): true {
    const { version, operation } = message;
    try {
      // RFC 3902. The wrong envelope explains whatever else is wrong with it.
      if (version === SOAP_11 && this.#typed === SOAP_12) throw wrongEnvelope();
      if (message.problem !== undefined || operation === undefined) return true;
      // Clients that support both versions send both: the header is part of SOAP 1.1, the parameter of SOAP 1.2 (part 2, 7.5).
      if (version === SOAP_11) requireAction(this.#soapAction, operation, this.parts.contract.namespace);
      else requireNoOtherAction(this.#type.action, operation, this.parts.contract.operations);
      this.enter(operation);
    } catch (error) {
      message.problem = error;
    }
    return true;
  }

  /** The header of the answer. */
  faultHeader(): string {
    return writeFaultHeader(this.#version, this.#message?.problem);
  }

  /** Executes a message without a problem, and answers either way. Never rejects. */
  async answer(): Promise<WrittenBody> {
    const version = this.#version;
    // The library has set that of the request.
    this.response.setHeader('Content-Type', version.contentType);
    try {
      const { operation, input, problem } = this.#message as SoapMessage;
      if (problem !== undefined || operation === undefined || input === undefined) throw problem;
      const record = await this.call(input);
      const { contract, writers } = this.parts;
      const xml = this.hidesResults
        ? writeEmptyResponse(operation, contract.namespace)
        : (writers.get(operation)?.(record) as string);
      this.response.setHeader(CORRELATION_HEADER, this.correlationId);
      return { version, xml };
    } catch (error) {
      return this.#answerFault(this.failed(error));
    }
  }

  #answerFault(fault: Fault): WrittenBody {
    this.response.status(faultAnswerOf(fault).soapStatus).set(faultHeaders(fault));
    return { version: this.#version, xml: this.parts.writeFault(this.#version, fault) };
  }

  /** The version in which a message is answered. Some toolkits send SOAP 1.2 as text/xml, too. */
  get #version(): SoapVersion {
    return this.#typed === SOAP_12 ? SOAP_12 : (this.#message?.version ?? SOAP_11);
  }
}

const EXPECTED_TYPES = `${SOAP_11.mediaType} (SOAP 1.1) or ${SOAP_12.mediaType} (SOAP 1.2)`;

const wrongEnvelope = () =>
  new ServiceError(
    'UnsupportedMediaType',
    `A SOAP 1.1 envelope must be sent as ${SOAP_11.mediaType}, not as ${SOAP_12.mediaType}.`,
  );

/**
 * Refuses a SOAPAction other than that of the body's operation. It only repeats what the body says, so an absent or empty one is accepted. If
 * it differs, an intermediary, such as a filter that decides by the header, was shown a request other than ours. Throws ServiceError
 * `ActionMismatch`.
 */
export function requireAction(action: string | undefined, operation: Operation, namespace: string): void {
  const { name, soapAction } = operation;
  // The interface document writes it as {namespace}/<Op>, whether or not the namespace ends in a slash.
  if (action !== undefined && action !== '' && action !== soapAction && action !== `${namespace}/${name}`) {
    throw actionMismatch(action, operation);
  }
}

/**
 * Refuses an action of SOAP 1.2 that ends with the name of another operation: RFC 3902 makes it a hint, and toolkits write it in forms of
 * their own, such as PHP's `http://tempuri.org/#GetDoctor`. Throws ServiceError `ActionMismatch`.
 */
function requireNoOtherAction(action: string | undefined, operation: Operation, all: readonly Operation[]): void {
  if (action === undefined || action.endsWith(operation.name)) return;
  if (all.some(({ name }) => action.endsWith(name))) throw actionMismatch(action, operation);
}

const actionMismatch = (action: string, { name, soapAction }: Operation) =>
  new ServiceError(
    'ActionMismatch',
    `The SOAP action "${quoted(action)}" is not that of ${name} in the body; expected "${soapAction}".`,
  );

/** The SOAPAction header's URI without its quotes: SOAP 1.1, 6.1.1. Old clients omit the quotes. */
export function actionOfHeader(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
