import { ImportRefused } from './problem.ts';

const NEW_LINE = 0x0a;

/** The text of a file: UTF-8 with or without a byte order mark, or UTF-16 with one, which spreadsheets call Unicode text. */
export function decodeText(bytes: Uint8Array, file: string): string {
  const encoding = encodingOf(bytes);
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_STRING_TOO_LONG') {
      const message = 'is too large; expected at most 500 MB, and the rest in other files of the same import';
      throw new ImportRefused([{ file, message }]);
    }
    const line = encoding === 'utf-8' ? firstBadLine(bytes) : undefined;
    const message = 'is not UTF-8 text; expected a file saved as "CSV UTF-8"';
    throw new ImportRefused([{ file, line, message }]);
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** A line feed is never part of a longer UTF-8 sequence, so lines can be checked one by one. */
function firstBadLine(bytes: Uint8Array): number | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let line = 1, from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(NEW_LINE, from);
    const to = end === -1 ? bytes.length : end;
    try {
      decoder.decode(bytes.subarray(from, to));
    } catch {
      return line;
    }
    from = to + 1;
  }
  return undefined;
}
