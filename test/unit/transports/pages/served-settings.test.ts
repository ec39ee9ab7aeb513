import { expect } from 'chai';
import { STATED_DEFAULTS, statements } from '../../../../src/contract/rewrite-wsdl.ts';
import { ownWsdl } from '../../../../src/contract/wsdl-document.ts';
import { SETTING_GROUPS } from '../../../../src/settings/config.ts';
import { addDoctor } from '../../../support/database/hospital.ts';
import { startService } from '../../../support/process/start-service.ts';

/** Everything that the service says about itself, as one text per document. */
async function servedBy(environment: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string>> {
  const service = await startService({ environment });
  const places = ['wsdl', 'disco', '', ...service.contract.operations.map(({ name }) => `op=${name}`)];
  const urls = [...places.map((query) => `${service.endpoint}?${query}`), `${service.baseUrl}/openapi.json`];
  const texts = urls.map(async (url) => {
    const text = await (await fetch(url)).text();
    return [url.slice(service.baseUrl.length), text.replaceAll(service.baseUrl, '').replace(/\s+/g, ' ')] as const;
  });
  const served = new Map(await Promise.all(texts));
  await service.close();
  return served;
}

/** What is served under a value of a setting that is not the default, and what was served by default. */
const STATED: Readonly<
  Record<string, readonly [value: string, here: readonly string[], byDefault: readonly string[]]>
> = {
  APPOINTMENT_TYPES: [
    '-1=Cancel,20=Reschedule',
    [
      'Move: -1 Cancel, 20 Reschedule.',
      '<option value="-1">-1 Cancel</option>',
      'type=20&',
      '&lt;type&gt;20&lt;',
      '"type":20',
    ],
    ['1 Reschedule', '6 Cancel,', '<option value="6">6 Cancel', 'type=1&', '&lt;type&gt;1&lt;', '"type":1,'],
  ],
  CONFIRM_BOOKINGS: ['false', ['&lt;StatusText&gt;Pending&lt;', '"StatusText":"Pending"'], []],
  FORM_DATE_ORDER: ['dmy', ['DD/MM/YYYY'], []],
  HTTP_FORMS: [
    'none',
    ['over SOAP 1.1 and SOAP 1.2.', '"paths":{}'],
    ['HttpGet', 'HttpPost', 'HTTP GET', 'http:binding'],
  ],
  NAMESPACE: ['urn:his', ['urn:his'], ['tempuri']],
  PUBLIC_URL: ['https://his.example.org/his', ['https://his.example.org/his/TPWebServices.asmx'], []],
  REFUSALS: ['result', ['gets a result with its ResultCode'], ['gets a fault', 'Refused, and nothing was changed']],
  RESULTS: ['none', ['Done; the answer is empty.'], []],
  SHOW_CONTACT_NUMBERS: ['true', ['Phone number of the patient.'], ['masked', '*******']],
};

/** Settings on which nothing that is served depends; a sentence that is true under all their values may mention them. */
const NOT_STATED =
  /^(ALLOWED_HOSTS|APPOINTMENT_RETENTION|AUDIT_|CLIENTS_FILE|CORS_|DATABASE_|DEMO_DATA|FEEDBACK_|HOST$|LOG_LEVEL|MAX_|OPERATIONS_|OUTBOX_|PHONE_REGION|PORT$|PROTECT_|PROXY_|RATE_|SHARED_PORT|SMS_|STOP_|TIME_ZONE|TLS_|TRUSTED_)/;

describe('What the service says about itself', () => {
  it('knows of each setting whether it depends on it', () => {
    const names = SETTING_GROUPS.flatMap(({ settings }) => settings.map(({ name }) => name));
    expect(names.filter((name) => !NOT_STATED.test(name)).sort()).to.deep.equal(Object.keys(STATED));
  });

  it('is written in our WSDL with the defaults, each statement as the code looks for it', () => {
    for (const statement of statements(STATED_DEFAULTS)) expect(ownWsdl()).to.include(statement);
  });

  it('names the first doctor of the database', async () => {
    const service = await startService({});
    for (const id of [8, 7]) await addDoctor(service.store, { id, active: id === 7 ? 0 : 1 });
    for (const [place, text] of [
      ['?op=Fetch_Details', 'value="8"'],
      ['?op=Fetch_Details', '&lt;DoctorID&gt;8&lt;'],
      ['/../openapi.json', '"DoctorID":8,'],
    ] as const) {
      expect(await (await fetch(service.endpoint + place)).text(), place).to.include(text);
    }
    await service.close();
  });

  for (const [name, [value, here, byDefault]] of Object.entries(STATED)) {
    it(`is what is true under ${name}=${value}`, async () => {
      const [normal, special] = [await servedBy({}), await servedBy({ [name]: value })];
      const [before, after] = [normal, special].map((served) => [...served.values()].join('\n')) as [string, string];
      for (const text of here) {
        expect(after).to.include(text);
        if (name !== 'SHOW_CONTACT_NUMBERS') expect(before).to.not.include(text);
      }
      for (const text of byDefault) {
        expect(before).to.include(text);
        for (const [place, served] of special) expect(served, place).to.not.include(text);
      }
    });
  }
});
