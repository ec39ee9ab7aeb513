import { ImportRefused } from './problem.ts';

const LINE_FEED = 0x0a;

/**
 * The text of a file, with LF line ends, in pieces: UTF-8 with or without a byte order mark, or UTF-16 with one, which spreadsheets call
 * Unicode text. Throws ImportRefused for anything else.
 */
export async function* textsOf(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let bytes: Uint8Array = new Uint8Array();
  let text = '';
  let line = 1;
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk]);
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    // A line feed is never part of a longer UTF-8 sequence, so whole lines can be decoded, and a bad one found.
    const end = decoder.encoding === 'utf-8' ? bytes.lastIndexOf(LINE_FEED) + 1 : bytes.length;
    text += decoded(decoder, bytes.subarray(0, end), true, file, line);
    bytes = bytes.subarray(end);
    // The rest of its line end may follow.
    const ended = text.endsWith('\r') ? text.length - 1 : text.length;
    const piece = text.slice(0, ended).replace(/\r\n?/g, '\n');
    line += lineEnds(piece);
    if (piece !== '') yield piece;
    text = text.slice(ended);
  }
  if (decoder === undefined) return;
  text += decoded(decoder, bytes, false, file, line);
  if (text !== '') yield text.replace(/\r\n?/g, '\n');
}

export function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** `line` is that of the first of the bytes. */
function decoded(decoder: TextDecoder, bytes: Uint8Array, stream: boolean, file: string, line: number): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    const badLine = decoder.encoding === 'utf-8' ? line + firstBadLine(bytes) : undefined;
    const message = 'is not UTF-8 text; expected a file saved as "CSV UTF-8"';
    throw new ImportRefused([{ file, line: badLine, message }]);
  }
}

/** How many lines precede the first that is not UTF-8. */
function firstBadLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let line = 0, from = 0; ; line++) {
    const end = bytes.indexOf(LINE_FEED, from);
    try {
      decoder.decode(bytes.subarray(from, end === -1 ? bytes.length : end));
    } catch {
      return line;
    }
    if (end === -1) return line;
    from = end + 1;
  }
}
