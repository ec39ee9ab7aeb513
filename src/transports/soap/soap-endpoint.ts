import type { Express, NextFunction, Request } from 'express';
import soap from 'soap';
import { SECURITY_HEADER } from '../../access/ws-security/security-header.ts';
import type { Contract } from '../../contract/contract.ts';
import type { ExchangeParts } from '../exchange.ts';
import { compileResponseWriter } from '../record-writer.ts';
import { MessageReader, type SoapMessage } from './message-reader.ts';
import { SoapExchange, type SoapParts, type WrittenBody } from './soap-exchange.ts';
import { createFaultWriter, XMLNS_IN_ENVELOPE } from './soap-fault.ts';
import { SOAP_12 } from './soap-versions.ts';

export interface SoapDependencies extends ExchangeParts {
  readonly contract: Contract;
  /** The contract's own text, in the deployment's namespace. */
  readonly wsdl: string;
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

/** Answers SOAP 1.1 and SOAP 1.2 on one path, each in its own version. */
export class SoapEndpoint {
  readonly #wsdl: string;
  readonly #parts: SoapParts;

  constructor({ wsdl, ...dependencies }: SoapDependencies) {
    const { operations, namespace, fault } = dependencies.contract;
    this.#wsdl = wsdl;
    this.#parts = {
      ...dependencies,
      writers: new Map(operations.map((operation) => [operation, compileResponseWriter(operation, namespace)])),
      writeFault: createFaultWriter(fault, namespace),
    };
  }

  receive(request: Request, next: NextFunction): Promise<void> {
    return new SoapExchange(this.#parts, request).receive(next);
  }

  /**
   * Puts the `soap` library's listener, which serves both versions, behind `receive`. Nothing that it calls throws or rejects: the library
   * would answer by itself.
   */
  async listen(app: Express): Promise<void> {
    const { contract, gate } = this.#parts;
    const { operations, path, serviceName, ports } = contract;
    const reader = new MessageReader(contract);
    const library = new ContractWsdl(this.#wsdl, path, operations[0]?.name ?? '', (xml) =>
      reader.read(xml, gate.takesTokens() ? [SECURITY_HEADER] : []),
    );
    const method: soap.ISoapServiceMethod = (_message, _callback, _headers, request) =>
      SoapExchange.of(request).answer();
    // It takes the first port with this path, whichever version a message has.
    const services = {
      [serviceName]: { [ports.soap11]: Object.fromEntries(operations.map(({ name }) => [name, method])) },
    };
    await new Promise<void>((resolve, reject) => {
      const callback = (error: unknown) => (error ? reject(error) : resolve());
      const options = { path, services, enableChunkedEncoding: false, suppressStack: true, callback };
      const server = new soap.Server(app, path, services, library, options);
      server.authenticate = (_security, _callback, request, envelope) => {
        const [message] = Object.values((envelope as ReturnType<ContractWsdl['xmlToObject']>).Body);
        return SoapExchange.of(request).check(message as SoapMessage);
      };
      server.addSoapHeader((_method: string, _message: unknown, _headers: unknown, request: unknown) =>
        SoapExchange.of(request).faultHeader(),
      );
    });
    library.xmlnsInEnvelope = XMLNS_IN_ENVELOPE;
  }
}
