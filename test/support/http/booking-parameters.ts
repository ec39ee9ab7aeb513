import type { Parameters } from './four-transports.ts';

const GIVEN = ['Zoya', 'Asha', 'Leela', 'Meera', 'Kavya', 'Nisha', 'Radha', 'Tara', 'Usha', 'Vidya'];
const FAMILY = ['Pai', 'Rao', 'Iyer', 'Das', 'Nair', 'Bhat', 'Menon', 'Kulkarni', 'Shetty', 'Hegde'];

/**
 * One of a thousand patients, with a number, a name and a phone of its own: a rule that counts by one of them then refuses no booking of another
 * subject. A test in which patients share one says so.
 */
export const patient = (n: number) => {
  const middle = n < 100 ? '' : `${GIVEN[Math.floor(n / 100)]} `;
  return {
    RegistrationNumber: `R-${n}`,
    Name: `${GIVEN[n % 10]} ${middle}${FAMILY[Math.floor(n / 10) % 10]}`,
    contactnumber: String(9845012344 + n),
  };
};

/** Monday 18 January 2027, 10:15, with Dr. Vikram Shetty of center 1, who accepts any time. Every optional value is empty. */
export const BOOKING_PARAMETERS = {
  DoctorID: 102,
  ...patient(1),
  app_date: '2027-01-18T00:00:00',
  app_time: '2027-01-18T10:15:00',
  title: '',
  Sex: '',
  Age: '',
  area: '',
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
