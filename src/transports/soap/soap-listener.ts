import type { Express, Request, Response } from 'express';
import soap from 'soap';
import type { Contract } from '../../contract/contract.ts';
import type { SoapMessage } from './message-reader.ts';
import { SOAP_12, type SoapVersion } from './soap-versions.ts';

/** An answer, already written. */
export interface WrittenBody {
  readonly version: SoapVersion;
  /** The single child of the Body. */
  readonly xml: string;
}

/** What the library's listener does with a message, in this order. Nothing here throws or rejects: the library would answer by itself. */
export interface SoapService {
  /** Reads the text in `request.body`. */
  readonly read: (xml: string) => SoapMessage;
  /** Checks a message before it is executed. If it may not be, that becomes its problem. */
  readonly check: (message: SoapMessage, request: Request) => Promise<void>;
  /** The header blocks of the answer, which only some problems have. */
  readonly writeHeader: (message: SoapMessage, request: Request) => string;
  /** Executes a message without a problem, and answers either way. */
  readonly answer: (message: SoapMessage, request: Request, response: Response) => Promise<WrittenBody>;
}

/** The library's WSDL with our reader and our writer. */
class ContractWsdl extends soap.WSDL {
  readonly #read: SoapService['read'];
  readonly #anyOperation: string;

  constructor(wsdl: string, path: string, anyOperation: string, read: SoapService['read']) {
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
 * Puts the `soap` library's listener, which serves both versions of SOAP, on the contract's path. What stands before it there must pass on only
 * POST requests whose body is a text that is not empty, and without SOAPAction, which the library would prefer to the message.
 */
export async function mountSoapListener(
  app: Express,
  { path, serviceName, operations, ports }: Contract,
  wsdlText: string,
  { read, check, writeHeader, answer }: SoapService,
): Promise<void> {
  const method = (message: SoapMessage, _callback: unknown, _headers: unknown, request: Request, response: Response) =>
    answer(message, request, response);
  // It takes the first port with this path, whichever version a message has.
  const services = {
    [serviceName]: { [ports.soap11]: Object.fromEntries(operations.map(({ name }) => [name, method])) },
  };
  const wsdl = new ContractWsdl(wsdlText, path, operations[0]?.name ?? '', read);
  await new Promise<void>((resolve, reject) => {
    const callback = (error: unknown) => (error ? reject(error) : resolve());
    const options = { path, services, enableChunkedEncoding: false, suppressStack: true, callback };
    const server = new soap.Server(app, path, services, wsdl, options);
    server.authenticate = async (_security, _callback, request, envelope) => {
      const [message] = Object.values((envelope as ReturnType<ContractWsdl['xmlToObject']>).Body);
      await check(message as SoapMessage, request as Request);
      return true;
    };
    server.addSoapHeader((_method: string, message: SoapMessage, _headers: unknown, request: Request) =>
      writeHeader(message, request),
    );
  });
  // The envelope needs only its own namespace, because the Body's child declares those that it uses.
  wsdl.xmlnsInEnvelope = '';
}
