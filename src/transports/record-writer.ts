import type { Field, Operation, RecordType, ResultRecord, ResultValue, ScalarType } from '../contract/contract.ts';
import { escapeAttribute, escapeText } from '../xml/xml-characters.ts';

type WriteRecord = (record: ResultRecord) => string;

/**
 * Returns a function that writes a record as the element `elementName` in `namespace`: fields in the contract's order, undefined ones
 * omitted, arrays as repeated elements. It throws an Error for a value that does not have its field's type, and for text that XML cannot
 * represent.
 */
export function compileRecordWriter(type: RecordType, elementName: string, namespace: string): WriteRecord {
  const writeFields = compileFields(type);
  const open = `<${elementName} xmlns="${escapeAttribute(namespace)}">`;
  const close = `</${elementName}>`;
  return onceIfFrozen((record) => open + writeFields(record) + close);
}

/** Returns a function that writes an operation's result inside its response wrapper. Source: WSDL, document/literal wrapped. */
export function compileResponseWriter(operation: Operation, namespace: string): WriteRecord {
  const writeFields = compileFields(operation.resultType);
  const open = `<${operation.responseName} xmlns="${escapeAttribute(namespace)}"><${operation.resultName}>`;
  const close = `</${operation.resultName}></${operation.responseName}>`;
  return onceIfFrozen((record) => open + writeFields(record) + close);
}

interface FieldWriter {
  readonly name: string;
  readonly open: string;
  readonly close: string;
  readonly repeated: boolean;
  readonly type: ScalarType | 'record';
  readonly writeFields: WriteRecord;
}

function compileFields(type: RecordType): WriteRecord {
  const writers = type.fields.map((field) => compileField(type, field));
  return (record) => {
    let xml = '';
    for (const writer of writers) {
      const value = record[writer.name];
      if (value === undefined) continue;
      xml += writer.repeated ? writeRepeated(writer, value) : writeElement(writer, value);
    }
    return xml;
  };
}

function compileField(owner: RecordType, field: Field): FieldWriter {
  const isRecord = typeof field.type === 'object';
  return {
    name: field.name,
    open: `<${field.name}>`,
    close: `</${field.name}>`,
    repeated: field.repeated,
    type: isRecord ? 'record' : (field.type as ScalarType),
    writeFields: isRecord ? compileFields(field.type as RecordType) : () => fail(owner.name, 'no record'),
  };
}

function writeRepeated(writer: FieldWriter, value: ResultValue): string {
  if (!Array.isArray(value)) return fail(writer.name, 'not an array');
  let xml = '';
  for (const item of value as readonly ResultValue[]) xml += writeElement(writer, item);
  return xml;
}

function writeElement(writer: FieldWriter, value: ResultValue): string {
  switch (writer.type) {
    case 'int':
      // The conversion keeps only 32-bit integers: XML Schema Part 2, 3.3.17.
      if (typeof value !== 'number' || (value | 0) !== value) return fail(writer.name, 'not an int');
      return writer.open + value + writer.close;
    case 'string':
      if (typeof value !== 'string') return fail(writer.name, 'not a string');
      return writer.open + escapeText(value) + writer.close;
    case 'dateTime':
      if (typeof value !== 'string' || value === '') return fail(writer.name, 'not a dateTime');
      // Digits and separators that our own formatters wrote from numbers, so there is nothing to escape.
      return writer.open + value + writer.close;
    case 'boolean':
      if (typeof value !== 'boolean') return fail(writer.name, 'not a boolean');
      return writer.open + value + writer.close;
    default:
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(writer.name, 'not a record');
      return writer.open + writer.writeFields(value as ResultRecord) + writer.close;
  }
}

// The value itself may be personal data, and this message is written to the log.
function fail(name: string, problem: string): never {
  throw new Error(`Result field ${name}: the value is ${problem}.`);
}

/** A frozen record, such as a list of doctors, stays the same, so it is written only once: that is a tenth of a GET of GetDoctor. */
function onceIfFrozen(write: WriteRecord): WriteRecord {
  const written = new WeakMap<ResultRecord, string>();
  return (record) => {
    const known = written.get(record);
    if (known !== undefined) return known;
    const made = write(record);
    if (Object.isFrozen(record)) written.set(record, made);
    return made;
  };
}
