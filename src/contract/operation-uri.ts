/** The soapAction of an operation: namespace, slash, name. If the namespace ends in a slash, no second one is added, as in ASMX. */
export const operationUri = (namespace: string, operation: string): string =>
  namespace.endsWith('/') ? `${namespace}${operation}` : `${namespace}/${operation}`;
