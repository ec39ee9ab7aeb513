import type { HeaderElement } from '../../access/ws-security/security-header.ts';
import type { Contract, Operation, OperationInput, Parameter, ParameterValue } from '../../contract/contract.ts';
import { readParameterValue } from '../../contract/parameter-values.ts';
import { type ErrorCode, type ErrorDetails, type QualifiedName, ServiceError } from '../../vocabulary/errors.ts';
import { oneOf, shown } from '../../vocabulary/text.ts';
import { trimXmlSpace } from '../../xml/xml-characters.ts';
import { Token, XmlScanner } from '../../xml/xml-scanner.ts';
import { indexOfName } from '../index-of-name.ts';
import { inputClass } from '../input-class.ts';
import { readBase64Parameter } from './base64-parameter.ts';
import { demandOfBlock, readHeaderElement } from './header-block.ts';
import { type SoapVersion, versionOfEnvelope } from './soap-versions.ts';

/** A request as read from its envelope. */
export interface SoapMessage {
  readonly version: SoapVersion;
  readonly operation: Operation;
  readonly input: OperationInput;
}

/** What is known of a request so far. It determines how to answer one that cannot be read to its end. */
export interface SeenMessage {
  version?: SoapVersion | undefined;
  operation?: Operation | undefined;
  /** The header blocks for us that the reader was told are understood; absent if there are none. */
  headers?: HeaderElement[] | undefined;
}

/** 2001 is the Recommendation; older toolkits use the namespaces of the drafts. */
const SCHEMA_NAMESPACES: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/XMLSchema',
  'http://www.w3.org/2000/10/XMLSchema',
  'http://www.w3.org/1999/XMLSchema',
]);
const INSTANCE_NAMESPACES: ReadonlySet<string> = new Set(
  Array.from(SCHEMA_NAMESPACES, (namespace) => `${namespace}-instance`),
);
/** SOAP 1.1, 5 and SOAP 1.2 part 2, 3. */
const ENCODING_NAMESPACES: ReadonlySet<string> = new Set([
  'http://schemas.xmlsoap.org/soap/encoding/',
  'http://www.w3.org/2003/05/soap-encoding',
]);

type ParameterForm = 'plain' | 'base64' | 'nil';

interface OperationReader {
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly names: readonly string[];
  readonly Input: new () => Record<string, ParameterValue>;
}

/**
 * Returns a function that reads a request: well-formed XML within `XML_LIMITS`, one Envelope of SOAP 1.1 or 1.2, one operation of the
 * contract, its parameters in any order. `seen` is filled while reading. Strings are returned as they were written.
 * Throws ServiceError, the first of: `Malformed` and `TooLarge`, anywhere in the message; `VersionMismatch`; `MustUnderstand`; otherwise
 * the first mismatch with the contract (`UnexpectedElement`, `UnknownOperation`, `DuplicateParameter`, `InvalidValue`, `MissingParameter`).
 * `understood` are the header blocks that the caller of this function handles: those for us are added to `seen`, and may have
 * mustUnderstand.
 */
export function compileMessageReader(
  contract: Contract,
  understood: readonly QualifiedName[] = [],
): (xml: string, seen: SeenMessage) => SoapMessage {
  const reader = new MessageReader(contract, understood);
  return (xml, seen) => reader.read(xml, seen);
}

class MessageReader {
  readonly #namespace: string;
  readonly #names: readonly string[];
  readonly #operations: readonly OperationReader[];
  readonly #spellings: ReadonlyMap<string, string>;
  readonly #understood: readonly QualifiedName[];
  readonly #scanner: XmlScanner;
  readonly #notUnderstood: QualifiedName[] = [];
  #problem: ServiceError | undefined;

  constructor(contract: Contract, understood: readonly QualifiedName[]) {
    this.#understood = understood;
    this.#namespace = contract.namespace;
    this.#scanner = new XmlScanner();
    this.#names = contract.operations.map(({ name }) => name);
    this.#operations = contract.operations.map(operationReader);
    this.#spellings = new Map(contract.operations.map(({ name }) => [name.toLowerCase(), name]));
  }

  read(xml: string, seen: SeenMessage): SoapMessage {
    const scanner = this.#scanner;
    this.#problem = undefined;
    this.#notUnderstood.length = 0;
    try {
      scanner.reset(xml);
      scanner.next();
      if (scanner.localName !== 'Envelope') {
        throw malformed('root', `The root element is ${shown(scanner.localName)}; expected a SOAP Envelope.`);
      }
      const version = versionOfEnvelope(scanner.namespace);
      if (version === undefined) throw this.#versionMismatch();
      seen.version = version;
      const message = this.#readEnvelope(version, seen);
      scanner.next();

      if (this.#notUnderstood.length > 0) throw this.#mustUnderstand();
      if (this.#problem !== undefined) throw this.#problem;
      return message as SoapMessage;
    } finally {
      // Keeps no reference to a message after it was read.
      scanner.reset('');
    }
  }

  // SOAP 1.1, 4; SOAP 1.2 part 1, 5.1.
  #readEnvelope(version: SoapVersion, seen: SeenMessage): SoapMessage | undefined {
    const scanner = this.#scanner;
    let message: SoapMessage | undefined;
    let hasHeader = false;
    let hasBody = false;
    this.#checkEnvelopeAttributes(version);
    while (this.#nextChild('Envelope')) {
      const inEnvelope = scanner.namespace === version.envelopeNamespace;
      if (inEnvelope && scanner.localName === 'Body' && !hasBody) {
        hasBody = true;
        message = this.#readBody(version, seen);
      } else if (inEnvelope && scanner.localName === 'Header' && !hasHeader && !hasBody) {
        hasHeader = true;
        this.#readHeader(version, seen);
      } else {
        if (!hasBody || !version.elementsAfterBody || inEnvelope || scanner.namespace === '') {
          this.#unexpectedElement(`in the ${version.title} Envelope; expected at most one Header and then one Body`);
        }
        this.#skipElement();
      }
    }
    if (!hasBody) throw malformed('no-body', `The Envelope has no ${version.title} Body.`);
    return message;
  }

  // SOAP 1.1, 4.2; SOAP 1.2 part 1, 5.2.
  #readHeader(version: SoapVersion, seen: SeenMessage): void {
    const scanner = this.#scanner;
    this.#checkEnvelopeAttributes(version);
    while (this.#nextChild('Header')) {
      if (scanner.namespace === '') this.#unexpectedElement('in the Header; expected an element in a namespace');
      else {
        const demand = scanner.attributeCount > 0 ? demandOfBlock(scanner, version) : 'may-ignore';
        if (demand !== 'not-ours' && this.#isUnderstood()) {
          seen.headers ??= [];
          seen.headers.push(readHeaderElement(scanner));
          continue;
        }
        if (demand === 'must-understand') {
          this.#notUnderstood.push({ namespace: scanner.namespace, localName: scanner.localName });
        }
      }
      this.#skipElement();
    }
  }

  /** Whether the element just entered is a header block that is handled. */
  #isUnderstood(): boolean {
    const { namespace, localName } = this.#scanner;
    return this.#understood.some((name) => name.localName === localName && name.namespace === namespace);
  }

  #readBody(version: SoapVersion, seen: SeenMessage): SoapMessage | undefined {
    let message: SoapMessage | undefined;
    let isEmpty = true;
    this.#checkEnvelopeAttributes(version);
    while (this.#nextChild('Body')) {
      if (isEmpty) {
        message = this.#readOperation(version, seen);
      } else {
        this.#unexpectedElement('in the Body; expected the element of one operation');
        this.#skipElement();
      }
      isEmpty = false;
    }
    if (isEmpty) throw malformed('empty-body', 'The Body is empty; expected the element of one operation.');
    return message;
  }

  #readOperation(version: SoapVersion, seen: SeenMessage): SoapMessage | undefined {
    const scanner = this.#scanner;
    const reader = this.#operations[this.#names.indexOf(scanner.localName)];
    if (scanner.namespace !== this.#namespace || reader === undefined) {
      if (scanner.namespace !== this.#namespace) this.#wrongNamespace();
      else this.#unknownOperation();
      this.#skipElement();
      return undefined;
    }
    const { operation, parameters, names } = reader;
    seen.operation = operation;
    if (scanner.attributeCount > 0) this.#checkOperationAttributes(version, operation);

    const values: ParameterValue[] = [];
    let given = 0;
    let index = -1;
    while (this.#nextChild(operation.name)) {
      index = indexOfName(names, scanner.localName, index + 1);
      if (scanner.namespace !== this.#namespace) {
        this.#wrongNamespace();
        this.#skipElement();
      } else if (index < 0) {
        // Lists the names once, however many unknown elements there are.
        if (this.#problem === undefined) {
          this.#unexpectedElement(`in ${operation.name}, which has no such parameter; expected ${oneOf(names)}`);
        }
        this.#skipElement();
      } else {
        const parameter = parameters[index] as Parameter;
        if ((given & (1 << index)) !== 0) {
          const { name } = parameter;
          this.#remember('DuplicateParameter', `Parameter ${name} is given twice.`, { parameter: name });
        }
        given |= 1 << index;
        values[index] = this.#readParameter(version, parameter);
      }
    }

    const input = new reader.Input();
    for (let index = 0; index < parameters.length; index++) {
      const { name, required } = parameters[index] as Parameter;
      const value = values[index];
      if (value === undefined && required && this.#problem === undefined) {
        this.#remember('MissingParameter', `Missing parameter: ${name}.`, { parameter: name });
      }
      input[name] = value;
    }
    return { version, operation, input };
  }

  #readParameter(version: SoapVersion, parameter: Parameter): ParameterValue {
    const scanner = this.#scanner;
    const form = scanner.attributeCount > 0 ? this.#readParameterAttributes(version, parameter) : 'plain';
    let text = '';
    for (let token = scanner.next(); token !== Token.EndTag; token = scanner.next()) {
      if (token === Token.Text) {
        // A child between two texts is an error in itself, so keeping the last text is enough.
        text = scanner.text;
      } else {
        this.#unexpectedElement(`in parameter ${parameter.name}; expected text only`);
        this.#skipElement();
      }
    }
    if (this.#problem !== undefined) return undefined;
    if (form === 'nil') {
      if (text !== '') this.#invalidValue(parameter, 'is nil but contains text; expected an empty element');
      return undefined;
    }
    try {
      return readParameterValue(parameter, form === 'base64' ? readBase64Parameter(parameter, text) : text, 'xsd');
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#problem = error;
      return undefined;
    }
  }

  // --- Attributes

  #checkEnvelopeAttributes(version: SoapVersion): void {
    for (let index = 0; index < this.#scanner.attributeCount; index++) this.#checkEncodingStyle(version, index, true);
  }

  #checkOperationAttributes(version: SoapVersion, operation: Operation): void {
    const scanner = this.#scanner;
    for (let index = 0; index < scanner.attributeCount; index++) {
      if (!INSTANCE_NAMESPACES.has(scanner.attributeNamespace(index))) {
        this.#checkOtherAttribute(version, index, operation.name);
        continue;
      }
      const name = scanner.attributeName(index);
      const value = trimXmlSpace(scanner.attributeValue(index));
      // xsi:type means nothing here: the operation is identified by its name.
      if ((name === 'nil' || name === 'null') && value !== 'false' && value !== '0') {
        this.#remember(
          'InvalidValue',
          `Element ${operation.name} has xsi:${name} "${shown(value)}", which is not allowed there.`,
        );
      }
    }
  }

  /**
   * How the parameter is written. Its type is that of the contract: clients without the WSDL guess a type from the look of the value, and
   * ASMX ignores it. Only what SOAP::Lite does to non-ASCII text is not a guess.
   */
  #readParameterAttributes(version: SoapVersion, parameter: Parameter): ParameterForm {
    const scanner = this.#scanner;
    let isNil = false;
    let isBase64 = false;
    for (let index = 0; index < scanner.attributeCount; index++) {
      if (!INSTANCE_NAMESPACES.has(scanner.attributeNamespace(index))) {
        this.#checkOtherAttribute(version, index, parameter.name);
        continue;
      }
      const name = scanner.attributeName(index);
      const value = trimXmlSpace(scanner.attributeValue(index));
      if (name === 'type') {
        isBase64 = parameter.type === 'string' && this.#isBase64(parameter, value);
      } else if (name === 'nil' || name === 'null') {
        // In the draft of 1999, nil was called `null`.
        isNil = value === 'true' || value === '1';
        if (!isNil && value !== 'false' && value !== '0') {
          this.#invalidValue(parameter, `has xsi:${name} "${shown(value)}"; expected true or false`);
        }
      }
    }
    if (isNil) return 'nil';
    return isBase64 ? 'base64' : 'plain';
  }

  /**
   * Checks an attribute of an operation or a parameter. Attributes of other namespaces mean nothing to us, but references must not be lost.
   */
  #checkOtherAttribute(version: SoapVersion, index: number, element: string): void {
    const name = this.#scanner.attributeName(index);
    const namespace = this.#scanner.attributeNamespace(index);
    // `root` only states what is true in SOAP 1.1's encoding anyway: SOAP 1.1, 5.6.
    const isEncoding = ENCODING_NAMESPACES.has(namespace) && name !== 'root';
    if (namespace === '' || isEncoding) {
      this.#remember('UnexpectedElement', `Attribute ${shown(name)} of element ${element} is not expected.`);
    } else {
      this.#checkEncodingStyle(version, index, false);
    }
  }

  // SOAP 1.1, 4.1.1; SOAP 1.2 part 1, 5.1.1.
  #checkEncodingStyle(version: SoapVersion, index: number, isEnvelope: boolean): void {
    const scanner = this.#scanner;
    if (scanner.attributeName(index) !== 'encodingStyle') return;
    if (scanner.attributeNamespace(index) !== version.envelopeNamespace) return;
    const value = trimXmlSpace(scanner.attributeValue(index));
    if (isEnvelope && !version.encodingStyleAnywhere) {
      const element = shown(scanner.localName);
      this.#remember('UnexpectedElement', `Attribute encodingStyle is not allowed on the ${version.title} ${element}.`);
    } else if (!version.encodingStyles.includes(value)) {
      this.#remember(
        'UnexpectedElement',
        `The encodingStyle "${shown(value)}" is not supported; expected literal values.`,
      );
    }
  }

  /**
   * Whether an xsi:type is base64Binary, or base64, as SOAP 1.1, 5.2.3 calls it. In an unknown namespace it is an error rather than
   * ignored: otherwise, base64 text could be stored as somebody's name.
   */
  #isBase64(parameter: Parameter, qName: string): boolean {
    const colon = qName.indexOf(':');
    const localName = qName.substring(colon + 1);
    if (localName !== 'base64Binary' && localName !== 'base64') return false;
    const namespace = this.#scanner.namespaceOf(colon < 0 ? '' : qName.substring(0, colon)) ?? '';
    if (ENCODING_NAMESPACES.has(namespace) || SCHEMA_NAMESPACES.has(namespace)) return true;
    this.#invalidValue(parameter, `has xsi:type "${shown(qName)}", whose prefix is not bound to XML Schema`);
    return false;
  }

  // --- Movement

  /** Moves to the next child of the element that is being read. Returns false at its end tag. */
  #nextChild(parent: string): boolean {
    const scanner = this.#scanner;
    for (;;) {
      const token = scanner.next();
      if (token === Token.StartTag) return true;
      if (token === Token.EndTag) return false;
      if (!scanner.isBlank && this.#problem === undefined) {
        const text = shown(trimXmlSpace(scanner.text));
        this.#remember('UnexpectedElement', `Text "${text}" is not expected in ${parent}; expected elements only.`);
      }
    }
  }

  /** Moves to the end tag of the element just entered. */
  #skipElement(): void {
    const outside = this.#scanner.depth - 1;
    while (this.#scanner.next() !== Token.EndTag || this.#scanner.depth > outside) {
      // The scanner checks what is skipped.
    }
  }

  // --- Errors

  /** Keeps the first error, which is thrown only after the whole message has proved to be well-formed. */
  #remember(code: ErrorCode, message: string, details?: ErrorDetails): void {
    this.#problem ??= new ServiceError(code, message, details);
  }

  #unexpectedElement(where: string): void {
    this.#remember('UnexpectedElement', `Element ${shown(this.#scanner.localName)} is not expected ${where}.`);
  }

  #invalidValue(parameter: Parameter, problem: string): void {
    this.#remember('InvalidValue', `Parameter ${parameter.name} ${problem}.`, { parameter: parameter.name });
  }

  #wrongNamespace(): void {
    const { localName, namespace } = this.#scanner;
    const found = namespace === '' ? 'in no namespace' : `in namespace "${shown(namespace)}"`;
    this.#remember('UnexpectedElement', `Element ${shown(localName)} is ${found}; expected "${this.#namespace}".`);
  }

  #unknownOperation(): void {
    const name = this.#scanner.localName;
    const spelling = this.#spellings.get(name.toLowerCase());
    const hint = spelling === undefined ? `expected ${oneOf(this.#names)}` : `the name is spelled ${spelling}`;
    this.#remember('UnknownOperation', `There is no operation ${shown(name)}; ${hint}.`);
  }

  #versionMismatch(): ServiceError {
    const namespace = shown(this.#scanner.namespace);
    this.#skipElement();
    this.#scanner.next();
    return new ServiceError(
      'VersionMismatch',
      `The Envelope is in namespace "${namespace}"; expected the Envelope of SOAP 1.1 or SOAP 1.2.`,
    );
  }

  #mustUnderstand(): ServiceError {
    const notUnderstood = [...this.#notUnderstood];
    const names = notUnderstood.map(({ namespace, localName }) => `${shown(localName)} ("${shown(namespace)}")`);
    return new ServiceError('MustUnderstand', `A header that must be understood is not understood: ${names[0]}.`, {
      notUnderstood,
    });
  }
}

function operationReader(operation: Operation): OperationReader {
  const { parameters } = operation;
  // One bit per parameter records which were sent.
  if (parameters.length > 31) throw new Error(`Operation ${operation.name} has more than 31 parameters.`);
  return {
    operation,
    parameters,
    names: parameters.map(({ name }) => name),
    Input: inputClass(),
  };
}

function malformed(reason: string, message: string): ServiceError {
  return new ServiceError('Malformed', message, { reason });
}
