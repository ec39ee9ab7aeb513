import { validateXML } from 'xmllint-wasm';

/** Documents that one run of xmllint reads. */
const BATCH = 500;

export interface IllFormed {
  readonly xml: string;
  readonly message: string;
}

/** The documents that libxml2 doesn't accept as well-formed XML with namespaces. */
export async function findIllFormed(documents: readonly string[]): Promise<readonly IllFormed[]> {
  const found: IllFormed[] = [];
  for (let at = 0; at < documents.length; at += BATCH) {
    const batch = documents.slice(at, at + BATCH);
    const report = await validateXML({
      xml: batch.map((contents, index) => ({ fileName: `${index}.xml`, contents })),
      schema: [],
    }).then(
      ({ rawOutput }) => rawOutput,
      // xmllint reports ill-formed documents by an exit code with which the package rejects.
      (error: Error) => error.message,
    );
    for (const [, index, message] of report.matchAll(/^(\d+)\.xml:\d+: (.*error : .*)$/gm)) {
      // A header's namespace is sent back as its sender wrote it, and any text is a namespace name: Namespaces in XML 1.0, 2.
      if (/is not (?:a valid URI|absolute)/.test(message ?? '')) continue;
      found.push({ xml: batch[Number(index)] ?? '', message: `libxml2: ${message}` });
    }
  }
  return found;
}
