const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text whose UTF-8 bytes are encoded in base64, with white space anywhere, as `xsd:base64Binary` allows; undefined for anything that is
 * not padded base64, or not UTF-8. Source: RFC 4648, 4; XML Schema Part 2, 3.2.16.
 */
export function readBase64Text(text: string): string | undefined {
  try {
    return UTF_8.decode(Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' }));
  } catch {
    return undefined;
  }
}
