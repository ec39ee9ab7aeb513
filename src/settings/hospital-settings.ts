import { z } from 'zod';
import { MOVES, type Move } from '../vocabulary/appointments.ts';
import { isPhoneRegion } from '../vocabulary/phone.ts';
import { isTimeZone } from '../vocabulary/time-zone.ts';
import { flag, optional, parsed, setting, text, type ValuesOf } from './setting.ts';

/** `9=Cancel,1=Reschedule`: numbers that clients use, and the moves that they mean; if the text does not have that form, what is expected. */
function movesOf(value: string): readonly Move[] | string {
  const moves = value.split(',').map((pair) => {
    const [, type, name] = /^\s*(-?\d{1,9})\s*=\s*(\w+)\s*$/.exec(pair) ?? [];
    const move = MOVES.find((known) => known.name === name);
    return type === undefined || move === undefined ? undefined : { ...move, type: Number(type) };
  });
  const known = moves.filter((move) => move !== undefined);
  return known.length === moves.length && new Set(known.map(({ type }) => type)).size === moves.length
    ? known
    : `expected NUMBER=MOVE, separated by commas, each number once; moves are ${MOVES.map(({ name }) => name).join(', ')}`;
}

export const HOSPITAL_SETTINGS = {
  timeZone: setting(
    'TIME_ZONE',
    text(
      'IANA time zone for feedback, promotional messages, and centers that have no time zone of their own',
      'Asia/Kolkata',
    ).refine(isTimeZone, 'expected an IANA time zone such as Asia/Kolkata'),
  ),
  phoneRegion: setting(
    'PHONE_REGION',
    text('Country of phone numbers without a country code, as two capital letters', 'IN').refine(
      isPhoneRegion,
      'expected a country code such as IN',
    ),
  ),
  formDateOrder: setting(
    'FORM_DATE_ORDER',
    optional(
      'How GET and POST forms read dates such as 5/1/2027, and years of two digits: `dmy` day first, `mdy` month first; without it, they are refused',
    ).pipe(z.enum(['dmy', 'mdy'], 'expected dmy or mdy').optional()),
  ),
  confirmBookings: setting(
    'CONFIRM_BOOKINGS',
    flag('`false` books appointments with status 1 Pending; `type` 2 then confirms them', 'true'),
  ),
  showContactNumbers: setting(
    'SHOW_CONTACT_NUMBERS',
    flag('`true` shows whole phone numbers in OPAppointmentdetail, `false` only their last four digits', 'false'),
  ),
  /** By their number in the parameter `type`. */
  moves: setting(
    'APPOINTMENT_TYPES',
    parsed(
      'Numbers that callers use for `type`, such as `1=Reschedule,9=Cancel`; a number that is not listed is refused',
      MOVES.map(({ type, name }) => `${type}=${name}`).join(','),
      movesOf,
    ),
  ),
  templateRequired: setting(
    'SMS_TEMPLATE_REQUIRED',
    flag('`true` refuses messages without a template (`tempid` 0)', 'false'),
  ),
};

export type HospitalConfig = ValuesOf<typeof HOSPITAL_SETTINGS>;
