/** The texts of a list: they stand between bars or on lines of their own, and blanks around them do not belong to them. */
export const listed = (text: string): readonly string[] => text.trim().split(/\s*[|\n]\s*/);
