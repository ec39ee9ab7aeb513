import { bareText } from '../../vocabulary/patients.ts';
import { asciiDigits } from './ascii-digits.ts';

/**
 * A registration or inpatient number without what people omit or spell differently: case, width, punctuation, and leading zeros. `00AB-1`,
 * `AB 01` and `ab1` are the same in this form, but need not belong to the same patient.
 */
export const looseNumber = (text: string): string => bareText(asciiDigits(text)).replace(/(?<!\d)0+/g, '');
