import { validateXML, type XMLFileInfo } from 'xmllint-wasm';

/** The `s:schema` of the WSDL as a document of its own, with the prefixes that the WSDL's root binds. */
export function schemaOf(wsdl: string): string {
  const root = /<wsdl:definitions[^>]*>/.exec(wsdl)?.[0] ?? '';
  const schema = /<s:schema[\s\S]*<\/s:schema>/.exec(wsdl)?.[0];
  if (schema === undefined) throw new Error('The WSDL has no s:schema.');
  const prefixes = [...root.matchAll(/xmlns:[\w.-]+="[^"]*"/g)].map(([declaration]) => declaration).join(' ');
  return schema.replace('<s:schema', `<s:schema ${prefixes}`);
}

/**
 * Validates one payload element, such as `<GetDoctorResponse xmlns="http://tempuri.org/">…`, against the WSDL's types.
 * Returns what is wrong with it: nothing if it is valid.
 */
export const validateAgainstTypes = (wsdl: string, xmlElementText: string): Promise<string[]> =>
  validateAgainst({ fileName: 'types.xsd', contents: schemaOf(wsdl) }, xmlElementText);

/** Validates a document against a schema, whose imports are found in `imported`. Returns what is wrong with it. */
export async function validateAgainst(
  schema: XMLFileInfo,
  document: string,
  imported: readonly XMLFileInfo[] = [],
): Promise<string[]> {
  const { valid, errors, rawOutput } = await validateXML({
    xml: { fileName: 'document.xml', contents: document },
    schema,
    preload: imported,
  });
  const messages = errors.map(({ message }) => message);
  // A result that is neither valid nor explained must not pass for a valid one.
  return valid || messages.length > 0 ? messages : [rawOutput || 'The document is not valid.'];
}
