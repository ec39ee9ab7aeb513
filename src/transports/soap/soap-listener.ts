import type { NextFunction, Request, RequestHandler, Response } from 'express';
import soap from 'soap';
import type { Call } from '../../calls/call.ts';
import type { Contract } from '../../contract/contract.ts';
import type { SoapVersion } from './soap-versions.ts';

/** What a call is answered with: the Body's one child, ready written, and for a fault its HTTP status. */
export interface WrittenAnswer {
  readonly body: string;
  readonly faultStatus: number | undefined;
}

/** Answers a call; never rejects, for whatever goes wrong is an answer too. */
export type AnswerCall = (call: Call, response: Response) => Promise<WrittenAnswer>;

/** Hands a call that was read already to the `soap` library's listener of its version. */
export type SoapListener = (call: Call, request: Request, response: Response, next: NextFunction) => void;

/** A fault as the library wants it thrown; it looks at `faultcode` to choose its path and at `statusCode` for HTTP. */
interface ThrownFault {
  readonly Fault: { readonly faultcode: string; readonly statusCode: number; readonly body: string };
}

/**
 * The library's listener gets the text of the body by `request.body.toString()`, asks for `length` first, and passes the text
 * to `WSDL.xmlToObject`. Our reader has read the message by then (it had to, to know the version), so what travels that
 * way is the call itself, and the stream is never touched.
 */
class ReadBody {
  readonly length = 1;
  readonly call: Call;
  constructor(call: Call) {
    this.call = call;
  }
  toString(): string {
    return this as unknown as string;
  }
}

/** The library's WSDL with its reader and writer replaced by ours, and only the port of one version in it. */
class ContractWsdl extends soap.WSDL {
  override xmlToObject(body: unknown): unknown {
    const { call } = body as ReadBody;
    return { Body: { [call.operation.name]: call } };
  }

  override objectToDocumentXML(_name: string, answer: { readonly body: string }): string {
    return answer.body;
  }

  /** The library takes the first port whose path matches, and all four of ours share one path. */
  keepPort(serviceName: string, portName: string): void {
    const { ports } = this.definitions.services[serviceName] as unknown as { ports: Record<string, unknown> };
    for (const name of Object.keys(ports)) if (name !== portName) delete ports[name];
    if (ports[portName] === undefined) throw new Error(`the soap library finds no port ${portName} in the WSDL`);
  }
}

/** What the library takes for an Express app: it mounts one route for every method, and the door calls it when it is due. */
class SingleMount {
  listener: RequestHandler = () => {
    throw new Error('the soap library has not mounted its listener');
  };
  readonly use = () => this;
  readonly route = () => ({
    all: (listener: RequestHandler) => {
      this.listener = listener;
    },
  });
}

const openedWsdls = new Map<string, Promise<ContractWsdl>>();

/** The library's WSDL for one version. Whoever opens several services in one process has it read once. */
function openedWsdl(contract: Contract, wsdlText: string, version: SoapVersion): Promise<ContractWsdl> {
  const key = `${version.name} ${wsdlText}`;
  const opened = openedWsdls.get(key) ?? openWsdl(contract, wsdlText, version);
  openedWsdls.set(key, opened);
  return opened;
}

async function openWsdl(contract: Contract, wsdlText: string, version: SoapVersion): Promise<ContractWsdl> {
  const options = { forceSoap12Headers: version.name === 'soap12' };
  const wsdl = await new Promise<ContractWsdl>((resolve, reject) => {
    const opened = new ContractWsdl(wsdlText, contract.path, options);
    opened.onReady((error) => (error ? reject(error) : resolve(opened)));
  });
  wsdl.keepPort(contract.serviceName, contract.ports[version.name]);
  // The envelope needs no more namespaces than its own: the Body's child declares what it uses.
  wsdl.xmlnsInEnvelope = '';
  // The library waits for `onReady`, which has been; each Server calls it again, so that its route is mounted at once.
  wsdl.onReady = (mount: (error: Error) => void) => mount(undefined as never);
  return wsdl;
}

/**
 * The `soap` library's listener for one version. One Server and one WSDL object a version, because
 * the library decides the envelope's version per WSDL object.
 */
export async function createSoapListener(
  contract: Contract,
  wsdlText: string,
  version: SoapVersion,
  answerCall: AnswerCall,
): Promise<SoapListener> {
  const wsdl = await openedWsdl(contract, wsdlText, version);
  const handle = async (call: Call, _callback: unknown, _headers: unknown, _request: Request, response: Response) => {
    const { body, faultStatus } = await answerCall(call, response);
    if (faultStatus === undefined) return { body };
    throw { Fault: { faultcode: 'answered', statusCode: faultStatus, body } } satisfies ThrownFault;
  };
  const services = {
    [contract.serviceName]: {
      [contract.ports[version.name]]: Object.fromEntries(contract.operations.map(({ name }) => [name, handle])),
    },
  };
  const mount = new SingleMount();
  new soap.Server(mount as never, contract.path, services as never, wsdl, {
    path: contract.path,
    services: services as never,
    enableChunkedEncoding: false,
    suppressStack: true,
  });

  return (call, request, response, next) => {
    request.body = new ReadBody(call);
    // The listener routes by the path, prefers this header to the body, and answers with the request's Content-Type.
    request.url = contract.path;
    delete request.headers.soapaction;
    request.headers['content-type'] = version.contentType;
    mount.listener(request, response, next);
  };
}
