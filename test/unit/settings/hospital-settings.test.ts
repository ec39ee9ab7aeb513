import { expect } from 'chai';
import { readConfig } from '../../../src/settings/config.ts';
import { HOSPITAL_SETTINGS } from '../../../src/settings/hospital-settings.ts';
import { MOVES } from '../../../src/vocabulary/appointments.ts';
import { settingsSuite } from './settings-suite.ts';

settingsSuite('the hospital', HOSPITAL_SETTINGS, [
  ['TIME_ZONE', 'expected an IANA time zone such as Asia/Kolkata', 'IST5', 'Asia/Atlantis', '+05:30'],
  ['PHONE_REGION', 'expected a country code such as IN', 'India', 'in', '91'],
  ['FORM_DATE_ORDER', 'expected dmy or mdy', 'ymd', 'DMY'],
  ['CONFIRM_BOOKINGS', 'expected true or false', 'no', '0'],
  ['SHOW_CONTACT_NUMBERS', 'expected true or false', 'all', '4'],
  ['SMS_TEMPLATE_REQUIRED', 'expected true or false', 'yes'],
  [
    'APPOINTMENT_TYPES',
    'expected NUMBER=MOVE, separated by commas, each number once; moves are Reschedule, Confirm, Arrive, Start, Complete, Cancel, NoShow',
    '1=Delete',
    '1',
    '1=Cancel,1=Confirm',
    'Cancel=1',
    '1=Cancel;2=Confirm',
  ],
]);

describe('Settings: the hospital', () => {
  it('are for an Indian hospital that confirms bookings and masks phone numbers by default', () => {
    expect(readConfig({}).hospital).to.deep.include({
      timeZone: 'Asia/Kolkata',
      phoneRegion: 'IN',
      confirmBookings: true,
      showContactNumbers: false,
      moves: MOVES,
    });
  });

  it('are read', () => {
    const { hospital } = readConfig({
      TIME_ZONE: 'America/New_York',
      PHONE_REGION: 'DE',
      FORM_DATE_ORDER: 'dmy',
      CONFIRM_BOOKINGS: 'false',
      SHOW_CONTACT_NUMBERS: 'true',
      APPOINTMENT_TYPES: ' 9 = Cancel, 1=Reschedule',
    });
    expect(hospital).to.deep.include({
      timeZone: 'America/New_York',
      phoneRegion: 'DE',
      formDateOrder: 'dmy',
      confirmBookings: false,
      showContactNumbers: true,
      moves: [
        { ...MOVES[5], type: 9 },
        { ...MOVES[0], type: 1 },
      ],
    });
  });
});
