/**
 * The soapAction of an operation: namespace, slash, name.
 * A namespace that ends in a slash gets no second one, as ASMX does.
 */
export const operationUri = (namespace: string, operation: string): string =>
  namespace.endsWith('/') ? `${namespace}${operation}` : `${namespace}/${operation}`;
