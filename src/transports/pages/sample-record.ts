import type { Operation, RecordType, ResultRecord, ResultValue, ScalarType } from '../../contract/contract.ts';

/** A possible answer: fields with their examples, or with those of the parameters of the same name. A list has one item. */
export function sampleRecord({ parameters, resultType }: Operation): ResultRecord {
  const sent = new Map(parameters.map(({ name, example }) => [name, example]));
  return recordOf(resultType, sent);
}

/** A field without an example in the contract is left out. */
const recordOf = ({ fields }: RecordType, sent: ReadonlyMap<string, string>): ResultRecord =>
  Object.fromEntries(
    fields.map(({ name, type, repeated, example = sent.get(name) }) => {
      const value = typeof type === 'string' ? fieldValue(type, example) : recordOf(type, sent);
      return [name, repeated ? [value] : value];
    }),
  );

function fieldValue(type: ScalarType, example: string | undefined): ResultValue {
  if (example === undefined) return undefined;
  if (type === 'int') return Number(example);
  return type === 'boolean' ? example === 'true' : example;
}
