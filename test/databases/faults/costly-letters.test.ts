import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { deliveryReceipt } from '../../../src/messages/gateways/delivery-receipt.ts';
import { chooseHttpGateway } from '../../../src/messages/gateways/http-gateway.ts';
import { Problems } from '../../../src/reference/problem.ts';
import { readTable } from '../../../src/reference/read-table.ts';
import { decodeLeniently } from '../../../src/vocabulary/decode-text.ts';
import { RawConnection } from '../../support/http/raw-connection.ts';
import { type MeasuredService, startMeasuredService } from '../../support/process/measured-service.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';
import {
  bodyOf,
  CONTENT_TYPES,
  encodeForm,
  envelope,
  type Headers,
  operationElement,
  PATH,
  request,
} from './requests.ts';

/** What costs most of each encoding, and a letter that costs nothing, all in bytes as they are sent. */
const PLAIN = 'a';
const IN_FORMS: readonly (readonly [letters: string, charset?: string])[] = [
  ['%e9'],
  ['%E2%82%AC'],
  ['%u20ac'],
  ['+'],
  ['%'],
  ['\xe9'],
  ['\xa4%u0041'],
  ['\xa4%u0041', 'windows-1251'],
  ['\xa4%u0041', 'utf-16le'],
  ['\xa4%u0041', 'gb18030'],
  ['%81%30%81%30', 'gb18030'],
  ['%82%a0', 'shift_jis'],
  ['%1b$B0!%1b(B', 'iso-2022-jp'],
  ['\xa4%u0041', 'iso-2022-jp'],
];
const IN_XML: readonly (readonly [letters: string, charset?: string])[] = [
  ['\xe9'],
  ['\xe2\x82\xac'],
  ['&#8364;'],
  ['&amp;'],
  ['\r\n'],
  ['<![CDATA[a]]>'],
  ['<!---->'],
  ['\x810\x810', 'gb18030'],
  ['\x82\xa0', 'shift_jis'],
  ['\x1b$B0!\x1b(B', 'iso-2022-jp'],
];
/** What means something to the readers of some values. */
const IN_VALUES = [' ', '%D9%A3'];

const LENGTHS = { httpGet: 5_000, httpPost: 25_000, soap11: 25_000, soap12: 25_000 } as const;
type Transport = keyof typeof LENGTHS;
const TRANSPORTS = Object.keys(LENGTHS) as Transport[];

const filled = (letters: string, length: number): string => letters.repeat(Math.ceil(length / letters.length));

/** A call with bytes, each a character, as the value of a parameter. */
function callWith(transport: Transport, operation: string, name: string, value: string, charset = 'utf-8'): Buffer {
  const values = bodyOf(operation);
  if (transport === 'soap11' || transport === 'soap12') {
    const version = transport === 'soap11' ? '1.1' : '1.2';
    const xml = envelope(version, operationElement(operation, { ...values, [name]: 'VALUE' })).replace(
      'VALUE',
      () => value,
    );
    const type = CONTENT_TYPES[version].replace('utf-8', charset);
    return request('POST', PATH, [['Content-Type', type]], Buffer.from(xml, 'latin1'));
  }
  const form = encodeForm({ ...values, [name]: 'VALUE' }).replace('VALUE', () => value);
  if (transport === 'httpGet') return request('GET', `${PATH}/${operation}?${form.replaceAll(' ', '+')}`, []);
  const type = `application/x-www-form-urlencoded; charset=${charset}`;
  return request('POST', `${PATH}/${operation}`, [['Content-Type', type]], Buffer.from(form, 'latin1'));
}

/** A form of so many bytes whose letters have to be decoded: what a byte may cost is measured by it. */
const decodedForm = (length: number): Buffer => callWith('httpPost', 'Sent_SMS', 'Message', filled('%e9', length));

/** Less than any request takes. */
const LEAST_COST_MS = 0.1;
const ROUNDS = 2;
const AT_ONCE = 2;

/** What one costs, in any unit: the least of several rounds. */
type Cost<T> = (one: T) => Promise<number>;

/** Compares the cost of an input with that of twice the length, and this with its measure. Measures again what seems too much. */
async function compare<T>(
  cost: Cost<T>,
  of: (length: 1 | 2, isMeasure: boolean) => T,
  most = 3,
): Promise<string | undefined> {
  const best = new Map<string, number>();
  const least = async (length: 1 | 2, isMeasure: boolean): Promise<number> => {
    const key = `${length} ${isMeasure}`;
    best.set(key, Math.min(best.get(key) ?? Number.POSITIVE_INFINITY, await cost(of(length, isMeasure))));
    return best.get(key) as number;
  };
  let found: string | undefined;
  for (let tries = 0; tries < 12; tries++) {
    const [single, double, measure] = [await least(1, false), await least(2, false), await least(2, true)];
    found = !(double <= 3 * single) ? `${double / single} times for twice the length` : undefined;
    if (!(double <= most * measure)) found = `${double / measure} times its measure`;
    if (found === undefined) return undefined;
  }
  return found;
}

describe('A byte costs the same, whatever it is', () => {
  let service: MeasuredService;
  before(async () => {
    service = await startMeasuredService({ LOG_LEVEL: 'silent' });
  });
  after(async () => {
    expect(await service.stop()).to.equal(0);
  });

  /** Once the service rests: the kernel accounts for a thread only when it leaves its processor. */
  async function restedTime(): Promise<number> {
    for (let time = service.mainThreadTime(); ; ) {
      await setTimeout(5);
      const now = service.mainThreadTime();
      if (now === time) return now;
      time = now;
    }
  }

  const answered: Cost<Buffer> = async (bytes) => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) {
      const began = await restedTime();
      for (let n = 0; n < AT_ONCE; n++) {
        const connection = new RawConnection(service.port);
        void connection.send(bytes);
        expect((await connection.answer(8000))?.status).to.be.within(200, 500);
        connection.destroy();
      }
      const cost = (await restedTime()) - began;
      // A thread that was interrupted looks as if it rested.
      if (cost > LEAST_COST_MS * AT_ONCE) best = Math.min(best, cost);
    }
    return best;
  };

  for (const transport of TRANSPORTS) {
    it(`in the encodings of ${transport}`, async () => {
      const wrong: unknown[] = [];
      const isForm = transport.startsWith('http');
      for (const [letters, charset] of isForm ? IN_FORMS : IN_XML) {
        if (transport === 'httpGet' && charset !== undefined) continue;
        const of = (times: 1 | 2, isMeasure: boolean) => {
          const length = times * LENGTHS[transport];
          if (isMeasure) return decodedForm(length);
          return callWith(transport, 'Sent_SMS', 'Message', filled(letters, length), charset);
        };
        // Each character reference is a number to read: 0.2 µs, whatever its seven bytes say.
        const found = await compare(answered, of, letters.startsWith('&#') ? 6 : 3);
        if (found !== undefined) wrong.push([letters, charset, found]);
      }
      expect(wrong).to.deep.equal([]);
    });

    it(`in each parameter over ${transport}`, async () => {
      const wrong: unknown[] = [];
      for (const { name: operation, parameters } of ownContract.operations) {
        for (const { name } of parameters) {
          for (const letters of IN_VALUES) {
            const escaped = transport.startsWith('http')
              ? letters.replaceAll(' ', '+')
              : Buffer.from(decodeURIComponent(letters)).toString('latin1');
            const of = (times: 1 | 2, isMeasure: boolean) => {
              const length = times * LENGTHS[transport];
              return isMeasure ? decodedForm(length) : callWith(transport, operation, name, filled(escaped, length));
            };
            const found = await compare(answered, of);
            if (found !== undefined) wrong.push([operation, name, letters, found]);
          }
        }
      }
      expect(wrong).to.deep.equal([]);
    });
  }

  it('in a text that is sent or stored', async () => {
    for (const [operation, name, length] of [
      ['Sent_SMS', 'Message', 3500],
      ['FB_Push_Details', 'needsimprovementcommit', 2000],
    ] as const) {
      for (const letters of ['\xe2\x82\xac', '\xe0\xa4\x85', '\xc3\xa9']) {
        const of = (times: 1 | 2, isMeasure: boolean) =>
          isMeasure ? decodedForm(25_000 * times) : callWith('soap11', operation, name, letters.repeat(times * length));
        expect(await compare(answered, of), `${operation} ${letters}`).to.equal(undefined);
      }
    }
  });

  it('in each header that is read', async () => {
    const wrong: unknown[] = [];
    const names = [
      'Accept',
      'Content-Type',
      'SOAPAction',
      'Authorization',
      'X-API-Key',
      'Idempotency-Key',
      'X-Correlation-ID',
      'Origin',
      'Referer',
      'User-Agent',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'Accept-Language',
      'Sec-Fetch-Site',
    ];
    const body = Buffer.from(envelope('1.1', operationElement('GetDoctor', bodyOf('GetDoctor'))));
    for (const name of names) {
      for (const letters of [',', 'a/a;a="\\"";', '\xe9']) {
        const of = (length: 1 | 2, isMeasure: boolean) => {
          const headers: Headers = [[name, `a${filled(isMeasure ? PLAIN : letters, length * 6000)}a`]];
          return request(
            'POST',
            PATH,
            name === 'Content-Type' ? headers : [['Content-Type', 'text/xml'], ...headers],
            body,
          );
        };
        const found = await compare(answered, of);
        if (found !== undefined) wrong.push([name, letters, found]);
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  /** CPU of this process. */
  const here: Cost<() => unknown> = async (run) => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) {
      const began = process.cpuUsage();
      for (let n = 0; n < AT_ONCE; n++) await run();
      const { user, system } = process.cpuUsage(began);
      best = Math.min(best, user + system);
    }
    return best;
  };

  const SETTINGS = { username: 'u', password: 'p', sender: undefined, callbackSecret: 'callback-secret-0001' };
  const { readStatusCallback } = chooseHttpGateway('kannel', SETTINGS);
  const readCallback = (body: string) => () =>
    readStatusCallback?.('', decodeLeniently(Buffer.from(body, 'latin1'), 'application/json'));
  const CALLBACKS = [
    '[1,',
    '["",',
    '["[",',
    '{"a":',
    '[',
    '"',
    '&a=1',
    '%e9',
    '%',
    '\xe9',
    '\xe2\x82\xac',
    '1',
    '\x01',
    '[[1,2],',
  ];

  it('in a call-back, of which 64 KB take at most 10 ms', async () => {
    const wrong: unknown[] = [];
    for (const letters of CALLBACKS) {
      const [single, double] = [
        await here(readCallback(filled(letters, 32_000))),
        await here(readCallback(filled(letters, 64_000))),
      ];
      if (double > 10_000 * AT_ONCE || double > 3 * single + 3000) wrong.push([letters, single, double]);
    }
    expect(wrong).to.deep.equal([]);
  });

  it('in the receipt of an SMS center', async () => {
    const wrong: unknown[] = [];
    const header = { command: 'deliver_sm', command_id: 5, command_status: 0, sequence_number: 1, esm_class: 4 };
    const read = (letters: string, length: number) => {
      const payload = { message_payload: Buffer.from(filled(letters, length), 'latin1') };
      return () => deliveryReceipt({ ...header, ...payload, response: () => undefined as never }, () => {});
    };
    for (const letters of ['id:', 'id: ', 'id:a ', 'stat:', 'err:1 ', ' ', '1', '\xe9', '\0', 'text']) {
      const found = await compare(here, (times, isMeasure) => read(isMeasure ? 'id ' : letters, times * 30_000));
      if (found !== undefined) wrong.push([letters, found]);
    }
    expect(wrong).to.deep.equal([]);
  });

  it('in an imported cell', async () => {
    const wrong: unknown[] = [];
    const read = (cell: string) => async () => {
      async function* chunks() {
        yield Buffer.concat([Buffer.from('centerid,CenterName\n1,'), Buffer.from(cell, 'latin1'), Buffer.from('\n')]);
      }
      try {
        const { rows } = await readTable(chunks(), 'centers.csv', new Problems(), { now: 0, warnings: new Problems() });
        await Array.fromAsync(rows);
      } catch {}
    };
    for (const letters of ['\xe9', '\xe2\x82\xac', '""', ' ', "'", '=', '\xc3\xa9', '\xc3\x83\xc2\xa9', '\x00', '1.']) {
      const found = await compare(here, (length, isMeasure) =>
        read(filled(isMeasure ? PLAIN : letters, length * 200_000)),
      );
      if (found !== undefined) wrong.push([letters, found]);
    }
    expect(wrong).to.deep.equal([]);
  });
});
