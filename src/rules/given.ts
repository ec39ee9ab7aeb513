/** The text as it was given, or undefined if it is absent, empty or nothing but white space. */
export const given = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text;
