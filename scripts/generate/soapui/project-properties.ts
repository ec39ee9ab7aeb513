import type { Contract, Parameter } from '../../../src/contract/contract.ts';
import { expansion, type Values } from './soapui-element.ts';

/** The service that the project calls until a tester sets another. */
export const SERVER = 'http://localhost:8080';

/** Names of project properties by the dates of the contract's examples, so that a tester changes each in one place. */
export type DateProperties = ReadonlyMap<string, string>;

const DATE_NAMES = ['date', 'newDate'];

export function dateProperties({ operations }: Contract): DateProperties {
  const dates = new Set<string>();
  for (const { parameters } of operations) {
    for (const { type, example } of parameters) if (type === 'dateTime') dates.add(example.slice(0, 10));
  }
  if (dates.size > DATE_NAMES.length) throw new Error(`There are ${dates.size} dates; name a property for each.`);
  return new Map(Array.from(dates, (date, index) => [date, DATE_NAMES[index] as string]));
}

/** A parameter's value in a request: the value given, otherwise the example, its date taken from the project's properties. */
export function parameterText({ name, type, example }: Parameter, values: Values, dates: DateProperties): string {
  const value = values[name];
  if (value !== undefined) return value;
  return type === 'dateTime'
    ? expansion('Project', dates.get(example.slice(0, 10)) ?? '') + example.slice(10)
    : example;
}
