import type { Contract, Field, Operation, ParameterType, RecordType } from '../../../src/contract/contract.ts';

const SAMPLES: Readonly<Record<ParameterType | 'boolean', string>> = {
  int: '42',
  string: 'Asha &amp; Ravi \u{1f3e5}',
  dateTime: '2026-11-20T10:30:00',
  boolean: 'true',
};

/** The request's payload element with all parameters, or only with those of minOccurs 1, which are all except the strings. */
export function sampleRequest({ namespace }: Contract, { name, parameters }: Operation, all: boolean): string {
  const children = parameters
    .filter(({ type }) => all || type !== 'string')
    .map((parameter) => element(parameter.name, SAMPLES[parameter.type]));
  return `<${name} xmlns="${namespace}">${children.join('')}</${name}>`;
}

/** The response's payload element with every field of the result, repeated ones twice, or only with the required ones. */
export function sampleResponse({ namespace }: Contract, operation: Operation, all: boolean): string {
  const { responseName, resultName, resultType } = operation;
  return `<${responseName} xmlns="${namespace}">${element(resultName, sampleFields(resultType, all))}</${responseName}>`;
}

/** A global element of a record type, as the forms return it and as a fault contains it. */
export const sampleRecord = ({ namespace }: Contract, type: RecordType, all: boolean): string =>
  `<${type.name} xmlns="${namespace}">${sampleFields(type, all)}</${type.name}>`;

const sampleFields = ({ fields }: RecordType, all: boolean): string =>
  fields
    .filter(({ required }) => all || required)
    .map((field) => element(field.name, sampleValue(field, all)).repeat(field.repeated ? 2 : 1))
    .join('');

const sampleValue = ({ type }: Field, all: boolean): string =>
  typeof type === 'string' ? SAMPLES[type] : sampleFields(type, all);

const element = (name: string, content: string): string => `<${name}>${content}</${name}>`;
