import type { HeaderElement } from '../../access/ws-security/security-header.ts';
import type { Contract, Operation, OperationInput, Parameter, ParameterValue } from '../../contract/contract.ts';
import {
  duplicateParameter,
  missingParameter,
  NOTHING,
  readParameterValue,
  unknownOperation,
} from '../../contract/parameter-values.ts';
import { type QualifiedName, ServiceError } from '../../vocabulary/errors.ts';
import { quoted } from '../../vocabulary/text.ts';
import { trimXmlSpace } from '../../xml/xml-characters.ts';
import { Token, XmlScanner } from '../../xml/xml-scanner.ts';
import { demandOfBlock, readHeaderElement } from './header-block.ts';
import { readAttributes, readBase64Parameter } from './message-attributes.ts';
import {
  headersNotUnderstood,
  invalidParameter,
  malformed,
  unexpected,
  unexpectedElement,
  unknownParameter,
  versionMismatch,
  wrongNamespace,
} from './message-problems.ts';
import { type SoapVersion, versionOfEnvelope } from './soap-versions.ts';

/** What was read of a request's envelope. It determines how to answer one that cannot be read to its end. */
export interface SoapMessage {
  version: SoapVersion | undefined;
  operation: Operation | undefined;
  /** Undefined if there is a problem. */
  input: OperationInput | undefined;
  /** The header blocks for us that are understood. */
  readonly headers: HeaderElement[];
  /** Why the message cannot be executed; undefined if it can, and then it has the other properties. */
  problem: unknown;
}

/** Programs that send a C string with its end, or a whole buffer, append some. */
function withoutFinalNuls(xml: string): string {
  let end = xml.length;
  while (xml.charCodeAt(end - 1) === 0) end--;
  return end === xml.length ? xml : xml.slice(0, end);
}

/**
 * Reads requests: well-formed XML within `XML_LIMITS`, one Envelope of SOAP 1.1 or 1.2, one operation of the contract, its parameters in any
 * order. Strings are returned as they were written. The problem of a message is a ServiceError, the first of: `Malformed` and `TooLarge`,
 * anywhere in the message; `VersionMismatch`; `MustUnderstand`; otherwise the first mismatch with the contract (`UnexpectedElement`,
 * `UnknownOperation`, `DuplicateParameter`, `InvalidValue`, `MissingParameter`).
 */
export class MessageReader {
  readonly #namespace: string;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #parameters: ReadonlyMap<Operation, ReadonlyMap<string, Parameter>>;
  readonly #scanner = new XmlScanner();
  #understood: readonly QualifiedName[] = [];
  #notUnderstood: QualifiedName[] = [];
  /** The first mismatch, which matters only after the whole message has proved to be well-formed. */
  #problem: ServiceError | undefined;

  constructor({ namespace, operations }: Contract) {
    this.#namespace = namespace;
    this.#operations = new Map(operations.map((operation) => [operation.name, operation]));
    const byName = (parameters: readonly Parameter[]) => new Map(parameters.map((one) => [one.name, one]));
    this.#parameters = new Map(operations.map((operation) => [operation, byName(operation.parameters)]));
  }

  /**
   * Never throws. `understood` are the header blocks that the caller handles: those for us are returned, and may have mustUnderstand.
   */
  read(xml: string, understood: readonly QualifiedName[] = []): SoapMessage {
    const message: SoapMessage = {
      version: undefined,
      operation: undefined,
      input: undefined,
      headers: [],
      problem: undefined,
    };
    this.#understood = understood;
    this.#notUnderstood = [];
    this.#problem = undefined;
    const scanner = this.#scanner;
    try {
      scanner.reset(withoutFinalNuls(xml));
      scanner.next();
      if (scanner.localName !== 'Envelope') {
        throw malformed('root', `The root element is ${quoted(scanner.localName)}; expected a SOAP Envelope.`);
      }
      message.version = versionOfEnvelope(scanner.namespace);
      if (message.version === undefined) {
        const problem = versionMismatch(scanner.namespace);
        // The rest must prove to be well-formed first.
        this.#skipElement();
        scanner.next();
        throw problem;
      }
      const input = this.#readEnvelope(message.version, message);
      scanner.next();

      if (this.#notUnderstood.length > 0) throw headersNotUnderstood(this.#notUnderstood);
      if (this.#problem !== undefined) throw this.#problem;
      message.input = input;
    } catch (problem) {
      message.problem = problem;
    }
    return message;
  }

  // SOAP 1.1, 4; SOAP 1.2 part 1, 5.1. An element of another namespace after the Body, which only SOAP 1.1 allows, is ignored in both.
  #readEnvelope(version: SoapVersion, message: SoapMessage): OperationInput | undefined {
    const scanner = this.#scanner;
    let input: OperationInput | undefined;
    let hasHeader = false;
    let hasBody = false;
    while (this.#nextChild('Envelope')) {
      const inEnvelope = scanner.namespace === version.envelopeNamespace;
      if (inEnvelope && scanner.localName === 'Body' && !hasBody) {
        hasBody = true;
        input = this.#readBody(message);
      } else if (inEnvelope && scanner.localName === 'Header' && !hasHeader && !hasBody) {
        hasHeader = true;
        this.#readHeader(version, message);
      } else {
        if (!hasBody || inEnvelope || scanner.namespace === '') {
          const where = `in the ${version.title} Envelope; expected at most one Header and then one Body`;
          this.#problem ??= unexpectedElement(scanner, where);
        }
        this.#skipElement();
      }
    }
    if (!hasBody) throw malformed('no-body', `The Envelope has no ${version.title} Body.`);
    return input;
  }

  // SOAP 1.1, 4.2; SOAP 1.2 part 1, 5.2.
  #readHeader(version: SoapVersion, { headers }: SoapMessage): void {
    const scanner = this.#scanner;
    while (this.#nextChild('Header')) {
      const { namespace, localName } = scanner;
      const demand = demandOfBlock(scanner, version);
      const isUnderstood = this.#understood.some(
        (name) => name.localName === localName && name.namespace === namespace,
      );
      if (isUnderstood && demand !== 'not-ours') {
        headers.push(readHeaderElement(scanner));
        continue;
      }
      if (demand === 'must-understand') this.#notUnderstood.push({ namespace, localName });
      this.#skipElement();
    }
  }

  #readBody(message: SoapMessage): OperationInput | undefined {
    let input: OperationInput | undefined;
    let isEmpty = true;
    const problemBefore = this.#problem;
    while (this.#nextChild('Body')) {
      if (isEmpty) {
        input = this.#readOperation(message);
      } else {
        this.#problem ??= unexpectedElement(this.#scanner, 'in the Body; expected the element of one operation');
        this.#skipElement();
      }
      isEmpty = false;
    }
    // Text is a problem of its own.
    if (isEmpty && this.#problem === problemBefore)
      throw malformed('empty-body', 'The Body is empty; expected the element of one operation.');
    return input;
  }

  #readOperation(message: SoapMessage): OperationInput | undefined {
    const scanner = this.#scanner;
    const operation = this.#operations.get(scanner.localName);
    const parameters = operation && this.#parameters.get(operation);
    if (scanner.namespace !== this.#namespace || operation === undefined || parameters === undefined) {
      this.#problem ??=
        scanner.namespace === this.#namespace
          ? unknownOperation(scanner.localName, [...this.#operations.values()])
          : wrongNamespace(scanner, this.#namespace);
      this.#skipElement();
      return undefined;
    }
    message.operation = operation;
    const writtenAs = readAttributes(scanner, operation);
    if (writtenAs instanceof ServiceError) this.#problem ??= writtenAs;

    const values = new Map<string, ParameterValue>();
    while (this.#nextChild(operation.name)) {
      const parameter = parameters.get(scanner.localName);
      if (scanner.namespace !== this.#namespace) {
        this.#problem ??= wrongNamespace(scanner, this.#namespace);
        this.#skipElement();
      } else if (parameter === undefined) {
        this.#problem ??= unknownParameter(scanner, operation.name, [...parameters.keys()]);
        this.#skipElement();
      } else {
        const { name } = parameter;
        if (values.has(name)) this.#problem ??= duplicateParameter(name);
        values.set(name, this.#readParameter(parameter));
      }
    }

    const input: Record<string, ParameterValue> = Object.create(NOTHING);
    for (const { name, required, whenLeftOut } of operation.parameters) {
      const value = values.get(name) ?? whenLeftOut;
      if (value === undefined && required) this.#problem ??= missingParameter(name);
      input[name] = value;
    }
    return input;
  }

  #readParameter(parameter: Parameter): ParameterValue {
    const scanner = this.#scanner;
    const writtenAs = readAttributes(scanner, parameter);
    if (writtenAs instanceof ServiceError) this.#problem ??= writtenAs;
    let text = '';
    for (let token = scanner.next(); token !== Token.EndTag; token = scanner.next()) {
      if (token === Token.Text) {
        // A child between two texts is an error in itself, so keeping the last text is enough.
        text = scanner.text;
      } else {
        this.#problem ??= unexpectedElement(scanner, `in parameter ${parameter.name}; expected text only`);
        this.#skipElement();
      }
    }
    if (this.#problem !== undefined) return undefined;
    if (writtenAs === 'nil') {
      if (text !== '') {
        this.#problem = invalidParameter(parameter.name, 'is nil but contains text; expected an empty element.');
      }
      return undefined;
    }
    try {
      return readParameterValue(parameter, writtenAs === 'base64' ? readBase64Parameter(parameter, text) : text, 'xsd');
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#problem = error;
      return undefined;
    }
  }

  /** Moves to the next child of the element that is being read. Returns false at its end tag. As in ASMX, a Header may contain text. */
  #nextChild(parent: string): boolean {
    const scanner = this.#scanner;
    for (;;) {
      const token = scanner.next();
      if (token === Token.StartTag) return true;
      if (token === Token.EndTag) return false;
      if (parent !== 'Header' && this.#problem === undefined && !scanner.isBlank) {
        const text = quoted(trimXmlSpace(scanner.text));
        this.#problem = unexpected(`Text "${text}" is not expected in ${parent}; expected elements only.`);
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
}
