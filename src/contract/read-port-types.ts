import type { Message } from './read-messages.ts';
import {
  childrenOf,
  define,
  definedName,
  documentationOf,
  expectShape,
  onlyChildOf,
  ownNameOf,
  WSDL,
} from './wsdl-node.ts';
import type { XmlNode } from './xml-node.ts';

/** A `wsdl:operation` of a portType, request-response only. */
export interface AbstractOperation {
  readonly name: string;
  readonly documentation: string;
  readonly input: Message;
  readonly output: Message;
  /** By name. */
  readonly faults: ReadonlyMap<string, Message>;
}

export interface PortType {
  readonly name: string;
  /** By name, in the WSDL's order. */
  readonly operations: ReadonlyMap<string, AbstractOperation>;
}

/** Reads the `wsdl:portType`s. Throws an Error for one that names a message that does not exist, or has an operation twice. */
export function readPortTypes(
  definitions: XmlNode,
  targetNamespace: string,
  messages: ReadonlyMap<string, Message>,
): ReadonlyMap<string, PortType> {
  const messageOf = (node: XmlNode, place: string): Message => {
    const name = ownNameOf(node, 'message', targetNamespace, place);
    const message = messages.get(name);
    if (!message) throw new Error(`${place} names the message ${name}, which is not defined.`);
    return message;
  };

  const readOperation = (node: XmlNode, name: string, place: string): AbstractOperation => {
    expectShape(node, place, { required: ['name'], children: [[WSDL, 'documentation', 'input', 'output', 'fault']] });
    const messageAt = (direction: 'input' | 'output'): Message => {
      const child = onlyChildOf(node, WSDL, direction, place);
      expectShape(child, `The ${direction} of ${place}`, { required: ['message'], optional: ['name'] });
      return messageOf(child, `The ${direction} of ${place}`);
    };
    const faults = new Map<string, Message>();
    for (const fault of childrenOf(node, WSDL, 'fault')) {
      expectShape(fault, `A fault of ${place}`, { required: ['name', 'message'] });
      const faultName = definedName(fault, `A fault of ${place}`);
      define(faults, faultName, messageOf(fault, `Fault ${faultName} of ${place}`), `${place}: fault`);
    }
    return {
      name,
      documentation: documentationOf(node),
      input: messageAt('input'),
      output: messageAt('output'),
      faults,
    };
  };

  const portTypes = new Map<string, PortType>();
  for (const node of childrenOf(definitions, WSDL, 'portType')) {
    const name = definedName(node, 'A portType');
    expectShape(node, `PortType ${name}`, { required: ['name'], children: [[WSDL, 'operation', 'documentation']] });
    const operations = new Map<string, AbstractOperation>();
    for (const child of childrenOf(node, WSDL, 'operation')) {
      const operation = definedName(child, `An operation of portType ${name}`);
      const place = `operation ${operation} of portType ${name}`;
      define(operations, operation, readOperation(child, operation, place), `PortType ${name}: operation`);
    }
    define(portTypes, name, { name, operations }, 'PortType');
  }
  return portTypes;
}
