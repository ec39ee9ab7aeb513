/** The `s:schema` of the WSDL as its own document, with the prefixes that the WSDL's root binds. */
export function schemaOf(wsdl: string): string {
  const root = /<wsdl:definitions[^>]*>/.exec(wsdl)?.[0] ?? '';
  const schema = /<s:schema[\s\S]*<\/s:schema>/.exec(wsdl)?.[0];
  if (schema === undefined) throw new Error('The WSDL has no s:schema.');
  const prefixes = [...root.matchAll(/xmlns:[\w.-]+="[^"]*"/g)].map(([declaration]) => declaration).join(' ');
  return schema.replace('<s:schema', `<s:schema ${prefixes}`);
}
