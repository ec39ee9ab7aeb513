import { validateXML } from 'xmllint-wasm';

/** Validates documents by name against one schema in one go. Returns what is wrong, a line each. */
export async function validateAll(schema: string, documents: ReadonlyMap<string, string>): Promise<string[]> {
  const { valid, errors, rawOutput } = await validateXML({
    xml: Array.from(documents, ([fileName, contents]) => ({ fileName, contents })),
    schema: { fileName: 'types.xsd', contents: schema },
    initialMemoryPages: 512,
    maxMemoryPages: 2048,
  });
  if (valid) return [];
  const lines = errors.map(({ message, loc }) => `${loc?.fileName}: ${message}`);
  return lines.length > 0 ? lines : [rawOutput || 'not valid'];
}
