import type { ResultCodeName } from '../vocabulary/result-codes.ts';
import {
  type Contract,
  type DateHalf,
  type Field,
  type Operation,
  operationUri,
  PARAMETER_TYPES,
  type Parameter,
  type RecordType,
  SCALAR_TYPES,
  TRANSPORTS,
  type Transport,
} from './contract.ts';
import {
  attributeOf,
  childrenOf,
  documentationOf,
  firstChildOf,
  localNameIn,
  parseWsdl,
  WSDL,
  type XmlNode,
  XSD,
} from './wsdl-document.ts';

/** The record in the detail of every fault. */
const FAULT = 'ServiceFault';

/**
 * Reads the contract from the text of the WSDL: the operations from the first portType, the rest from the schema and the service.
 * The file comes with the program, and test/wire/contract holds what it says more than once together, such as messages and bindings, and checks
 * its annotations. So this reads each fact in one place, and throws an Error only for what the service could not work with.
 */
export function readContract(wsdl: string): Contract {
  const definitions = parseWsdl(wsdl);
  const namespace = attributeOf(definitions, 'targetNamespace');
  const schema = firstChildOf(firstChildOf(definitions, WSDL, 'types'), XSD, 'schema');
  const types = readTypes(childrenOf(schema, XSD, 'complexType'));
  const elements = new Map(childrenOf(schema, XSD, 'element').map((node) => [attributeOf(node, 'name'), node]));
  const elementOf = (name: string): XmlNode => elements.get(name) ?? fail(`Element ${name}`, 'is not defined');

  const readOperation = (node: XmlNode): Operation => {
    const name = attributeOf(node, 'name');
    const responseName = `${name}Response`;
    const [result = fail(responseName, 'holds no result')] = childElements(elementOf(responseName));
    const { safe, resultCodes } = annotationsOf(elementOf(name));
    return {
      name,
      documentation: documentationOf(node),
      soapAction: operationUri(namespace, name),
      safe: safe === 'true',
      resultCodes: (resultCodes ?? fail(name, 'has no resultCodes')).split(' ') as ResultCodeName[],
      parameters: childElements(elementOf(name)).map((element) => readParameter(element, name)),
      responseName,
      resultName: attributeOf(result, 'name'),
      resultType: typeNamed(types, localNameIn(attributeOf(result, 'type'))),
    };
  };

  const service = firstChildOf(definitions, WSDL, 'service');
  const ports = childrenOf(service, WSDL, 'port');
  const [port = fail('The service', 'has no port')] = ports;
  const address = port.children.find(({ name }) => name === 'address') ?? fail('The first port', 'has no address');
  const names = TRANSPORTS.map((transport, i) => [transport, ports[i]?.attributes.name]);
  return {
    namespace,
    serviceName: attributeOf(service, 'name'),
    path: new URL(attributeOf(address, 'location')).pathname,
    documentation: documentationOf(service),
    ports: Object.fromEntries(names) as Record<Transport, string>,
    operations: childrenOf(firstChildOf(definitions, WSDL, 'portType'), WSDL, 'operation').map(readOperation),
    types: [...types.values()],
    fault: typeNamed(types, FAULT),
  };
}

const typeNamed = (types: ReadonlyMap<string, RecordType>, name: string): RecordType =>
  types.get(name) ?? fail(`Type ${name}`, 'is not defined');

function readTypes(nodes: readonly XmlNode[]): ReadonlyMap<string, RecordType> {
  const definitions = new Map(nodes.map((node) => [attributeOf(node, 'name'), node]));
  const types = new Map<string, RecordType>();
  const typeOf = (name: string): RecordType => {
    const known = types.get(name);
    if (known !== undefined) return known;
    const node = definitions.get(name) ?? fail(`Type ${name}`, 'is not defined, or contains itself');
    definitions.delete(name);
    const fields = sequenceOf(node).map((element) => readField(element, typeOf));
    const type = { name, documentation: documentationOf(annotationOf(node)), fields };
    types.set(name, type);
    return type;
  };
  return new Map([...definitions.keys()].map((name) => [name, typeOf(name)]));
}

/** The elements of the anonymous type of a wrapper element; none for `<s:complexType />`. */
const childElements = (wrapper: XmlNode): readonly XmlNode[] => sequenceOf(firstChildOf(wrapper, XSD, 'complexType'));

const sequenceOf = (type: XmlNode): readonly XmlNode[] =>
  childrenOf(type, XSD, 'sequence').flatMap((sequence) => sequence.children);

function readParameter(node: XmlNode, operation: string): Parameter {
  const name = attributeOf(node, 'name');
  const place = `${name} of ${operation}`;
  const { maxLength, example, patientData, mayBeAbsent, mustHaveValue, mayBeOmitted, leftEmpty, half } =
    annotationsOf(node);
  const typeName = localNameIn(attributeOf(node, 'type'));
  const type = PARAMETER_TYPES.find((known) => known === typeName);
  const isZeroWhenLeftOut = mayBeAbsent === 'true' && type === 'int';
  const required = node.attributes.minOccurs !== '0' && (mayBeAbsent !== 'true' || isZeroWhenLeftOut);
  return {
    name,
    type: type ?? fail(place, `has the type ${typeName}; a parameter is one of ${PARAMETER_TYPES.join(', ')}`),
    required,
    mustHaveValue: required || mustHaveValue === 'true',
    mayBeOmitted: mayBeOmitted === 'true',
    leftEmpty: leftEmpty === 'true',
    ...(isZeroWhenLeftOut ? { whenLeftOut: 0 } : {}),
    ...(half === undefined ? {} : { half: half as DateHalf }),
    ...(type === 'string' ? { maxLength: Number(maxLength ?? fail(place, 'has no maxLength')) } : {}),
    example: example ?? fail(place, 'has no example'),
    documentation: documentationOf(annotationOf(node)),
    patientData: patientData !== 'false',
  };
}

function readField(node: XmlNode, typeOf: (name: string) => RecordType): Field {
  const name = attributeOf(node, 'name');
  const { example, patientData } = annotationsOf(node);
  const typeName = localNameIn(attributeOf(node, 'type'));
  const common = {
    name,
    documentation: documentationOf(annotationOf(node)),
    required: node.attributes.minOccurs !== '0',
    repeated: node.attributes.maxOccurs === 'unbounded',
  };
  const scalar = SCALAR_TYPES.find((known) => known === typeName);
  if (scalar === undefined) {
    const type = typeOf(typeName);
    return { ...common, type, patientData: type.fields.some((field) => field.patientData) };
  }
  return {
    ...common,
    type: scalar,
    patientData: patientData !== 'false',
    ...(example === undefined ? {} : { example }),
  };
}

/** Our own annotations of a definition, by name. */
const annotationsOf = (node: XmlNode): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    childrenOf(annotationOf(node), XSD, 'appinfo').flatMap(({ children }) =>
      children.map(({ name, text }) => [name, text]),
    ),
  );

const NO_ANNOTATION: XmlNode = { namespace: XSD, name: 'annotation', attributes: {}, children: [], text: '' };

const annotationOf = (node: XmlNode): XmlNode => childrenOf(node, XSD, 'annotation')[0] ?? NO_ANNOTATION;

function fail(place: string, problem: string): never {
  throw new Error(`The WSDL cannot be used: ${place} ${problem}.`);
}
