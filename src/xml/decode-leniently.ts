import { markedEncoding } from './decode-xml-bytes.ts';

/**
 * Text that another system sent, in the encoding of its byte order mark, which is dropped, otherwise of its Content-Type's charset, otherwise
 * in UTF-8. Nothing is refused: bytes that are wrong in the encoding become U+FFFD.
 */
export function decodeLeniently(bytes: Buffer, contentType = ''): string {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1];
  try {
    return new TextDecoder(markedEncoding(bytes) ?? charset).decode(bytes);
  } catch {
    // No such encoding.
    return new TextDecoder().decode(bytes);
  }
}
