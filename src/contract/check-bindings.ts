import type { Transport } from './contract.ts';
import { operationUri } from './operation-uri.ts';
import type { AbstractOperation, PortType } from './read-port-types.ts';
import {
  attributeOf,
  childrenOf,
  define,
  definedName,
  expectShape,
  onlyChildOf,
  WSDL,
  WSDL_HTTP,
  WSDL_MIME,
  WSDL_SOAP,
  WSDL_SOAP12,
} from './wsdl-node.ts';
import type { XmlNode } from './xml-node.ts';

/** What the WSDL says about a transport. */
export interface TransportDescription {
  /** Namespace of the extension elements of the binding and of the address. */
  readonly namespace: string;
  /** HTTP verb of a form; absent for SOAP. */
  readonly verb?: 'GET' | 'POST';
}

export const TRANSPORT_DESCRIPTIONS: Readonly<Record<Transport, TransportDescription>> = {
  soap11: { namespace: WSDL_SOAP },
  soap12: { namespace: WSDL_SOAP12 },
  httpGet: { namespace: WSDL_HTTP, verb: 'GET' },
  httpPost: { namespace: WSDL_HTTP, verb: 'POST' },
};

const SOAP_OVER_HTTP = 'http://schemas.xmlsoap.org/soap/http';
const FORM = 'application/x-www-form-urlencoded';

/**
 * Checks that a `wsdl:binding` binds every operation of its portType, as document/literal with the right soapAction or as a
 * URL-encoded form. Throws an Error that names the binding and the operation. Source: WSDL 1.1, 3 to 5.
 */
export function checkBinding(
  binding: XmlNode,
  portType: PortType,
  description: TransportDescription,
  targetNamespace: string,
): void {
  const place = `Binding ${attributeOf(binding, 'name', 'A binding')}`;
  const { namespace, verb } = description;
  expectShape(binding, place, {
    required: ['name', 'type'],
    children: [
      [WSDL, 'operation', 'documentation'],
      [namespace, 'binding'],
    ],
  });
  const extension = onlyChildOf(binding, namespace, 'binding', place);
  if (verb) expectAttributes(extension, `The binding element of ${place}`, { verb });
  else
    expectAttributes(
      extension,
      `The binding element of ${place}`,
      { transport: SOAP_OVER_HTTP },
      { style: 'document' },
    );

  const bound = new Map<string, XmlNode>();
  for (const node of childrenOf(binding, WSDL, 'operation')) {
    define(bound, definedName(node, `An operation of ${place}`), node, `${place}: operation`);
  }
  expectSameNames([...portType.operations.keys()], [...bound.keys()], `portType ${portType.name}`, place);
  for (const [name, node] of bound) {
    const operation = portType.operations.get(name);
    if (!operation) continue;
    if (verb) checkFormOperation(node, name, verb, `Operation ${name} of ${place}`);
    else checkSoapOperation(node, operation, namespace, targetNamespace, `Operation ${name} of ${place}`);
  }
}

/** Throws an Error that names the operations that only one of two descriptions has. */
export function expectSameNames(
  expected: readonly string[],
  actual: readonly string[],
  by: string,
  place: string,
): void {
  const missing = expected.filter((name) => !actual.includes(name));
  if (missing.length > 0) throw new Error(`${place} lacks the operation ${missing.join(', ')} of ${by}.`);
  const extra = actual.filter((name) => !expected.includes(name));
  if (extra.length > 0) throw new Error(`${place} has the operation ${extra.join(', ')}, which ${by} does not have.`);
}

function checkSoapOperation(
  node: XmlNode,
  operation: AbstractOperation,
  namespace: string,
  targetNamespace: string,
  place: string,
): void {
  expectShape(node, place, {
    required: ['name'],
    children: [
      [WSDL, 'documentation', 'input', 'output', 'fault'],
      [namespace, 'operation'],
    ],
  });
  expectAttributes(
    onlyChildOf(node, namespace, 'operation', place),
    `The operation element of ${place}`,
    { soapAction: operationUri(targetNamespace, operation.name) },
    { style: 'document' },
  );
  for (const direction of ['input', 'output']) {
    const body = soleExtension(
      onlyChildOf(node, WSDL, direction, place),
      namespace,
      'body',
      `The ${direction} of ${place}`,
    );
    expectAttributes(body, `The ${direction} of ${place}`, { use: 'literal' });
  }
  const faults = childrenOf(node, WSDL, 'fault').map((fault) => {
    const name = definedName(fault, `A fault of ${place}`);
    const extension = soleExtension(fault, namespace, 'fault', `Fault ${name} of ${place}`, ['name']);
    expectAttributes(extension, `Fault ${name} of ${place}`, { name, use: 'literal' });
    return name;
  });
  // WSDL2Java of Axis 1.4 cannot read a WSDL with a soap12:fault. Tools take the faults from the portType.
  const expected = namespace === WSDL_SOAP12 ? [] : [...operation.faults.keys()];
  if (faults.join() !== expected.join()) {
    throw new Error(`${place} has the faults "${faults.join()}"; it must have "${expected.join()}".`);
  }
}

function checkFormOperation(node: XmlNode, name: string, verb: 'GET' | 'POST', place: string): void {
  expectShape(node, place, {
    required: ['name'],
    children: [
      [WSDL, 'documentation', 'input', 'output'],
      [WSDL_HTTP, 'operation'],
    ],
  });
  const location = onlyChildOf(node, WSDL_HTTP, 'operation', place);
  expectAttributes(location, `The operation element of ${place}`, { location: `/${name}` });
  const input = onlyChildOf(node, WSDL, 'input', place);
  const inputPlace = `The input of ${place}`;
  if (verb === 'GET') expectAttributes(soleExtension(input, WSDL_HTTP, 'urlEncoded', inputPlace), inputPlace, {});
  else expectAttributes(soleExtension(input, WSDL_MIME, 'content', inputPlace), inputPlace, { type: FORM });
  const output = onlyChildOf(node, WSDL, 'output', place);
  const outputPlace = `The output of ${place}`;
  expectAttributes(soleExtension(output, WSDL_MIME, 'mimeXml', outputPlace), outputPlace, { part: 'Body' });
}

function soleExtension(
  node: XmlNode,
  namespace: string,
  name: string,
  place: string,
  required: readonly string[] = [],
): XmlNode {
  expectShape(node, place, { required, children: [[namespace, name]] });
  return onlyChildOf(node, namespace, name, place);
}

/** Every attribute must have the given value; those in `optional` may be absent. */
function expectAttributes(
  node: XmlNode,
  place: string,
  required: Readonly<Record<string, string>>,
  optional: Readonly<Record<string, string>> = {},
): void {
  expectShape(node, place, { required: Object.keys(required), optional: Object.keys(optional) });
  for (const [attribute, expected] of Object.entries({ ...required, ...optional })) {
    const actual = node.attributes.get(attribute) ?? expected;
    if (actual !== expected) throw new Error(`${place} has ${attribute}="${actual}"; it must be "${expected}".`);
  }
}
