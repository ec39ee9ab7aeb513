import type { Request, Response } from 'express';
import soap from 'soap';
import type { Call } from '../../calls/call.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { withoutDetails } from '../../contract/rewrite-wsdl.ts';
import { answerWithCheckedHeaders, reusableBody } from '../answer.ts';
import { CORRELATION_HEADER } from '../correlation-id.ts';
import type { SoapVersion } from './soap-versions.ts';

/** The answer to a call: the single child of the Body, already serialized. */
export class WrittenBody {
  readonly xml: string;
  /** The whole message, once the library has written it, so that a body that is used again is put into its envelope only once. */
  message: string | Buffer | undefined;

  constructor(xml: string) {
    this.xml = xml;
  }
}

/**
 * A fault in the form in which the library expects it to be thrown. `faultcode` selects how the library handles it, and `statusCode` is for
 * HTTP.
 */
export class ThrownFault {
  readonly Fault: { readonly faultcode: 'answered'; statusCode: number | undefined; readonly body: WrittenBody };

  constructor(xml: string, status: number) {
    this.Fault = { faultcode: 'answered', statusCode: status, body: new WrittenBody(xml) };
  }
}

/** Answers a call, or rejects with ThrownFault for any failure. */
export type AnswerCall = (call: Call, response: Response) => Promise<WrittenBody>;

/** Passes a call that has already been read to the `soap` library's Server for its version, and sends what it writes. */
export type SoapServer = (call: Call, request: Request, response: Response) => void;

/** The library's WSDL with its writer replaced by ours. */
class ContractWsdl extends soap.WSDL {
  /** What is already serialized is put into the envelope as it is. */
  override objectToDocumentXML(_name: string, written: WrittenBody | ThrownFault['Fault']): string {
    return (written instanceof WrittenBody ? written : written.body) as unknown as string;
  }

  /** The same WSDL for one version: the library determines the envelope's version from an option of the WSDL object. */
  ofVersion({ name }: SoapVersion): ContractWsdl {
    return Object.create(this, { options: { value: { ...this.options, forceSoap12Headers: name === 'soap12' } } });
  }
}

/** The methods of the library's Server that we use below its listener; its types hide them. */
interface LibraryServer {
  /** Calls the service's method with `args` and returns the message that answers it. */
  _executeMethod(
    found: LibraryCall & { readonly args: Call },
    request: Request,
    response: Response,
    send: (message: string | Buffer, status?: number) => void,
  ): void;
  _envelope(body: string | WrittenBody): string | Buffer;
}

/** What the library's listener determines about a message before executing it. */
interface LibraryCall {
  readonly serviceName: string;
  readonly portName: string;
  readonly methodName: string;
  readonly outputName: string;
  readonly style: 'document';
}

/** Marks the place of the Body's child while the library writes its envelope once. */
const BODY_MARK = '<body/>';

const openedWsdls = new Map<string, Promise<ContractWsdl>>();

/** The library's WSDL. A process reads it only once, for all versions and services. */
function openedWsdl(contract: Contract, wsdlText: string): Promise<ContractWsdl> {
  const opened = openedWsdls.get(wsdlText) ?? openWsdl(contract, wsdlText);
  openedWsdls.set(wsdlText, opened);
  return opened;
}

async function openWsdl(contract: Contract, wsdlText: string): Promise<ContractWsdl> {
  const wsdl = await new Promise<ContractWsdl>((resolve, reject) => {
    // Our reader and writer need no types from the library, whose own reader spends most of its time on types and documentation.
    const opened = new ContractWsdl(withoutDetails(wsdlText), contract.path, {});
    opened.onReady((error) => (error ? reject(error) : resolve(opened)));
  });
  // The envelope needs only its own namespace, because the Body's child declares those that it uses.
  wsdl.xmlnsInEnvelope = '';
  return wsdl;
}

/**
 * The `soap` library's Server for one version. It is entered below its listener, because the message has already been read. There is one
 * Server and one WSDL object per version, both based on the WSDL that was read once.
 */
export async function createSoapServer(
  contract: Contract,
  wsdlText: string,
  version: SoapVersion,
  answerCall: AnswerCall,
): Promise<SoapServer> {
  const wsdl = (await openedWsdl(contract, wsdlText)).ofVersion(version);
  const { serviceName } = contract;
  const portName = contract.ports[version.name];
  const handle = (call: Call, _callback: unknown, _headers: unknown, _request: Request, response: Response) =>
    answerCall(call, response);
  const methods = Object.fromEntries(contract.operations.map(({ name }) => [name, handle]));
  const services = { [serviceName]: { [portName]: methods } };
  const server = new soap.Server(null, contract.path, services as never, wsdl) as unknown as LibraryServer;
  // The library concatenates its envelope from ten texts, of which only the Body differs between answers.
  const [open, close] = (server._envelope(BODY_MARK) as string).split(BODY_MARK);
  server._envelope = (body) => {
    const written = body as WrittenBody;
    written.message ??= reusableBody(open + written.xml + close);
    return written.message;
  };

  const found = new Map<Operation, LibraryCall>(
    contract.operations.map((operation) => [
      operation,
      {
        serviceName,
        portName,
        methodName: operation.name,
        outputName: operation.responseName,
        style: 'document',
      },
    ]),
  );

  return (call, request, response) => {
    const known = found.get(call.operation);
    if (known === undefined) throw new Error(`the soap library knows no ${call.operation.name}`);
    server._executeMethod({ ...known, args: call }, request, response, (message, status = 200) =>
      answerWithCheckedHeaders(response, status, version.contentType, message, {
        [CORRELATION_HEADER]: call.correlationId,
      }),
    );
  };
}
