import type { Parameter } from '../../contract/contract.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { shown } from '../../vocabulary/text.ts';

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text whose UTF-8 bytes a parameter has as base64, with white space anywhere, as `xsd:base64Binary` allows. Throws InvalidValue for
 * anything that is not padded base64, or not UTF-8. Source: RFC 4648, 4; XML Schema Part 2, 3.2.16.
 */
export function readBase64Parameter({ name }: Parameter, text: string): string {
  try {
    return UTF_8.decode(Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' }));
  } catch {
    const problem = 'is sent as base64Binary, but is not the base64 of a text in UTF-8';
    throw new ServiceError('InvalidValue', `Parameter ${name}: "${shown(text)}" ${problem}.`, { parameter: name });
  }
}
