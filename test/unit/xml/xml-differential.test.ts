import { expect } from 'chai';
import { validateXML } from 'xmllint-wasm';
import { seededRandom } from '../../support/random/seeded-random.ts';
import { XmlDocuments } from './xml-documents.ts';
import { ourVerdict, xmllintErrors } from './xml-verdicts.ts';

// The long run, with encodings, is `scripts/fuzz/differential-xml.ts`; this one needs no external program.
describe('XmlScanner compared with libxml2', () => {
  it('accepts and refuses the same documents out of 500', async () => {
    const documents = new XmlDocuments(seededRandom(20_270_118));
    const texts: string[] = [];
    while (texts.length < 500) {
      const text = documents.text();
      // libxml2 reads the text as UTF-8, treats U+0000 as the end, and is lax about the XML declaration.
      if (!text.startsWith('<?xml') && !text.includes('\0')) texts.push(text);
    }
    const files = texts.map((contents, index) => ({ fileName: `${index}.xml`, contents }));
    const report = await validateXML({ xml: files, schema: [] }).then(
      ({ rawOutput }) => rawOutput,
      // xmllint reports malformed documents with an exit code for which the package rejects.
      (error: Error) => error.message,
    );
    const errors = xmllintErrors(report);

    const disagreements = files.filter(({ fileName, contents }) => {
      const ours = ourVerdict(Buffer.from(contents, 'utf8'));
      const theirs = errors.get(fileName);
      const isUri = theirs !== undefined && /^namespace error : xmlns(?::[^ :]*)?: '/.test(theirs);
      return !ours.byPolicy && !isUri && ours.accepted !== (theirs === undefined);
    });
    expect(disagreements).to.deep.equal([]);
    expect(errors.size).to.be.within(100, 400);
  });
});
