import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { decodeXmlBytes } from '../../../src/xml/decode-xml-bytes.ts';
import { Token, XmlScanner } from '../../../src/xml/xml-scanner.ts';

/** The verdict of our decoder and scanner on a document. */
export interface Verdict {
  readonly accepted: boolean;
  /** Refused because a SOAP message must not have it, however well-formed: a DTD, an instruction, size, an encoding. */
  readonly byPolicy: boolean;
  readonly message: string;
}

const POLICY_REASONS = ['doctype', 'processing-instruction'];

export function ourVerdict(bytes: Buffer): Verdict {
  const scanner = new XmlScanner();
  try {
    scanner.reset(decodeXmlBytes(bytes, undefined));
    while (scanner.next() !== Token.End);
    return { accepted: true, byPolicy: false, message: '' };
  } catch (error) {
    // Anything else is our own bug and must be visible.
    if (!(error instanceof ServiceError)) throw error;
    const byPolicy = error.code !== 'Malformed' || POLICY_REASONS.includes(error.reason ?? '');
    return { accepted: false, byPolicy, message: error.message };
  }
}

/** By file name, the first error that xmllint reports for each file it refuses; warnings do not count. */
export function xmllintErrors(report: string): Map<string, string> {
  const errors = new Map<string, string>();
  for (const line of report.split('\n')) {
    const match = /^([^\s:]+):\d+: (.*)$/.exec(line);
    if (match === null) continue;
    const [, file, problem] = match as unknown as [string, string, string];
    if (/^(?:parser|namespace|encoding|I\/O) error/.test(problem) && !errors.has(file)) errors.set(file, problem);
  }
  return errors;
}
