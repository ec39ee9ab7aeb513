import type { ParameterValue } from '../contract/contract.ts';

/**
 * A class for the inputs of an operation. Its instances inherit nothing. They are created and filled three times faster than with
 * `Object.create(null)`, because they share a shape.
 */
export function inputClass(): new () => Record<string, ParameterValue> {
  const Input = class {} as { new (): Record<string, ParameterValue>; prototype: object };
  Reflect.deleteProperty(Input.prototype, 'constructor');
  Object.freeze(Object.setPrototypeOf(Input.prototype, null));
  return Input;
}
