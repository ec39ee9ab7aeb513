import type { Operation, RecordType, ResultRecord, ResultValue, ScalarType } from '../../contract/contract.ts';
import { ResultCode } from '../../vocabulary/result-codes.ts';

const BY_TYPE: Readonly<Record<ScalarType, ResultValue>> = {
  int: 1,
  string: 'text',
  dateTime: '2027-01-18T10:15:00',
  boolean: true,
};

const SUCCESS: ReadonlyMap<string, ResultValue> = new Map<string, ResultValue>([
  ['ResultCode', ResultCode.OK],
  ['ResultText', 'OK.'],
]);

/** An answer as it may look: a field named as a parameter has the parameter's example, a list one item. */
export function sampleRecord(operation: Operation): ResultRecord {
  const { parameters } = operation;
  const sent = new Map(parameters.map(({ name, type, example }) => [name, type === 'int' ? Number(example) : example]));
  const moment = parameters.findLast(({ type }) => type === 'dateTime')?.example;
  return recordOf(operation.resultType, (name, type) => {
    return SUCCESS.get(name) ?? sent.get(name) ?? (type === 'dateTime' ? moment : undefined) ?? BY_TYPE[type];
  });
}

function recordOf({ fields }: RecordType, scalarOf: (name: string, type: ScalarType) => ResultValue): ResultRecord {
  return Object.fromEntries(
    fields.map(({ name, type, repeated }) => {
      const value = typeof type === 'string' ? scalarOf(name, type) : recordOf(type, scalarOf);
      return [name, repeated ? [value] : value];
    }),
  );
}
