import type { QualifiedName } from '../vocabulary/errors.ts';
import {
  attributeOf,
  childrenOf,
  define,
  definedName,
  expectShape,
  ownNameOf,
  qualifiedNameOf,
  WSDL,
} from './wsdl-node.ts';
import type { XmlNode } from './xml-node.ts';

/** A `wsdl:part`, which refers to a global element of the contract's schema or to a named type. */
interface Part {
  readonly name: string;
  /** Local name of the element. */
  readonly element?: string;
  readonly type?: QualifiedName;
}

export interface Message {
  readonly name: string;
  readonly parts: readonly Part[];
}

/** Reads the `wsdl:message`s. Throws an Error for one that is defined twice or has a part twice. */
export function readMessages(definitions: XmlNode, targetNamespace: string): ReadonlyMap<string, Message> {
  const messages = new Map<string, Message>();
  for (const node of childrenOf(definitions, WSDL, 'message')) {
    const name = definedName(node, 'A message');
    const place = `Message ${name}`;
    expectShape(node, place, { required: ['name'], children: [[WSDL, 'part', 'documentation']] });
    const parts = new Map<string, Part>();
    for (const part of childrenOf(node, WSDL, 'part')) {
      const partName = definedName(part, `A part of message ${name}`);
      define(parts, partName, readPart(part, partName, name, targetNamespace), `${place}: part`);
    }
    define(messages, name, { name, parts: [...parts.values()] }, 'Message');
  }
  return messages;
}

function readPart(node: XmlNode, name: string, message: string, targetNamespace: string): Part {
  const place = `Part ${name} of message ${message}`;
  expectShape(node, place, { required: ['name'], optional: ['element', 'type'], children: [[WSDL, 'documentation']] });
  if (node.attributes.has('element')) {
    if (node.attributes.has('type')) throw new Error(`${place} has both an element and a type.`);
    return { name, element: ownNameOf(node, 'element', targetNamespace, place) };
  }
  attributeOf(node, 'type', place);
  return { name, type: qualifiedNameOf(node, 'type', place) };
}
