import { checkBinding, expectSameNames, TRANSPORT_DESCRIPTIONS } from './check-bindings.ts';
import {
  type Contract,
  type Operation,
  type Parameter,
  type RecordType,
  TRANSPORT_TITLES,
  TRANSPORTS,
  type Transport,
} from './contract.ts';
import { operationUri } from './operation-uri.ts';
import { type Message, readMessages } from './read-messages.ts';
import { type AbstractOperation, type PortType, readPortTypes } from './read-port-types.ts';
import { readSchema, type Schema } from './read-schema.ts';
import {
  attributeOf,
  childrenOf,
  define,
  definedName,
  documentationOf,
  expectShape,
  onlyChildOf,
  ownNameOf,
  WSDL,
  XSD,
} from './wsdl-node.ts';
import { parseXml, type XmlNode } from './xml-node.ts';

/**
 * Reads the contract from the text of the WSDL.
 * Throws an Error, fit to be shown to the operator at start, if the SOAP 1.1, SOAP 1.2, GET and POST descriptions disagree, or if the file
 * contains something that the service does not read: nothing is silently ignored.
 */
export function readContract(wsdl: string): Contract {
  try {
    return contractOf(parseXml(wsdl));
  } catch (error) {
    throw new Error(`The WSDL cannot be used. ${(error as Error).message}`, { cause: error });
  }
}

function contractOf(definitions: XmlNode): Contract {
  if (definitions.namespace !== WSDL || definitions.name !== 'definitions') {
    throw new Error(`Its root element must be definitions of namespace ${WSDL}.`);
  }
  expectShape(definitions, 'The root element', {
    required: ['targetNamespace'],
    optional: ['name'],
    children: [[WSDL, 'documentation', 'types', 'message', 'portType', 'binding', 'service']],
  });
  const namespace = attributeOf(definitions, 'targetNamespace', 'The root element');
  const types = onlyChildOf(definitions, WSDL, 'types', 'The root element');
  expectShape(types, 'The types element', { children: [[XSD, 'schema']] });
  const schema = readSchema(onlyChildOf(types, XSD, 'schema', 'The types element'), namespace);
  const messages = readMessages(definitions, namespace);
  const portTypes = readPortTypes(definitions, namespace, messages);
  const service = readService(definitions, namespace, portTypes);

  const { soap11, soap12, httpGet, httpPost } = service.portTypes;
  if (soap11 !== soap12)
    throw new Error(`SOAP 1.1 and SOAP 1.2 must share a portType, but have ${soap11.name} and ${soap12.name}.`);
  const operations = [...soap11.operations.values()].map((operation) => readOperation(operation, schema, namespace));
  checkForms(operations, httpGet, schema);
  checkForms(operations, httpPost, schema);
  const fault = faultOf(soap11, schema);
  expectAllUsed([...messages.values()], [soap11, httpGet, httpPost]);
  return {
    namespace,
    serviceName: service.name,
    path: service.path,
    documentation: service.documentation,
    ports: service.ports,
    operations,
    types: schema.types,
    fault,
  };
}

interface Service {
  readonly name: string;
  readonly documentation: string;
  readonly path: string;
  readonly ports: Readonly<Record<Transport, string>>;
  readonly portTypes: Readonly<Record<Transport, PortType>>;
}

function readService(definitions: XmlNode, targetNamespace: string, portTypes: ReadonlyMap<string, PortType>): Service {
  const node = onlyChildOf(definitions, WSDL, 'service', 'The root element');
  const name = definedName(node, 'The service');
  const place = `Service ${name}`;
  expectShape(node, place, { required: ['name'], children: [[WSDL, 'port', 'documentation']] });
  const bindings = new Map<string, XmlNode>();
  for (const binding of childrenOf(definitions, WSDL, 'binding')) {
    define(bindings, definedName(binding, 'A binding'), binding, 'Binding');
  }
  const nodes = childrenOf(node, WSDL, 'port');
  if (nodes.length !== TRANSPORTS.length) {
    const labels = Object.values(TRANSPORT_TITLES).join(', ');
    throw new Error(`${place} has ${nodes.length} ports; it must have one each for ${labels}, in this order.`);
  }
  const ports: Partial<Record<Transport, string>> = {};
  const served: Partial<Record<Transport, PortType>> = {};
  const locations = new Map<string, string>();
  for (const [index, transport] of TRANSPORTS.entries()) {
    const description = TRANSPORT_DESCRIPTIONS[transport];
    const port = nodes[index] as XmlNode;
    const portName = definedName(port, `A port of service ${name}`);
    if (Object.values(ports).includes(portName)) throw new Error(`Port ${portName} is defined twice.`);
    locations.set(addressOf(port, `Port ${portName}`, index, transport), portName);
    const bindingName = ownNameOf(port, 'binding', targetNamespace, `Port ${portName}`);
    const binding = bindings.get(bindingName);
    if (!binding)
      throw new Error(
        `Port ${portName} names the binding ${bindingName}, which does not exist or belongs to another port.`,
      );
    bindings.delete(bindingName);
    const portTypeName = ownNameOf(binding, 'type', targetNamespace, `Binding ${bindingName}`);
    const portType = portTypes.get(portTypeName);
    if (!portType) throw new Error(`Binding ${bindingName} names the portType ${portTypeName}, which is not defined.`);
    checkBinding(binding, portType, description, targetNamespace);
    ports[transport] = portName;
    served[transport] = portType;
  }
  for (const unused of bindings.keys()) throw new Error(`Binding ${unused} belongs to no port.`);
  for (const portType of portTypes.values()) {
    if (!Object.values(served).includes(portType)) throw new Error(`PortType ${portType.name} belongs to no port.`);
  }
  const [location, other] = [...locations.keys()];
  if (location === undefined || other !== undefined) {
    throw new Error(`${place} has ports at different addresses: ${[...locations.keys()].join(', ')}.`);
  }
  return {
    name,
    documentation: documentationOf(node),
    path: pathOf(location, place),
    // The loop has set the port of every transport.
    ports: ports as Record<Transport, string>,
    portTypes: served as Record<Transport, PortType>,
  };
}

function addressOf(port: XmlNode, place: string, index: number, transport: Transport): string {
  const { namespace } = TRANSPORT_DESCRIPTIONS[transport];
  const extension = port.children.find((child) => child.namespace !== WSDL);
  if (extension?.namespace !== namespace) {
    throw new Error(
      `${place} is port ${index + 1} and so must have an address for ${TRANSPORT_TITLES[transport]}, of namespace ${namespace}.`,
    );
  }
  expectShape(port, place, {
    required: ['name', 'binding'],
    children: [
      [WSDL, 'documentation'],
      [namespace, 'address'],
    ],
  });
  const address = onlyChildOf(port, namespace, 'address', place);
  expectShape(address, `The address of ${place}`, { required: ['location'] });
  return attributeOf(address, 'location', `The address of ${place}`);
}

function pathOf(location: string, place: string): string {
  const url = URL.parse(location);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new Error(`${place} has the address "${location}", which is not an http or https URL.`);
  }
  return url.pathname;
}

function readOperation(operation: AbstractOperation, schema: Schema, namespace: string): Operation {
  const { name, documentation } = operation;
  const responseName = `${name}Response`;
  const resultName = `${name}Result`;
  // The body's only child selects the operation, so it must have the operation's name.
  expectSolePart(operation.input, 'parameters', name);
  expectSolePart(operation.output, 'parameters', responseName);
  const result = schema.resultOf(responseName);
  if (result.name !== resultName) throw new Error(`${responseName} must hold ${resultName}, not ${result.name}.`);
  return {
    name,
    documentation,
    soapAction: operationUri(namespace, name),
    safe: schema.isSafe(name),
    resultCodes: schema.resultCodesOf(name),
    parameters: schema.parametersOf(name),
    responseName,
    resultName,
    resultType: result.type,
  };
}

function expectSolePart(message: Message, part: string, element: string): void {
  const [first, second] = message.parts;
  if (first?.name !== part || first.element !== element || second) {
    throw new Error(`Message ${message.name} must have one part ${part} of element ${element}.`);
  }
}

/** Checks that a form's portType has the same operations, parameters and results as SOAP. */
function checkForms(operations: readonly Operation[], portType: PortType, schema: Schema): void {
  const names = operations.map(({ name }) => name);
  expectSameNames(names, [...portType.operations.keys()], 'SOAP', `PortType ${portType.name}`);
  for (const { name, parameters, resultType } of operations) {
    const operation = portType.operations.get(name);
    if (!operation) continue;
    if (operation.faults.size > 0) {
      throw new Error(`Operation ${name} of portType ${portType.name} has a fault, which HTTP bindings cannot carry.`);
    }
    checkFormInput(operation.input, parameters, name);
    checkFormOutput(operation.output, resultType, schema, name);
  }
}

function checkFormInput({ name: message, parts }: Message, parameters: readonly Parameter[], operation: string): void {
  for (const { name, type } of parts) {
    if (!parameters.some((parameter) => parameter.name === name)) {
      throw new Error(`Message ${message} has the part ${name}, which is not a parameter of ${operation}.`);
    }
    if (type?.namespace !== XSD || type.localName !== 'string') {
      throw new Error(`Part ${name} of message ${message} must have the type string of namespace ${XSD}.`);
    }
  }
  for (const [index, { name }] of parameters.entries()) {
    if (!parts.some((part) => part.name === name))
      throw new Error(`Message ${message} lacks the part ${name} of ${operation}.`);
    if (parts[index]?.name !== name) {
      throw new Error(
        `Message ${message} has the part ${parts[index]?.name} where ${operation} has the parameter ${name}.`,
      );
    }
  }
}

function checkFormOutput(message: Message, resultType: RecordType, schema: Schema, operation: string): void {
  // The element is named after the type, because the forms answer with it.
  expectSolePart(message, 'Body', resultType.name);
  const type = schema.typeOf(resultType.name);
  if (type !== resultType) {
    throw new Error(
      `Element ${resultType.name} has the type ${type.name}; the SOAP result of ${operation} is ${resultType.name}.`,
    );
  }
}

/** The single type that the details of all operations' faults have. */
function faultOf(portType: PortType, schema: Schema): RecordType {
  const elements = new Set<string>();
  for (const { name, faults } of portType.operations.values()) {
    const [fault, second] = [...faults.values()];
    const [part, secondPart] = fault?.parts ?? [];
    if (part?.element === undefined || second || secondPart) {
      throw new Error(
        `Operation ${name} of portType ${portType.name} must have one fault, whose message has one part of an element.`,
      );
    }
    elements.add(part.element);
  }
  const [element, other] = [...elements];
  if (element === undefined) throw new Error(`PortType ${portType.name} has no operations.`);
  if (other !== undefined)
    throw new Error(`All operations must have the same fault, but have ${[...elements].join(', ')}.`);
  const type = schema.typeOf(element);
  // Readers and writers name the detail's element after its type.
  if (type.name !== element) throw new Error(`Element ${element} must have a type of the same name, not ${type.name}.`);
  return type;
}

function expectAllUsed(messages: readonly Message[], portTypes: readonly PortType[]): void {
  const used = new Set<Message>();
  for (const { operations } of portTypes) {
    for (const { input, output, faults } of operations.values()) {
      for (const message of [input, output, ...faults.values()]) used.add(message);
    }
  }
  for (const message of messages) {
    if (!used.has(message)) throw new Error(`Message ${message.name} belongs to no operation.`);
  }
}
