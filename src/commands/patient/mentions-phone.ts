import { asciiDigits } from './ascii-digits.ts';

/** Whether a text that is not a phone number contains one, such as `98450 12345 (wife)`. `national`: digits without the country code. */
export const mentionsPhone = (text: string, national: string): boolean =>
  asciiDigits(text).replace(/\D+/g, '').includes(national);
