import { withLineFeeds } from './cell-types.ts';
import { ImportRefused } from './problem.ts';

/**
 * The text of a file, with LF line ends, in pieces: UTF-8 with or without a byte order mark, or UTF-16 with one, which spreadsheets call
 * Unicode text. Throws ImportRefused for anything else.
 */
export async function* textsOf(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<string> {
  let decoders: { readonly strict: TextDecoder; readonly lenient: TextDecoder } | undefined;
  let bytes: Uint8Array = new Uint8Array();
  let text = '';
  let line = 1;

  const decode = (stream: boolean): string => {
    decoders ??= decodersFor(bytes);
    // Shows where the first mistake is.
    const [before = ''] = (text + decoders.lenient.decode(bytes, { stream })).split('\ufffd', 1);
    try {
      text += decoders.strict.decode(bytes, { stream });
    } catch {
      const message = 'is not UTF-8 text; expected a file saved as "CSV UTF-8"';
      throw new ImportRefused([{ file, line: line + lineEnds(withLineFeeds(before)), message }]);
    }
    bytes = new Uint8Array();
    // The rest of its line end may follow.
    const end = stream && text.endsWith('\r') ? text.length - 1 : text.length;
    const piece = withLineFeeds(text.slice(0, end));
    text = text.slice(end);
    line += lineEnds(piece);
    return piece;
  };

  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk]);
    // The encoding is known from the second byte on.
    if (decoders !== undefined || bytes.length > 1) yield decode(true);
  }
  yield decode(false);
}

export function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function decodersFor([first, second]: Uint8Array) {
  const isLittleEndian = first === 0xff && second === 0xfe;
  const encoding = isLittleEndian ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return { strict: new TextDecoder(encoding, { fatal: true }), lenient: new TextDecoder(encoding) };
}
