/** The text as it was sent, or undefined if it is absent, empty, or only white space. */
export const given = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text;
