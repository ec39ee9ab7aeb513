import type { QualifiedName } from '../vocabulary/errors.ts';
import type { XmlNode } from './xml-node.ts';

/** Namespaces of WSDL 1.1, its binding extensions and XML Schema. */
export const WSDL = 'http://schemas.xmlsoap.org/wsdl/';
export const WSDL_SOAP = 'http://schemas.xmlsoap.org/wsdl/soap/';
export const WSDL_SOAP12 = 'http://schemas.xmlsoap.org/wsdl/soap12/';
export const WSDL_HTTP = 'http://schemas.xmlsoap.org/wsdl/http/';
export const WSDL_MIME = 'http://schemas.xmlsoap.org/wsdl/mime/';
export const XSD = 'http://www.w3.org/2001/XMLSchema';

/** What a place in the WSDL may contain. Anything else is rejected, so that nothing in the file is silently ignored. */
export interface Shape {
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
  readonly children?: readonly (readonly [namespace: string, ...names: string[]])[];
}

/** Rejects attributes and children that do not match the shape. `where` names the place in the error. */
export function expectShape(node: XmlNode, where: string, shape: Shape): void {
  const required = shape.required ?? [];
  const allowed = [...required, ...(shape.optional ?? [])];
  for (const attribute of node.attributes.keys()) {
    if (!allowed.includes(attribute)) throw new Error(`${where} has the unsupported attribute ${attribute}.`);
  }
  for (const attribute of required) attributeOf(node, attribute, where);
  for (const child of node.children) {
    const known = shape.children?.some(
      ([namespace, ...names]) => namespace === child.namespace && names.includes(child.name),
    );
    if (!known)
      throw new Error(`${where} contains the unsupported construct ${child.name} of namespace ${child.namespace}.`);
  }
}

export function attributeOf(node: XmlNode, attribute: string, where: string): string {
  const value = node.attributes.get(attribute);
  if (value === undefined) throw new Error(`${where} has no attribute ${attribute}.`);
  return value;
}

export const childrenOf = (node: XmlNode, namespace: string, name: string): readonly XmlNode[] =>
  node.children.filter((child) => child.namespace === namespace && child.name === name);

export function onlyChildOf(node: XmlNode, namespace: string, name: string, where: string): XmlNode {
  const [child, second] = childrenOf(node, namespace, name);
  if (!child) throw new Error(`${where} has no ${name} of namespace ${namespace}.`);
  if (second) throw new Error(`${where} has more than one ${name}.`);
  return child;
}

/** Resolves a QName in an attribute with the prefixes in scope. Source: XML Schema part 2, 3.2.18. */
export function qualifiedNameOf(node: XmlNode, attribute: string, where: string): QualifiedName {
  const text = attributeOf(node, attribute, where);
  const colon = text.indexOf(':');
  const prefix = colon < 0 ? '' : text.slice(0, colon);
  const namespace = node.prefixes.get(prefix);
  if (namespace === undefined && prefix !== '') {
    throw new Error(`${where} has ${attribute}="${text}", whose prefix is bound to no namespace.`);
  }
  return { namespace: namespace ?? '', localName: text.slice(colon + 1) };
}

/** Resolves a QName that must be in the contract's own namespace. Returns the local name. */
export function ownNameOf(node: XmlNode, attribute: string, targetNamespace: string, where: string): string {
  const { namespace, localName } = qualifiedNameOf(node, attribute, where);
  if (namespace !== targetNamespace) {
    throw new Error(
      `${where} has ${attribute}="${node.attributes.get(attribute)}", which is not of namespace ${targetNamespace}.`,
    );
  }
  return localName;
}

/**
 * The name of a definition: an ASCII identifier, so that it is valid in every client's language, and not a name that
 * every JavaScript object has.
 */
export function definedName(node: XmlNode, where: string): string {
  const name = attributeOf(node, 'name', where);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new Error(`${where} has the name "${name}", which is not an identifier.`);
  if (name in Object.prototype || name === 'prototype')
    throw new Error(`${where} has the name ${name}, which is not allowed.`);
  return name;
}

/** Adds a definition to a map; rejects a second one with the same name. */
export function define<Value>(map: Map<string, Value>, name: string, value: Value, what: string): void {
  if (map.has(name)) throw new Error(`${what} ${name} is defined twice.`);
  map.set(name, value);
}

/** Text of the `wsdl:documentation` or `s:documentation` children. */
export const documentationOf = (node: XmlNode): string =>
  node.children
    .filter((child) => child.name === 'documentation')
    .map((child) => child.text)
    .join(' ');
