import type { Field, Operation, RecordType, ResultRecord, ResultValue } from '../contract/contract.ts';
import { escapeAttribute, escapeText } from '../xml/xml-characters.ts';

type WriteRecord = (record: ResultRecord) => string;

/**
 * Returns a function that writes a record as the innermost of these elements, of which the first is in `namespace`: fields in the contract's
 * order, undefined ones omitted, arrays as repeated elements. It throws an Error for text that XML cannot represent.
 */
export function compileRecordWriter(type: RecordType, namespace: string, ...elements: readonly string[]): WriteRecord {
  const writeFields = compileFields(type);
  const [outer, ...inner] = elements;
  const open = `<${outer} xmlns="${escapeAttribute(namespace)}">${inner.map((name) => `<${name}>`).join('')}`;
  const close = elements
    .map((name) => `</${name}>`)
    .reverse()
    .join('');
  return onceIfFrozen((record) => open + writeFields(record) + close);
}

/** Writes an operation's result inside its response wrapper. Source: WSDL, document/literal wrapped. */
export const compileResponseWriter = ({ resultType, responseName, resultName }: Operation, namespace: string) =>
  compileRecordWriter(resultType, namespace, responseName, resultName);

/** The wrapper of an operation whose result is not shown, as the old service answered. */
export const writeEmptyResponse = ({ responseName }: Operation, namespace: string): string =>
  `<${responseName} xmlns="${escapeAttribute(namespace)}" />`;

function compileFields({ fields }: RecordType): WriteRecord {
  const writers = fields.map(({ name, type, repeated }) => {
    const open = `<${name}>`;
    const close = `</${name}>`;
    const writeContent = contentWriter(type);
    const writeElement = (value: ResultValue) => open + writeContent(value) + close;
    const writeItems = (value: ResultValue) => (value as readonly ResultValue[]).map(writeElement).join('');
    return { name, write: repeated ? writeItems : writeElement };
  });
  return (record) => {
    let xml = '';
    for (const { name, write } of writers) {
      const value = record[name];
      if (value !== undefined) xml += write(value);
    }
    return xml;
  };
}

function contentWriter(type: Field['type']): (value: ResultValue) => string {
  if (type === 'string') return (value) => escapeText(value as string);
  // The digits and words of the others contain nothing to escape.
  if (typeof type !== 'object') return String;
  const writeFields = compileFields(type);
  return (value) => writeFields(value as ResultRecord);
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
