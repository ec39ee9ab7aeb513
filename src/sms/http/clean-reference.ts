/** The provider's name for a message: 1 to 128 visible ASCII characters, else undefined. */
export function cleanReference(reference: string | undefined): string | undefined {
  const trimmed = reference?.trim();
  return trimmed !== undefined && /^[\x21-\x7e]{1,128}$/.test(trimmed) ? trimmed : undefined;
}
