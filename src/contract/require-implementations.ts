import type { Contract } from './contract.ts';

/**
 * Throws an Error that names every operation of the contract without a function of its name in `implementations`, and every
 * function that belongs to no operation.
 */
export function requireImplementations(contract: Contract, implementations: object): void {
  const operations = contract.operations.map(({ name }) => name);
  const implemented = Object.entries(implementations).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : [],
  );
  const missing = operations.filter((name) => !implemented.includes(name));
  const unknown = Object.keys(implementations).filter((name) => !operations.includes(name));
  const mistakes = [
    ...missing.map((name) => `Operation ${name} of the WSDL has no implementation.`),
    ...unknown.map((name) => `Implementation ${name} belongs to no operation of the WSDL.`),
  ];
  if (mistakes.length > 0) throw new Error(mistakes.join(' '));
}
