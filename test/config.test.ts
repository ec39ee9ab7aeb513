import { expect } from 'chai';
import { ConfigError, readConfig, SETTINGS } from '../src/config.ts';
import { MOVES } from '../src/rules/appointment-status.ts';

/** The one line that a wrong value is answered with. */
function mistake(name: string, value: string): string {
  const [, line = ''] = mistakesOf({ [name]: value }).split('\n  ');
  return line;
}

function mistakesOf(environment: Readonly<Record<string, string>>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error(`accepted: ${JSON.stringify(environment)}`);
}

describe('The configuration', () => {
  it('has a default for every setting', () => {
    expect(readConfig({})).to.deep.equal({
      host: '127.0.0.1',
      port: 8080,
      publicUrl: undefined,
      allowedHosts: ['localhost', '127.0.0.1', '[::1]'],
      namespace: 'http://tempuri.org/',
      database: { kind: 'sqlite', path: './data/tpwebservices.db' },
      timeZone: 'Asia/Kolkata',
      refusals: 'fault',
      logLevel: 'info',
      demoData: false,
      servicePage: true,
      testForm: true,
      phoneRegion: 'IN',
      confirmBookings: true,
      showContactNumbers: false,
      moves: MOVES,
    });
  });

  it('reads every setting', () => {
    const config = readConfig({
      HOST: '0.0.0.0',
      PORT: '65535',
      PUBLIC_URL: 'https://his.example.org/base/',
      ALLOWED_HOSTS: 'His.Example.org, 10.0.0.7,[fd00::1],',
      NAMESPACE: 'urn:hospital',
      DATABASE_URL: 'sqlite:/var/lib/a.db',
      TIME_ZONE: 'America/New_York',
      REFUSALS: 'result',
      LOG_LEVEL: 'silent',
      DEMO_DATA: 'true',
      SERVICE_PAGE: 'false',
      TEST_FORM: 'false',
      PHONE_REGION: 'DE',
      CONFIRM_BOOKINGS: 'false',
      SHOW_CONTACT_NUMBERS: 'true',
      APPOINTMENT_TYPES: ' 9 = Cancel, 1=Reschedule',
    });
    expect(config).to.deep.equal({
      host: '0.0.0.0',
      port: 65535,
      publicUrl: 'https://his.example.org/base',
      allowedHosts: ['his.example.org', '10.0.0.7', '[fd00::1]'],
      namespace: 'urn:hospital',
      database: { kind: 'sqlite', path: '/var/lib/a.db' },
      timeZone: 'America/New_York',
      refusals: 'result',
      logLevel: 'silent',
      demoData: true,
      servicePage: false,
      testForm: false,
      phoneRegion: 'DE',
      confirmBookings: false,
      showContactNumbers: true,
      moves: [
        { ...MOVES[5], type: 9 },
        { ...MOVES[0], type: 1 },
      ],
    });
  });

  it('counts an empty or blank variable as unset', () => {
    const blank = Object.fromEntries(Object.keys(SETTINGS.shape).map((name, i) => [name, i % 2 === 0 ? '' : '  ']));
    expect(readConfig(blank)).to.deep.equal(readConfig({}));
  });

  it('leaves out the white space around a value', () => {
    expect(readConfig({ PORT: ' 9000 ' }).port).to.equal(9000);
  });

  it('does not look at variables that are no settings', () => {
    expect(readConfig({ PATH: '/bin', port: '1' })).to.deep.equal(readConfig({}));
  });

  it('takes a database in memory, and a file by URL', () => {
    expect(readConfig({ DATABASE_URL: 'sqlite::memory:' }).database.path).to.equal(':memory:');
    expect(readConfig({ DATABASE_URL: 'sqlite:///srv/a.db' }).database.path).to.equal('/srv/a.db');
  });

  const WRONG: readonly (readonly [name: string, expected: string, ...values: string[]])[] = [
    ['PORT', 'expected a port number from 0 to 65535', '65536', '-1', '80a', '1e3', '8080.0', '000080'],
    [
      'PUBLIC_URL',
      'expected an http or https URL without query',
      'his.example.org',
      'ftp://his.example.org',
      'https://his.example.org/?a',
      'https://his.example.org/#a',
      'https://me@his.example.org',
    ],
    ['ALLOWED_HOSTS', 'expected host names without ports, separated by commas', 'a:80', 'a b', 'a/b', '*'],
    [
      'NAMESPACE',
      'expected an absolute URI such as http://tempuri.org/',
      'hospital',
      'urn:a b',
      'urn:a"b',
      'urn:<a>',
      '/relative',
    ],
    ['DATABASE_URL', 'expected sqlite:FILE or sqlite::memory:', './a.db', 'sqlite:', 'mysql://h/d'],
    ['TIME_ZONE', 'expected an IANA time zone such as Asia/Kolkata', 'IST5', 'Asia/Atlantis', '+05:30'],
    ['REFUSALS', 'expected fault or result', 'FAULT', 'both'],
    ['LOG_LEVEL', 'expected one of fatal, error, warn, info, debug, trace, silent', 'verbose', 'INFO'],
    ['DEMO_DATA', 'expected true or false', 'yes', '1', 'TRUE'],
    ['SERVICE_PAGE', 'expected true or false', 'off', '0'],
    ['TEST_FORM', 'expected true or false', 'off', '0'],
    ['PHONE_REGION', 'expected a country code such as IN', 'India', 'in', '91'],
    ['CONFIRM_BOOKINGS', 'expected true or false', 'no', '0'],
    ['SHOW_CONTACT_NUMBERS', 'expected true or false', 'all', '4'],
    [
      'APPOINTMENT_TYPES',
      'expected NUMBER=MOVE, separated by commas, each number once; moves are Reschedule, Confirm, Arrive, Start, Complete, Cancel, NoShow',
      '1=Delete',
      '1',
      '1=Cancel,1=Confirm',
      'Cancel=1',
      '1=Cancel;2=Confirm',
    ],
  ];
  for (const [name, expected, ...values] of WRONG) {
    it(`refuses a ${name} that is not right, with the value and what is expected`, () => {
      for (const value of values) expect(mistake(name, value)).to.equal(`${name}=${value}: ${expected}`);
    });
  }

  it('refuses a PUBLIC_URL that holds the path of the service, which would be doubled', () => {
    const expected = 'expected the address without the path of the service, such as https://his.example.org';
    const value = 'https://his.example.org/TPWebServices.asmx';
    expect(mistake('PUBLIC_URL', value)).to.equal(`PUBLIC_URL=${value}: ${expected}`);
  });

  it('tries a wrong value on every setting but HOST, which only the system can judge', () => {
    expect(['HOST', ...WRONG.map(([name]) => name)].sort()).to.deep.equal(Object.keys(SETTINGS.shape).sort());
  });

  it('reports all mistakes at once, a line each', () => {
    const environment = Object.fromEntries(WRONG.map(([name, , value = '']) => [name, value]));
    const [first, ...lines] = mistakesOf(environment).split('\n');
    expect(first).to.equal(`The configuration has ${WRONG.length} mistakes:`);
    expect(lines).to.deep.equal(WRONG.map(([name, expected, value]) => `  ${name}=${value}: ${expected}`));
  });

  it('speaks of one mistake as one', () => {
    expect(mistakesOf({ PORT: 'x' })).to.equal(
      'The configuration has a mistake:\n  PORT=x: expected a port number from 0 to 65535',
    );
  });
});
