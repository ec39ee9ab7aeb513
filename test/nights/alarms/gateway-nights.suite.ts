import { expect } from 'chai';
import { listenOperating } from '../../../src/doctor/operating-pages.ts';
import { cleanUpLater } from '../../support/clean-up.ts';
import { callOver } from '../../support/http/four-transports.ts';
import { perTest } from '../../support/prepared.ts';
import { startService, TEST_NOW } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { metricValues } from '../../unit/doctor/metric-values.ts';
import { gatewayAt } from '../../unit/messages/example-gateways.ts';
import { type HttpProvider, startHttpProvider } from '../../unit/messages/http-provider.ts';
import { ManualTime } from '../../unit/messages/manual-time.ts';
import { outboxRows } from '../../unit/messages/outbox-file.ts';
import { type SmppServerProcess, startSmppServer } from '../../unit/messages/smpp-server-process.ts';
import { alarmTest, runAlarmTests } from './promtool.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MESSAGES = 12;
const SECRET = 'callback-secret-0001';
const ACCEPTED = { status: 202, body: '0: Accepted for delivery' };
const [QUEUED, SENDING, SUBMITTED, FAILED, REJECTED, DEAD] = [1, 2, 3, 5, 7, 8];

/** Both kinds of gateway, of which a way uses one. */
interface Ends {
  readonly provider: HttpProvider;
  readonly center: SmppServerProcess;
}

/** A way in which a gateway fails, and what must come of it. */
interface Way {
  readonly over: 'http' | 'smpp';
  readonly fail: (ends: Ends) => unknown;
  readonly mend: (ends: Ends) => unknown;
  /** Hours before it is mended. */
  readonly hours: number;
  /** The most submissions of one message until then, and of all: a gateway that accepts nothing is probed once a minute at most. */
  readonly mostOfOne: number;
  readonly mostOfAll: number;
  /** How many messages have which status before it is mended, and four hours afterwards. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly afterwards: Readonly<Record<number, number>>;
  /** What fires after how many minutes. */
  readonly alarm: readonly [name: string, minutes: number];
  /** The line of /status that names the cause. */
  readonly line: RegExp;
}

const accept = ({ provider }: Ends) => {
  provider.answer = ACCEPTED;
};
const obey = ({ center }: Ends) => center.behave({ status: 0 });
/** Five messages before it is known that all fail, and those that are under way then. */
const FIRST = MESSAGES;
const PROBED = { hours: 11, mostOfOne: 60 * 11, mostOfAll: FIRST + 60 * 11 };
const [WAITING, SENT] = [{ [QUEUED]: MESSAGES }, { [SUBMITTED]: MESSAGES }];
const NOTHING = ['TPWebServicesGatewayAcceptsNothing', 15] as const;

const SILENT: Pick<Way, 'over' | 'fail' | 'mend'> = {
  over: 'http',
  fail: ({ provider }) => {
    provider.answer = 'drop';
  },
  mend: accept,
};

const WAYS: Readonly<Record<string, Way>> = {
  'is away': {
    over: 'http',
    fail: ({ provider }) => provider.stopListening(),
    mend: async (ends) => {
      await ends.provider.listenAgain();
      accept(ends);
    },
    ...PROBED,
    statuses: WAITING,
    afterwards: SENT,
    alarm: NOTHING,
    line: / gateway warning .* messages? tried without success: ECONNREFUSED/,
  },
  'reads what it is sent, and does not answer': {
    ...SILENT,
    hours: 11,
    mostOfOne: 7,
    mostOfAll: 7 * MESSAGES,
    statuses: { [SENDING]: MESSAGES },
    afterwards: SENT,
    alarm: NOTHING,
    line: / gateway warning .* messages? tried without success: ECONNRESET/,
  },
  'does so until all attempts are used up': {
    ...SILENT,
    hours: 18,
    mostOfOne: 8,
    mostOfAll: 8 * MESSAGES,
    statuses: { [DEAD]: MESSAGES },
    afterwards: { [DEAD]: MESSAGES },
    alarm: ['TPWebServicesMessagesDead', 17 * 60],
    line: / outbox warning .*12 messages Dead; tpws outbox list --status Dead says why/,
  },
  'answers with a page that nobody understands': {
    over: 'http',
    fail: ({ provider }) => {
      provider.answer = { status: 200, body: '<!doctype html><title>Log in</title>' };
    },
    mend: accept,
    hours: 11,
    mostOfOne: 2,
    mostOfAll: 2 * MESSAGES,
    statuses: { [DEAD]: MESSAGES },
    afterwards: { [DEAD]: MESSAGES },
    alarm: ['TPWebServicesMessagesFail', 30],
    line: / deliveries warning .*12 Dead not-understood:html/,
  },
  'refuses the account or its sender': {
    over: 'smpp',
    fail: ({ center }) => center.behave({ status: 0x0a }),
    mend: obey,
    ...PROBED,
    statuses: WAITING,
    afterwards: SENT,
    alarm: NOTHING,
    line: / gateway warning .* messages? tried without success: ESME_RINVSRCADR/,
  },
  'refuses each message for the same reason': {
    over: 'http',
    fail: ({ provider }) => {
      provider.answer = { status: 400, body: 'Sender missing and no global set, rejected' };
    },
    mend: accept,
    ...PROBED,
    statuses: { [QUEUED]: MESSAGES - 2, [REJECTED]: 2 },
    afterwards: { [SUBMITTED]: MESSAGES - 2, [REJECTED]: 2 },
    alarm: NOTHING,
    line: / gateway warning .* messages? tried without success: http-400/,
  },
  'is overloaded': {
    over: 'smpp',
    fail: ({ center }) => center.behave({ status: 0x58 }),
    mend: obey,
    ...PROBED,
    statuses: WAITING,
    afterwards: SENT,
    alarm: NOTHING,
    line: / gateway warning .* messages? tried without success: ESME_RTHROTTLED/,
  },
  'accepts everything, and reports afterwards that it failed': {
    over: 'smpp',
    fail: ({ center }) => center.behave({ receipts: { stat: 'UNDELIV', err: '628', form: 'text' } }),
    mend: ({ center }) => center.behave({ receipts: null }),
    hours: 11,
    mostOfOne: 1,
    mostOfAll: MESSAGES,
    statuses: { [FAILED]: MESSAGES },
    afterwards: { [FAILED]: MESSAGES },
    alarm: ['TPWebServicesMessagesFail', 30],
    line: / deliveries warning .*12 Failed UNDELIV:628/,
  },
};

describe('A night in which the gateway', function () {
  this.timeout(300_000);
  const folder = perTest(temporaryFolder);
  const provider = perTest(() => startHttpProvider(ACCEPTED));
  const center = perTest(() => startSmppServer());

  for (const [what, way] of Object.entries(WAYS)) {
    it(`${what}: each message is sent no more often than the documents say, an alarm fires, and /status says why`, async () => {
      const time = new ManualTime(TEST_NOW);
      const database = `${folder.path}/night.db`;
      const service = await startService({
        time,
        environment: {
          DATABASE_URL: `sqlite:${database}`,
          DATABASE_CREATE: 'true',
          SMS_GATEWAY:
            way.over === 'http' ? `http:${gatewayAt(folder.path, provider.url)}` : `smpp://127.0.0.1:${center.port}`,
          SMS_USERNAME: 'hospital',
          SMS_SENDER: 'HOSPTL',
          SMS_CALLBACK_SECRET: SECRET,
        },
      });
      const operating = await listenOperating(service.operatingPages, { host: '127.0.0.1', port: 0 }, []);
      cleanUpLater(() => operating.close());
      const ends = { provider, center };
      /** Until nothing is being sent: the other end needs real time. */
      const settle = async () => {
        do await time.settle();
        while (outboxRows(database).some(({ leased_by }) => leased_by !== null));
      };
      const statuses = () =>
        Object.fromEntries(
          Map.groupBy(outboxRows(database), ({ status }) => status)
            .entries()
            .map(([status, rows]) => [status, rows.length]),
        );
      /** The service's metrics, minute by minute, as Prometheus gets them. */
      const series: Record<string, string> = {};
      const note = async (minute: number) => {
        for (const [name, value] of metricValues(await service.metrics.registry.metrics())) {
          const [, metric, labels = ''] = /^(tpws_(?:messages|oldest|gateway)\w*)(?:\{(.*)\})?$/.exec(name) ?? [];
          if (metric === undefined) continue;
          const key = `${metric}{${['job="tpwebservices",instance="a"', ...labels.split(',')].filter(Boolean)}}`;
          series[key] = `${series[key] ?? (minute === 0 ? '' : `_x${minute - 1}`)} ${value}`;
        }
      };
      const pass = async (minutes: number, each: (minute: number) => unknown = () => {}) => {
        for (let minute = 0; minute < minutes; minute++) {
          await each(minute);
          await time.sleep(MINUTE);
          await settle();
        }
      };
      const [alarm, minutes] = way.alarm;

      service.outbox?.start(service.baseUrl);
      cleanUpLater(async () => {
        const stopped = service.outbox?.stop();
        await time.pass(MINUTE);
        await stopped;
      });
      await way.fail(ends);
      await pass(1);
      for (let n = 0; n < MESSAGES; n++) {
        const values = { Mobileno: String(9_845_012_300 + n), Message: `Message ${n}`, tempid: 0, SMSmode: 1 };
        expect(await callOver('httpPost', service.endpoint, 'Sent_SMS', values)).to.include({ status: 200 });
      }
      await pass(minutes, note);
      const page = await (await fetch(`http://127.0.0.1:${operating.port}/status`)).text();
      expect(page.replaceAll(/(?:<[^>]*>|\s)+/g, ' ')).to.match(way.line);
      await pass((way.hours * HOUR) / MINUTE - minutes);
      expect(statuses()).to.deep.equal(way.statuses);
      const sent =
        way.over === 'http'
          ? provider.seen.map(({ headers }) => headers['x-kannel-to'])
          : (await center.submits()).map(({ to }) => to);
      const ofOne = Map.groupBy(sent, (to) => to).values();
      expect(Math.max(0, ...ofOne.map(({ length }) => length))).to.be.at.most(way.mostOfOne);
      const { submits } = await center.counts();
      expect(provider.seen.length + submits).to.be.at.most(way.mostOfAll);
      await way.mend(ends);
      await pass((4 * HOUR) / MINUTE);
      expect(statuses()).to.deep.equal(way.afterwards);
      const { status, said } = runAlarmTests(folder.path, [alarmTest(alarm, `${minutes}m`, series, true)]);
      expect(status, said).to.equal(0);
    });
  }
});
