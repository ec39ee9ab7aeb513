import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { type ResultRecord, TRANSPORTS } from '../../../../src/contract/contract.ts';
import { openApiDocument } from '../../../../src/transports/pages/openapi.ts';
import { type RunningService, startService } from '../../../support/process/start-service.ts';
import { ownContract } from '../../../wire/contract/own-wsdl.ts';
import { SMALL_CONTRACT } from '../../../wire/contract/small-contract.ts';

const JSON_ONLY = { Accept: 'application/json' };
const OFFERED = {
  refusals: 'fault',
  results: 'record',
  transports: TRANSPORTS,
  formDateOrder: undefined,
  secured: false,
} as const;

interface ServedDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<'get' | 'post', ServedOperation>>>>;
  readonly components: Readonly<Record<'schemas', Readonly<Record<string, object>>>>;
}
interface ServedOperation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: object;
    readonly example: unknown;
  }[];
  readonly description: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: FormSchema }>> };
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, Content>> }>>;
}

interface FormSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}
interface Content {
  readonly schema: object;
  readonly example: Readonly<Record<string, unknown>>;
}

/** Validators by component name; a field that the schema does not describe is an error. */
function validators(document: ServedDocument): (name: string) => ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: true, keywords: ['components', 'x-enum-varnames'] });
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [
      name,
      { ...schema, additionalProperties: false },
    ]),
  );
  ajv.addSchema({ $id: 'openapi', components: { schemas } });
  return (name) => {
    const validate = ajv.getSchema(`openapi#/components/schemas/${name}`);
    if (validate === undefined) throw new Error(name);
    return validate;
  };
}

describe('The OpenAPI document', () => {
  let service: RunningService;
  let document: ServedDocument;
  before(async () => {
    service = await startService();
    document = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as ServedDocument;
  });

  const call = (operation: string, values: Readonly<Record<string, string>>, init: RequestInit = {}) =>
    fetch(`${service.endpoint}/${operation}`, {
      method: 'POST',
      body: new URLSearchParams(values),
      ...init,
      headers: { ...JSON_ONLY, ...init.headers },
    });

  const examplesOf = (name: string): Record<string, string> =>
    Object.fromEntries(
      ownContract.operations.find((known) => known.name === name)?.parameters.map((p) => [p.name, p.example]) ?? [],
    );

  it('is valid OpenAPI 3.1, also if refusals are results, successes are empty or callers must log in', async () => {
    for (const refusals of ['fault', 'result'] as const) {
      const results = refusals === 'fault' ? ('none' as const) : ('record' as const);
      const validator = new Validator();
      const offered = { ...OFFERED, refusals, results, secured: refusals === 'fault' };
      for (const contract of [ownContract, SMALL_CONTRACT]) {
        const text = JSON.stringify(openApiDocument(contract, service.baseUrl, offered));
        const { valid, errors } = await validator.validate(JSON.parse(text));
        expect(errors ?? []).to.deep.equal([]);
        expect(valid).to.equal(true);
        expect(validator.version).to.equal('3.1');
      }
    }
  });

  it('has every operation with every parameter in both forms, and no dangling references', () => {
    expect(Object.keys(document.paths)).to.deep.equal(
      ownContract.operations.map(({ name }) => `${ownContract.path}/${name}`),
    );
    for (const { name, parameters } of ownContract.operations) {
      const path = document.paths[`${ownContract.path}/${name}`];
      const names = parameters.map((parameter) => parameter.name);
      const own = path?.get.parameters?.filter((parameter) => parameter.in === 'query');
      expect(own?.map((parameter) => parameter.name)).to.deep.equal(names);
      const { properties = {} } = path?.post.requestBody?.content['application/x-www-form-urlencoded']?.schema ?? {};
      expect(Object.keys(properties)).to.deep.equal(names);
    }
    for (const [, path = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = path.split('/').reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], document);
      expect(found, path).to.be.an('object');
    }
  });

  it('has no body for an operation without parameters, and requires none that a form may omit', () => {
    const { paths } = JSON.parse(
      JSON.stringify(openApiDocument(SMALL_CONTRACT, 'http://a', OFFERED)),
    ) as ServedDocument;
    expect(paths['/Small.asmx/Ping']?.post).to.not.have.property('requestBody');
    const { get, post } = paths['/Small.asmx/Book'] ?? expect.fail();
    expect(post.requestBody?.content['application/x-www-form-urlencoded']?.schema)
      .to.have.property('required')
      .that.deep.equals(['DoctorID', 'app_date', 'Name']);
    expect(get.parameters?.find(({ name }) => name === 'area')).to.have.property('required', false);
  });

  it('has an example for every call and answer, which a strict validator with no formats allows', () => {
    const ajv = new Ajv2020({ strict: true, keywords: ['components', 'x-enum-varnames'] });
    ajv.addSchema({ $id: 'openapi', components: document.components });
    const check = (schema: object, example: unknown) => {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
      expect(ajv.validate(JSON.parse(text), example), `${JSON.stringify(example)}: ${ajv.errorsText()}`).to.equal(true);
    };
    for (const { get, post } of Object.values(document.paths)) {
      for (const { schema, example } of get.parameters ?? []) check(schema, example);
      const { schema } = post.requestBody?.content['application/x-www-form-urlencoded'] ?? expect.fail();
      check(schema, schema.examples[0]);
      for (const { content } of Object.values(post.responses)) {
        for (const answer of Object.values(content)) check(answer.schema, answer.example);
      }
    }
  });

  it('shows a refusal with a code that the operation answers with that status, and allows no other', () => {
    const { responses } = document.paths['/TPWebServices.asmx/Fetch_Details']?.post ?? expect.fail();
    const conflict = responses['409']?.content['application/json'];
    expect(conflict?.example).to.include({ ResultCode: 13 });
    const [, codes = ''] = /"enum":\[([\d,]+)\]/.exec(JSON.stringify(conflict?.schema)) ?? [];
    expect(codes.split(',')).to.include.members(['13', '14', '17']);
    expect(codes).not.to.match(/\b(?:0|10|15|20|21)\b/);
  });

  it('has no example that changes a record or reaches a phone when a tool sends it', () => {
    const [changed, stored, sent] = ['Appointment_Status_Updates', 'FB_Push_Details', 'Sent_SMS'].map(
      (name) =>
        document.paths[`${ownContract.path}/${name}`]?.post.requestBody?.content['application/x-www-form-urlencoded']
          ?.schema.examples[0],
    );
    expect([changed?.AppointmentID, stored?.ipno, sent?.Mobileno]).to.deep.equal([0, '', '']);
  });

  it('describes what only operations with changes have: refusals of cross-site calls, the Idempotency-Key', () => {
    for (const { name, safe } of ownContract.operations) {
      const post = document.paths[`${ownContract.path}/${name}`]?.post;
      if (post === undefined) throw new Error(name);
      const { responses, description } = post;
      expect(JSON.stringify(responses['403']).includes('CrossSite'), name).to.equal(!safe);
      expect(responses, name).to.include.keys('401', '403', '429');
      expect(description.includes('Idempotency-Key'), name).to.equal(!safe);
      expect('application/problem+json' in (responses['422']?.content ?? {}), name).to.equal(!safe);
    }
  });

  it('describes the JSON answers of all operations', async () => {
    const validatorOf = validators(document);
    const tell = async (
      name: string,
      values: Readonly<Record<string, string>>,
      status = 200,
    ): Promise<ResultRecord> => {
      const response = await call(name, values);
      const body = (await response.json()) as ResultRecord;
      expect(response.status, JSON.stringify(body)).to.equal(status);
      const { responses } = document.paths[`${ownContract.path}/${name}`]?.post ?? { responses: {} };
      expect(responses).to.have.property(String(status));
      const type = ownContract.operations.find((known) => known.name === name)?.resultType.name ?? '';
      const validate = validatorOf(status === 400 ? 'Problem' : type);
      expect(validate(body), `${name}: ${JSON.stringify(validate.errors)}`).to.equal(true);
      return body;
    };
    const { AppointmentID } = await tell('Fetch_Details', examplesOf('Fetch_Details'));
    const appointment = { AppointmentID: String(AppointmentID) };
    await tell('Appointment_Status', { ...examplesOf('Appointment_Status'), ...appointment });
    const day = await tell('OPAppointmentdetail', examplesOf('OPAppointmentdetail'));
    expect(day).to.have.property('TotalCount', 1);
    await tell('OPAppointmentdetail', { ...examplesOf('OPAppointmentdetail'), appdate: '2026-11-21' });
    await tell('Appointment_Status_Updates', { ...examplesOf('Appointment_Status_Updates'), ...appointment });
    await tell('GetDoctor', examplesOf('GetDoctor'));
    await tell('FB_Push_Details', examplesOf('FB_Push_Details'));
    await tell('Sent_SMS', examplesOf('Sent_SMS'));

    await tell('Appointment_Status', { AppointmentID: '999999', centerid: '1' }, 404);
    await tell('Fetch_Details', { ...examplesOf('Fetch_Details'), app_time: '03:00' }, 409);
    await tell('FB_Push_Details', { ...examplesOf('FB_Push_Details'), ipno: '' }, 422);
    for (const { name, parameters } of ownContract.operations) if (parameters.length > 0) await tell(name, {}, 400);
  });

  it('is for callers that want JSON: it describes no other answers, and says in one sentence how to get them', () => {
    const text = JSON.stringify(document);
    expect(text).to.include('Accept: application/json').and.not.include('"text/xml"').and.not.include('"text/plain"');
  });

  it('says that no log-in is needed, and names the values of enums', () => {
    const { security, components } = JSON.parse(
      JSON.stringify(openApiDocument(ownContract, 'http://a', OFFERED)),
    ) as Record<string, Record<string, Record<string, Record<string, Record<string, unknown>>>>>;
    expect(security).to.deep.equal([]);
    const properties = components?.schemas?.AppointmentState?.properties as Record<string, object>;
    expect(properties.Status).to.have.property('x-enum-varnames').that.includes('Cancelled');
    expect(properties.ResultCode).to.have.property('x-enum-varnames').that.includes('SlotTaken');
  });

  it('tells the two forms of an operation apart, and has 405', () => {
    for (const path of Object.values(document.paths)) {
      expect(path.get)
        .to.have.property('summary')
        .that.does.not.equal((path.post as { summary?: string }).summary);
      expect(path.get.responses).to.include.keys('405');
    }
  });

  it('describes the problem details of the other statuses', async () => {
    const problem = validators(document)('Problem');
    const answers: readonly (readonly [number, Response])[] = [
      [403, await call('Sent_SMS', examplesOf('Sent_SMS'), { headers: { Origin: 'https://elsewhere.example' } })],
      [413, await call('Sent_SMS', { Message: 'x'.repeat(70_000) })],
      [415, await call('Sent_SMS', {}, { body: '{}', headers: { 'Content-Type': 'application/json' } })],
    ];
    for (const [status, response] of answers) {
      expect(response.status).to.equal(status);
      expect(response.headers.get('content-type')).to.match(/^application\/problem\+json/);
      expect(problem(await response.json()), JSON.stringify(problem.errors)).to.equal(true);
      expect(document.paths[`${ownContract.path}/Sent_SMS`]?.post.responses).to.have.property(String(status));
    }
  });
});
