import type { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { isAbsent } from '../../../src/appointments/read-patient.ts';
import { firstValue, openFile } from '../../../src/store/sqlite/database-file.ts';
import { PATIENT_FIELDS } from '../../../src/vocabulary/stored-records.ts';
import { withLineFeeds } from '../../../src/vocabulary/text.ts';
import type { Answer } from '../../support/http/raw-connection.ts';
import { ILLEGAL, LEGAL } from '../../support/odd-values.ts';
import { allNamed, textAt } from '../../support/xml/parse-xml.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';
import { exchange, resultCodeOf, textOf, xmlOf } from './answers.ts';
import { type AttackedService, startAttackedService } from './attacked-service.ts';
import {
  bodyOf,
  bookableDay,
  encodeForm,
  envelope,
  FORM_TYPE,
  formRequest,
  operationElement,
  PATH,
  request,
  soapRequest,
  type Values,
} from './requests.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these must never come back
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/;
/** What XML 1.0, 2.2 Char, excludes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML leaves out
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const stringsOf = (operation: string) =>
  ownContract.operations
    .filter(({ name }) => name === operation)
    .flatMap(({ parameters }) => parameters.filter(({ type }) => type === 'string').map(({ name }) => name));

/** String parameters by operation. */
const STRINGS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ['Fetch_Details', 'FB_Push_Details', 'Sent_SMS'].map((operation) => [operation, stringsOf(operation)]),
);

/** The columns that hold the text as it was sent, or null: the others hold a key, a code or a number. */
const OPTIONAL_TEXTS = Object.values(PATIENT_FIELDS).filter(
  ({ csv, column }) => column === csv || ['age_text', 'registration_number'].includes(column),
);

/** Where a string is stored: table and column. */
const COLUMNS: Readonly<Record<string, readonly [table: string, column: string]>> = {
  Name: ['appointment', 'name'],
  ...Object.fromEntries(OPTIONAL_TEXTS.map(({ csv, column }) => [csv, ['appointment', column] as const])),
  ipno: ['feedback', 'inpatient_number'],
  roomno: ['feedback', 'room'],
  moblieno: ['feedback', 'mobile'],
  dept: ['feedback', 'department'],
  needsimprovementcommit: ['feedback', 'comment'],
  Message: ['message', 'text'],
};

describe('The service given strings with a special meaning', function () {
  this.timeout(60_000);
  let service: AttackedService;
  let database: DatabaseSync;
  let slots = 0;

  before(async () => {
    service = await startAttackedService();
    database = openFile(service.process.databaseFile, { readOnly: true });
  });

  after(async () => {
    database?.close();
    await service?.stop();
  });

  const row = (title: string, run: () => Promise<void>) => it(title, () => service.attack(title, run));
  const send = async (bytes: Buffer | string): Promise<Answer> => (await exchange(service.port, bytes)).answer;

  /** A slot of doctor 102 that no test has requested yet. */
  function freeSlot(): Values {
    const number = slots++;
    const day = bookableDay(1 + Math.floor(number / 96));
    const minute = (number % 96) * 15;
    const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;
    return { app_date: `${day}T00:00:00`, app_time: `${day}T${time}` };
  }

  const valuesOf = (operation: string, replaced: Values): Values =>
    bodyOf(operation, {
      ...(operation === 'Fetch_Details' ? { ...freeSlot(), RegistrationNumber: `S-${slots}` } : {}),
      ...(operation === 'FB_Push_Details' ? { ipno: `S-${slots++}` } : {}),
      ...(operation === 'Sent_SMS' ? { Mobileno: `98450${10_000 + slots++}` } : {}),
      ...replaced,
    });

  const TRANSPORTS: Readonly<Record<string, (operation: string, values: Values) => Buffer>> = {
    'SOAP 1.1': (operation, values) => soapRequest('1.1', envelope('1.1', operationElement(operation, values))),
    'SOAP 1.2': (operation, values) => soapRequest('1.2', envelope('1.2', operationElement(operation, values))),
    GET: (operation, values) => formRequest('GET', operation, values),
    POST: (operation, values) => formRequest('POST', operation, values),
  };

  /** The value in the database, from the row that was written last. */
  function lastStored(parameter: string): unknown {
    const [table, column] = COLUMNS[parameter] as readonly [string, string];
    return firstValue(database, `SELECT ${column} FROM ${table} ORDER BY id DESC LIMIT 1`);
  }

  /** What is stored of an accepted text: null if it means that there is nothing. */
  function keptOf(parameter: string, text: string): string | null {
    if (OPTIONAL_TEXTS.some(({ csv }) => csv === parameter)) return isAbsent(text) ? null : text;
    switch (parameter) {
      case 'Message':
        return withLineFeeds(text);
      default:
        return text;
    }
  }

  const countOf = (table: string) => firstValue<number>(database, `SELECT count(*) FROM ${table}`) ?? 0;
  const TABLES: Readonly<Record<string, string>> = {
    Fetch_Details: 'appointment',
    FB_Push_Details: 'feedback',
    Sent_SMS: 'message',
  };

  for (const [operation, parameters] of Object.entries(STRINGS)) {
    row(`stores or refuses each string of ${operation}, and changes none`, async () => {
      let kept = 0;
      for (const parameter of parameters) {
        for (const text of LEGAL) {
          for (const [transport, write] of Object.entries(TRANSPORTS)) {
            const where = `${parameter} ${JSON.stringify(text)} by ${transport}`;
            const before = countOf(TABLES[operation] as string);
            const answer = await send(write(operation, valuesOf(operation, { [parameter]: text })));
            expect(answer.status, where).to.be.oneOf([200, 400, 409, 422, 500]);
            const root = answer.headers.get('content-type')?.includes('xml') ? xmlOf(answer) : undefined;
            expect(textOf(answer), where).not.to.match(/Server<|Receiver<|Internal/);
            const code = resultCodeOf(answer);
            if (code !== 0) {
              expect(countOf(TABLES[operation] as string), where).to.equal(before);
              continue;
            }
            expect(root, where).not.to.equal(undefined);
            kept++;
            expect(countOf(TABLES[operation] as string), where).to.equal(before + 1);
            if (parameter in COLUMNS) expect(lastStored(parameter), where).to.equal(keptOf(parameter, text));
          }
        }
      }
      expect(kept, 'texts that were kept').to.be.greaterThan(LEGAL.length);
    });

    row(`refuses in each string of ${operation} what XML cannot contain`, async () => {
      const before = countOf(TABLES[operation] as string);
      for (const parameter of parameters) {
        for (const text of ILLEGAL) {
          const where = `${parameter} ${JSON.stringify(text)}`;
          for (const method of ['GET', 'POST'] as const) {
            const answer = await send(formRequest(method, operation, valuesOf(operation, { [parameter]: text })));
            expect(answer.status, `${where} by ${method}`).to.equal(400);
            expect(textOf(answer), where).not.to.match(INVISIBLE);
          }
          const xml = envelope('1.2', operationElement(operation, valuesOf(operation, { [parameter]: text })));
          expect((await send(soapRequest('1.2', xml))).status, `${where} raw`).to.equal(400);
          const referring = xml.replace(FORBIDDEN, (c) => `&#${c.charCodeAt(0)};`);
          expect((await send(soapRequest('1.2', referring))).status, `${where} as reference`).to.equal(400);
        }
      }
      expect(countOf(TABLES[operation] as string)).to.equal(before);
    });
  }

  row('refuses lone surrogates in every spelling', async () => {
    const before = countOf('appointment');
    const values = valuesOf('Fetch_Details', { Name: 'MARK' });
    const xml = envelope('1.1', operationElement('Fetch_Details', values));
    const split = (text: string, bytes: Buffer) => {
      const [head = '', tail = ''] = text.split('MARK');
      return Buffer.concat([Buffer.from(head), bytes, Buffer.from(tail)]);
    };
    for (const bytes of [
      [0xed, 0xa0, 0x80],
      [0xed, 0xb0, 0x80],
      [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
      [0xc0, 0x80],
    ]) {
      const buffer = Buffer.from(bytes);
      expect((await send(soapRequest('1.1', split(xml, buffer)))).status).to.equal(400);
      const form = encodeForm(values);
      const raw = await send(request('POST', `${PATH}/Fetch_Details`, [FORM_TYPE], split(form, buffer)));
      expect(raw.status).to.equal(400);
      const percent = form.replace('MARK', bytes.map((b) => `%${b.toString(16)}`).join(''));
      expect((await send(request('POST', `${PATH}/Fetch_Details`, [FORM_TYPE], percent))).status).to.equal(400);
      expect((await send(request('GET', `${PATH}/Fetch_Details?${percent}`, []))).status).to.equal(400);
    }
    for (const reference of ['&#xD800;', '&#xDFFF;', '&#55357;&#56832;', '&#x110000;', '&#xFFFF;']) {
      expect((await send(soapRequest('1.1', xml.replace('MARK', reference)))).status).to.equal(400);
    }
    const utf16 = Buffer.from(`\ufeff${xml.replace('MARK', '\ud800')}`, 'utf16le');
    const type = 'text/xml; charset=utf-16';
    expect((await send(request('POST', PATH, [['Content-Type', type]], utf16))).status).to.equal(400);
    expect(countOf('appointment')).to.equal(before);
  });

  row('lists names, areas and titles as booked', async () => {
    const day = bookableDay(30);
    const expected: string[] = [];
    const listed = LEGAL.filter((text) => Array.from(text).length <= 20);
    // `null`, and text without a letter, is not a patient's name.
    const nameOf = (text: string) => (isAbsent(text) || !/\p{L}/u.test(text) ? 'Ravi' : text);
    for (const [index, text] of listed.entries()) {
      const minute = index * 15;
      const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;
      const values = bodyOf('Fetch_Details', {
        DoctorID: '103',
        app_date: `${day}T00:00:00`,
        app_time: `${day}T${time}`,
        RegistrationNumber: `L-${index}`,
        Name: nameOf(text),
        area: text,
        title: text,
      });
      const answer = await send(soapRequest('1.1', envelope('1.1', operationElement('Fetch_Details', values))));
      expect(resultCodeOf(answer), text).to.equal(0);
      expected.push(text);
    }
    for (const write of Object.values(TRANSPORTS)) {
      const values = { doctorid: '103', appdate: `${day}T00:00:00`, centerid: '1' };
      const rows = allNamed(xmlOf(await send(write('OPAppointmentdetail', values))), 'Appointment');
      for (const field of ['Name', 'area', 'title']) {
        const wanted = expected.map((text) => (field === 'Name' ? nameOf(text) : isAbsent(text) ? undefined : text));
        expect(rows.map((appointment) => textAt(appointment, field))).to.deep.equal(wanted);
      }
    }
    const form = encodeForm({ doctorid: '103', appdate: day, centerid: '1' });
    const accept: [string, string] = ['Accept', 'application/json'];
    const json = await send(request('GET', `${PATH}/OPAppointmentdetail?${form}`, [accept]));
    const { Appointments } = JSON.parse(textOf(json)) as { Appointments: { Appointment: { Name: string }[] } };
    expect(Appointments.Appointment.map(({ Name }) => Name)).to.deep.equal(expected.map(nameOf));
  });

  row('runs no SQL from a caller', async () => {
    const before = countOf('doctor');
    for (const text of ['1; DROP TABLE doctor', "1' OR '1'='1", '1 OR 1=1', '1/**/UNION/**/SELECT/**/1', '1--']) {
      for (const write of Object.values(TRANSPORTS)) {
        const answer = await send(write('GetDoctor', { centerid: text }));
        expect(answer.status).to.be.oneOf([400, 500]);
        expect(textOf(answer)).to.include('is not an int');
      }
    }
    expect(countOf('doctor')).to.equal(before);
  });

  describe('afterwards', () => {
    it('has one log line per call, and no other', async () => {
      const marks = ['lines-1', 'lines\r\n{"level":60,"msg":"forged"}', 'lines\u2028x'];
      for (const text of marks)
        await send(formRequest('POST', 'FB_Push_Details', bodyOf('FB_Push_Details', { ipno: text })));
      await send(formRequest('GET', 'FB_Push_Details', bodyOf('FB_Push_Details', { ipno: '\u001b[2J' })));
      await new Promise((resolve) => setTimeout(resolve, 500));
      const lines = service.process.output().trimEnd().split('\n');
      const events = lines
        .slice(lines.findIndex((line) => line.startsWith('{')))
        .map((line) => JSON.parse(line) as { msg: string; operation?: string; correlationId?: string });
      const known = ['ready', 'call', 'call rejected', 'this process sends the messages', 'message submitted'];
      expect(events.filter(({ msg }) => !known.includes(msg))).to.deep.equal([]);
      const ids = events.map(({ correlationId }) => correlationId).filter((id) => id !== undefined);
      expect(new Set(ids).size, 'one line a correlation id').to.equal(ids.length);
      expect(lines.join('')).not.to.match(INVISIBLE);
      expect(lines.join('')).not.to.match(/[\u2028\u2029]|forged|OR 1=1|script|DROP/);
    });
  });
});
