import { validateXML, type XMLFileInfo } from 'xmllint-wasm';

/**
 * Validates documents against one schema, whose imports are found in `imported`, in one run of xmllint. Returns the errors, one per line:
 * the document's name, a colon, and the error.
 */
export async function validateAll(
  schema: string,
  documents: ReadonlyMap<string, string>,
  imported: readonly XMLFileInfo[] = [],
): Promise<string[]> {
  const { errors, rawOutput } = await validateXML({
    xml: Array.from(documents, ([fileName, contents]) => ({ fileName, contents })),
    schema: { fileName: 'types.xsd', contents: schema },
    preload: imported,
    initialMemoryPages: 512,
    maxMemoryPages: 2048,
  });
  const lines = errors.map(({ message, loc }) => `${loc?.fileName}: ${message}`);
  // A document that is neither reported valid nor has errors must not count as valid.
  const validated = new Set(rawOutput.split('\n'));
  for (const name of documents.keys()) {
    if (validated.has(`${name} validates`) || lines.some((line) => line.startsWith(`${name}: `))) continue;
    lines.push(`${name}: xmllint says nothing about it.`);
  }
  return lines;
}
