import { ResultCode, type ResultCodeName } from '../vocabulary/result-codes.ts';
import type { Field, Parameter, ParameterType, RecordType, ScalarType } from './contract.ts';
import {
  attributeOf,
  childrenOf,
  define,
  definedName,
  documentationOf,
  expectShape,
  onlyChildOf,
  ownNameOf,
  qualifiedNameOf,
  XSD,
} from './wsdl-node.ts';
import type { XmlNode } from './xml-node.ts';

/** Namespace of the annotations that are meant for this service only. */
const CONTRACT_ANNOTATIONS = 'urn:tpwebservices:contract';

const PARAMETER_TYPES: readonly string[] = ['int', 'string', 'dateTime'] satisfies ParameterType[];
const SCALAR_TYPES: readonly string[] = [...PARAMETER_TYPES, 'boolean'] satisfies string[];

/** The definitions of `wsdl:types`, looked up by name. Every method throws an Error that says what is missing or wrong. */
export interface Schema {
  /** In the WSDL's order. */
  readonly types: readonly RecordType[];
  /** Parameters of the wrapper element of a request. */
  parametersOf(element: string): readonly Parameter[];
  /** Whether the wrapper element of a request declares that the operation changes nothing. */
  isSafe(element: string): boolean;
  /** The ResultCodes that the operation can return, according to the wrapper element of its request. */
  resultCodesOf(element: string): readonly ResultCodeName[];
  /** The only, optional child of the wrapper element of a response. */
  resultOf(element: string): Field & { readonly type: RecordType };
  /** The type of a global element that has a named type. */
  typeOf(element: string): RecordType;
}

/** Reads the `s:schema`. Throws an Error for a construct that the service does not read or write. */
export function readSchema(schema: XmlNode, targetNamespace: string): Schema {
  const where = 'The schema';
  expectShape(schema, where, {
    required: ['targetNamespace', 'elementFormDefault'],
    children: [[XSD, 'element', 'complexType', 'annotation']],
  });
  if (attributeOf(schema, 'targetNamespace', where) !== targetNamespace) {
    throw new Error(`The schema's targetNamespace is not that of the WSDL, ${targetNamespace}.`);
  }
  if (attributeOf(schema, 'elementFormDefault', where) !== 'qualified') {
    throw new Error('The schema must have elementFormDefault="qualified".');
  }
  const elements = new Map<string, XmlNode>();
  for (const node of childrenOf(schema, XSD, 'element'))
    define(elements, definedName(node, 'An element'), node, 'Element');
  const types = readTypes(childrenOf(schema, XSD, 'complexType'), targetNamespace);

  const elementOf = (name: string): XmlNode => {
    const node = elements.get(name);
    if (!node) throw new Error(`Element ${name} is not defined.`);
    return node;
  };
  return {
    types: [...types.values()],
    parametersOf: (name) => readParameters(wrapped(elementOf(name), name), name),
    isSafe: (name) => annotationOf(elementOf(name), `Element ${name}`).safe,
    resultCodesOf: (name) => annotationOf(elementOf(name), `Element ${name}`).resultCodes,
    resultOf(name) {
      const [node, second] = wrapped(elementOf(name), name);
      if (!node || second) throw new Error(`Element ${name} must hold one element.`);
      const field = readField(node, name, targetNamespace, (type) => typeNamed(types, type, name));
      const { type } = field;
      if (typeof type === 'string') throw new Error(`${field.name} in ${name} must have a record type of this schema.`);
      if (field.required || field.repeated)
        throw new Error(`${field.name} in ${name} must have minOccurs 0 and maxOccurs 1.`);
      return { ...field, type };
    },
    typeOf(name) {
      const node = elementOf(name);
      const place = `Element ${name}`;
      expectShape(node, place, { required: ['name', 'type'], children: [[XSD, 'annotation']] });
      return typeNamed(types, ownNameOf(node, 'type', targetNamespace, place), name);
    },
  };
}

function typeNamed(types: ReadonlyMap<string, RecordType>, name: string, user: string): RecordType {
  const type = types.get(name);
  if (!type) throw new Error(`${user} uses the type ${name}, which is not defined.`);
  return type;
}

function readTypes(nodes: readonly XmlNode[], targetNamespace: string): ReadonlyMap<string, RecordType> {
  const definitions = new Map<string, XmlNode>();
  for (const node of nodes) define(definitions, definedName(node, 'A complexType'), node, 'Type');
  const read = new Map<string, RecordType>();
  const open = new Set<string>();

  const typeCalled = (name: string, user: string): RecordType => {
    const done = read.get(name);
    if (done) return done;
    const node = definitions.get(name);
    if (!node) throw new Error(`${user} uses the type ${name}, which is not defined.`);
    // A value of such a type could be endless, and so could its processing.
    if (open.has(name)) throw new Error(`Type ${name} contains itself.`);
    open.add(name);
    const place = `Type ${name}`;
    expectShape(node, place, { required: ['name'], children: [[XSD, 'sequence', 'annotation']] });
    const fields = new Map<string, Field>();
    for (const element of sequenceOf(node, place)) {
      const field = readField(element, name, targetNamespace, (type) => typeCalled(type, place));
      define(fields, field.name, field, `${place}: field`);
    }
    open.delete(name);
    const type = { name, documentation: annotationOf(node, place).documentation, fields: [...fields.values()] };
    read.set(name, type);
    return type;
  };
  return new Map([...definitions.keys()].map((name) => [name, typeCalled(name, 'The schema')]));
}

/** The elements in the anonymous type of a wrapper element. Source: document/literal wrapped, WS-I Basic Profile 1.1, 4.7. */
function wrapped(element: XmlNode, name: string): readonly XmlNode[] {
  const place = `Element ${name}`;
  expectShape(element, place, { required: ['name'], children: [[XSD, 'complexType', 'annotation']] });
  const type = onlyChildOf(element, XSD, 'complexType', place);
  expectShape(type, place, { children: [[XSD, 'sequence']] });
  return sequenceOf(type, place);
}

function sequenceOf(type: XmlNode, place: string): readonly XmlNode[] {
  const [sequence, second] = childrenOf(type, XSD, 'sequence');
  if (second) throw new Error(`${place} has more than one sequence.`);
  if (!sequence) return [];
  expectShape(sequence, `The sequence of ${place}`, { children: [[XSD, 'element']] });
  return sequence.children;
}

function readParameters(nodes: readonly XmlNode[], operation: string): readonly Parameter[] {
  const spellings = new Map<string, string>();
  return nodes.map((node) => {
    const { name, place, required: occurs, repeated } = readOccurrence(node, operation);
    const earlier = spellings.get(name.toLowerCase());
    // The GET and POST forms accept a parameter's name in any case.
    if (earlier !== undefined)
      throw new Error(
        `${operation} has the parameters ${earlier} and ${name}, which are the same apart from upper and lower case.`,
      );
    spellings.set(name.toLowerCase(), name);
    if (repeated) throw new Error(`${place} must have maxOccurs 1.`);
    const { namespace, localName: type } = qualifiedNameOf(node, 'type', place);
    if (namespace !== XSD || !isParameterType(type)) {
      throw new Error(`${place} has the unsupported type ${type}; a parameter is an int, string or dateTime.`);
    }
    const { documentation, maxLength, example, ...marks } = annotationOf(node, place);
    if (example === undefined) throw new Error(`${place} has no example.`);
    const patientData = marked(marks.patientData, place);
    const { mayBeAbsent } = marks;
    if (mayBeAbsent !== undefined && (type === 'string' || !occurs)) {
      throw new Error(`${place} has mayBeAbsent, which only an int or a dateTime of minOccurs 1 can have.`);
    }
    const required = occurs && mayBeAbsent !== true;
    if (type !== 'string') {
      if (maxLength !== undefined) throw new Error(`${place} has a maxLength, which only a string can have.`);
      return { name, type, required, example, documentation, patientData };
    }
    if (maxLength === undefined) throw new Error(`${place} has no maxLength.`);
    return { name, type, required, maxLength, example, documentation, patientData };
  });
}

function readField(
  node: XmlNode,
  owner: string,
  targetNamespace: string,
  typeCalled: (name: string) => RecordType,
): Field {
  const { name, place, required, repeated } = readOccurrence(node, owner);
  const { namespace, localName } = qualifiedNameOf(node, 'type', place);
  const { documentation, maxLength, example, patientData, mayBeAbsent } = annotationOf(node, place);
  if (maxLength !== undefined) throw new Error(`${place} has a maxLength, which only a parameter can have.`);
  if (mayBeAbsent !== undefined) throw new Error(`${place} has mayBeAbsent, which only a parameter can have.`);
  if (namespace === targetNamespace) {
    if (example !== undefined) throw new Error(`${place} has an example, which no record can have.`);
    if (patientData !== undefined) throw new Error(`${place} has patientData, which the fields of its record have.`);
    const type = typeCalled(localName);
    const shows = type.fields.some((inner) => inner.patientData);
    return { name, documentation, required, repeated, type, patientData: shows };
  }
  if (namespace !== XSD || !isScalarType(localName)) {
    throw new Error(
      `${place} has the unsupported type ${localName}; a field is an int, string, dateTime, boolean or a record.`,
    );
  }
  const shows = marked(patientData, place);
  const field = { name, documentation, required, repeated, type: localName, patientData: shows };
  return example === undefined ? field : { ...field, example };
}

/** The mark is required, because a field that someone forgot to mark would not be audited. */
function marked(patientData: boolean | undefined, place: string): boolean {
  if (patientData === undefined) throw new Error(`${place} does not say whether it is patientData.`);
  return patientData;
}

function readOccurrence(node: XmlNode, owner: string) {
  const name = definedName(node, `An element in ${owner}`);
  const place = `${name} in ${owner}`;
  expectShape(node, place, {
    required: ['name', 'type'],
    optional: ['minOccurs', 'maxOccurs'],
    children: [[XSD, 'annotation']],
  });
  const minOccurs = node.attributes.get('minOccurs') ?? '1';
  const maxOccurs = node.attributes.get('maxOccurs') ?? '1';
  if (minOccurs !== '0' && minOccurs !== '1')
    throw new Error(`${place} has minOccurs ${minOccurs}; it must be 0 or 1.`);
  if (maxOccurs !== '1' && maxOccurs !== 'unbounded') {
    throw new Error(`${place} has maxOccurs ${maxOccurs}; it must be 1 or unbounded.`);
  }
  return { name, place, required: minOccurs === '1', repeated: maxOccurs === 'unbounded' };
}

interface Annotation {
  readonly documentation: string;
  readonly maxLength: number | undefined;
  readonly example: string | undefined;
  readonly patientData: boolean | undefined;
  readonly mayBeAbsent: boolean | undefined;
  readonly safe: boolean;
  readonly resultCodes: readonly ResultCodeName[];
}

function annotationOf(node: XmlNode, place: string): Annotation {
  const [annotation, second] = childrenOf(node, XSD, 'annotation');
  if (second) throw new Error(`${place} has more than one annotation.`);
  if (annotation)
    expectShape(annotation, `The annotation of ${place}`, { children: [[XSD, 'documentation', 'appinfo']] });
  const values = new Map<string, string>();
  for (const appinfo of annotation ? childrenOf(annotation, XSD, 'appinfo') : []) {
    expectShape(appinfo, `The appinfo of ${place}`, {
      children: [[CONTRACT_ANNOTATIONS, 'maxLength', 'example', 'patientData', 'mayBeAbsent', 'safe', 'resultCodes']],
    });
    for (const { name, text } of appinfo.children) {
      if (values.has(name)) throw new Error(`${place} has more than one ${name}.`);
      values.set(name, text);
    }
  }
  const length = values.get('maxLength');
  if (length !== undefined && !/^[1-9]\d{0,5}$/.test(length)) {
    throw new Error(`${place} has the maxLength "${length}"; it must be a number from 1 to 999999.`);
  }
  const flag = (name: string): boolean | undefined => {
    const text = values.get(name);
    if (text === undefined || text === 'true' || text === 'false')
      return text === undefined ? undefined : text === 'true';
    throw new Error(`${place} has ${name} "${text}"; it must be true or false.`);
  };
  return {
    documentation: annotation ? documentationOf(annotation) : '',
    maxLength: length === undefined ? undefined : Number(length),
    example: values.get('example'),
    patientData: flag('patientData'),
    mayBeAbsent: flag('mayBeAbsent'),
    safe: flag('safe') ?? false,
    resultCodes: readResultCodes(values.get('resultCodes') ?? '', place),
  };
}

function readResultCodes(text: string, place: string): readonly ResultCodeName[] {
  const names = text.split(/\s+/).filter((name) => name !== '');
  const unknown = names.find((name) => !Object.hasOwn(ResultCode, name));
  if (unknown !== undefined) throw new Error(`${place} can answer ${unknown}, which is not a ResultCode.`);
  return names as ResultCodeName[];
}

const isParameterType = (name: string): name is ParameterType => PARAMETER_TYPES.includes(name);
const isScalarType = (name: string): name is ScalarType => SCALAR_TYPES.includes(name);
