// Compares the XML reader with libxml2: `node scripts/fuzz/differential-xml.ts --count 50000 --seed 1`. Needs xmllint on the path.
// Exits 1 if they disagree on a document.
import { isUtf8 } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../test/support/random/seeded-random.ts';
import { XmlDocuments } from '../../test/unit/xml/xml-documents.ts';
import { ourVerdict, type Verdict, xmllintErrors } from '../../test/unit/xml/xml-verdicts.ts';
import { readNumbers } from '../ci/read-arguments.ts';

/** Where libxml2 and the specifications differ; `applies` receives a document on which the two readers disagree. */
const KNOWN_DIFFERENCES: readonly {
  why: string;
  applies(ours: Verdict, theirs: string | undefined, bytes: Buffer): boolean;
}[] = [
  {
    why: 'Namespaces in XML 1.0 has namespace names compared as strings; libxml2 also reports those that are no URI',
    applies: (ours, theirs) => ours.accepted && /^namespace error : xmlns(?::[^ :]*)?: '/.test(theirs ?? ''),
  },
  {
    why: 'XML 1.0, production 26: a version is 1. and at least one digit; libxml2 lets the digit be missing',
    applies: (_, theirs, bytes) => theirs === undefined && /=\s*["']1\.["']/.test(ascii(bytes)),
  },
  {
    why: 'XML 1.0, production 32: white space comes before "standalone"; libxml2 lets it be missing',
    applies: (ours, theirs, bytes) =>
      theirs === undefined && /declaration/.test(ours.message) && /["']standalone/.test(ascii(bytes)),
  },
  {
    why: 'XML 1.0, production 2: U+0000 is no character; libxml2 takes one after the root element for the end',
    applies: (ours, theirs) => theirs === undefined && /U\+0000 is forbidden/.test(ours.message),
  },
  {
    why: 'the document ends in bytes that are not of its encoding; libxml2 leaves them unread',
    applies: (ours, theirs, bytes) =>
      theirs === undefined &&
      /bytes that are not/.test(ours.message) &&
      (bytes.length % 2 === 1 || (bytes.at(-1) as number) > 127),
  },
  {
    why: 'RFC 7303, 3: a byte order mark takes precedence over the declaration; libxml2 has them agree, or reads by the declaration',
    applies: (_ours, _theirs, bytes) => /^(?:ï»¿|þÿ|ÿþ)<\?xml[^>]*\sencoding/.test(ascii(bytes)),
  },
  {
    why: 'what is UTF-8 is read whatever its encoding is called, and other bytes in any encoding of the Web',
    applies: (ours, theirs) => ours.accepted && /Unsupported encoding|has UTF-8 content/.test(theirs ?? ''),
  },
  {
    why: 'where UTF-8 or US-ASCII is said, or nothing, other bytes are windows-1252',
    applies: (ours, _, bytes) =>
      ours.accepted && /^utf-8$|ascii/i.test(said(bytes)) && (!isUtf8(bytes) || !/^utf-8$/i.test(said(bytes))),
  },
  {
    why: 'what is UTF-8 is read as UTF-8 under a Latin label',
    applies: (_ours, _theirs, bytes) => /8859|latin|windows-125/i.test(said(bytes)) && isUtf8(bytes),
  },
  {
    why: 'Encoding Standard, 4.2: ISO-8859-1 means windows-1252, whose euro sign is a letter of names',
    applies: (ours, _, bytes) =>
      ours.accepted && /iso-8859-1|latin1|ascii/i.test(ascii(bytes)) && /[\x80-\x9f]/.test(ascii(bytes)),
  },
];

const { count, seed } = readNumbers('node scripts/fuzz/differential-xml.ts', { count: 50_000, seed: 1 });
const documents = new XmlDocuments(seededRandom(seed));
const folder = mkdtempSync(join(tmpdir(), 'differential-xml-'));
const totals = { accepted: 0, refused: 0, byPolicy: 0, known: 0, disagreements: 0 };

try {
  for (let done = 0; done < count; done += 500) runBatch(Math.min(500, count - done));
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`seed ${seed}, ${count} documents:`, totals);
process.exitCode = totals.disagreements === 0 ? 0 : 1;

function runBatch(size: number): void {
  const batch = Array.from({ length: size }, () => documents.bytes());
  const names = batch.map((bytes, index) => {
    const name = `${index}.xml`;
    writeFileSync(join(folder, name), bytes);
    return name;
  });
  const run = spawnSync('xmllint', ['--noout', '--nonet', ...names], { cwd: folder, maxBuffer: 2 ** 28 });
  if (run.error !== undefined) throw run.error;
  const errors = xmllintErrors(run.stderr.toString('latin1'));
  batch.forEach((bytes, index) => {
    compare(bytes, errors.get(names[index] as string));
  });
}

function compare(bytes: Buffer, theirs: string | undefined): void {
  const ours = ourVerdict(bytes);
  if (ours.byPolicy) totals.byPolicy++;
  else if (ours.accepted === (theirs === undefined)) totals[ours.accepted ? 'accepted' : 'refused']++;
  else if (KNOWN_DIFFERENCES.some(({ applies }) => applies(ours, theirs, bytes))) totals.known++;
  else {
    totals.disagreements++;
    console.log({
      document: bytes.toString('latin1'),
      ours: ours.message || 'accepted',
      xmllint: theirs ?? 'accepted',
    });
  }
}

/** The encoding that a document's declaration names, otherwise UTF-8. */
function said(bytes: Buffer): string {
  return /^<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)/.exec(ascii(bytes))?.[1] ?? 'utf-8';
}

/** The ASCII characters of a document in any encoding that is generated. */
function ascii(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll('\0', '');
}
