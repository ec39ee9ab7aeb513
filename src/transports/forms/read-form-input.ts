import type { Operation, OperationInput, Parameter } from '../../contract/contract.ts';
import { readParameterValue } from '../../contract/parameter-values.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { indexOfName } from '../index-of-name.ts';
import { inputClass } from '../input-class.ts';
import type { FormField } from './read-form.ts';

/** Reads an operation's input from form fields. Throws ServiceError, which names the parameter that is missing, duplicated or invalid. */
export type ReadFormInput = (fields: readonly FormField[]) => OperationInput;

/**
 * Compiled once from the contract. Parameter names match in any case, unknown ones are ignored, and each parameter must be present exactly
 * once, unless the contract says that a form may omit it. An empty one counts as present.
 */
export function compileFormReader({ parameters }: Operation): ReadFormInput {
  const names = parameters.map(({ name }) => name);
  const lowerCaseNames = names.map((name) => name.toLowerCase());
  const Input = inputClass();
  return (fields) => {
    const texts: (string | undefined)[] = [];
    let index = -1;
    for (const { name, value } of fields) {
      index = indexOfName(names, name, index + 1);
      if (index < 0) index = lowerCaseNames.indexOf(name.toLowerCase());
      if (index < 0) continue;
      if (texts[index] !== undefined) throw doubled(parameters[index] as Parameter);
      texts[index] = value;
    }
    const input = new Input();
    for (let at = 0; at < parameters.length; at++) {
      const parameter = parameters[at] as Parameter;
      const text = texts[at];
      if (text === undefined && !parameter.mayBeOmitted) throw missing(parameter);
      input[parameter.name] = text === undefined ? undefined : readParameterValue(parameter, text, 'form');
    }
    return input;
  };
}

const doubled = ({ name }: Parameter) =>
  new ServiceError('DuplicateParameter', `Parameter ${name} is given twice.`, { parameter: name });

const missing = ({ name }: Parameter) =>
  new ServiceError('MissingParameter', `Missing parameter: ${name}.`, { parameter: name });
