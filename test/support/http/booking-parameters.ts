import type { Parameters } from './four-transports.ts';

/** Monday 18 January 2027, 10:15, with Dr. Vikram Shetty of center 1, who accepts any time. Every optional value is empty. */
export const BOOKING_PARAMETERS = {
  DoctorID: 102,
  RegistrationNumber: 'R-1',
  app_date: '2027-01-18T00:00:00',
  app_time: '2027-01-18T10:15:00',
  title: '',
  Name: 'Asha Pai',
  Sex: '',
  Age: '',
  area: '',
  contactnumber: '9845012345',
  email: '',
  centerid: 1,
} as const satisfies Parameters;

/** The same with every value. */
export const FULL_BOOKING_PARAMETERS = {
  ...BOOKING_PARAMETERS,
  title: 'Mrs.',
  Sex: 'F',
  Age: '34',
  area: 'Indiranagar',
  email: 'asha@example.org',
} as const satisfies Parameters;
