import type { Operation, OperationInput, Parameter, ParameterValue } from '../../contract/contract.ts';
import { readParameterValue } from '../../contract/parameter-values.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import type { FormField } from './read-form.ts';

/** Reads an operation's input from form fields; throws ServiceError naming the parameter that is missing, duplicated or invalid. */
export type ReadFormInput = (fields: readonly FormField[]) => OperationInput;

/**
 * Compiled once from the contract. Parameter names match in any case, unknown ones are ignored, and each parameter must be
 * present exactly once; an empty one counts as present.
 */
export function compileFormReader({ parameters }: Operation): ReadFormInput {
  const indexByName = new Map(parameters.map(({ name }, index) => [name.toLowerCase(), index]));
  return (fields) => {
    const texts = new Array<string | undefined>(parameters.length).fill(undefined);
    for (const { name, value } of fields) {
      const index = indexByName.get(name.toLowerCase());
      if (index === undefined) continue;
      if (texts[index] !== undefined) throw doubled(parameters[index] as Parameter);
      texts[index] = value;
    }
    const input: Record<string, ParameterValue> = Object.create(null);
    for (const [index, parameter] of parameters.entries()) {
      const text = texts[index];
      if (text === undefined) throw missing(parameter);
      input[parameter.name] = readParameterValue(parameter, text, 'form');
    }
    return input;
  };
}

const doubled = ({ name }: Parameter) =>
  new ServiceError('DuplicateParameter', `Parameter ${name} is given twice.`, { parameter: name });

const missing = ({ name }: Parameter) =>
  new ServiceError('MissingParameter', `Missing parameter: ${name}.`, { parameter: name });
