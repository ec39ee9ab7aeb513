/** Values of a series, one per interval, in promtool's notation: `0+1x10` counts from 0 to 10. */
export type Series = Readonly<Record<string, string>>;

/** Series for which an alarm must fire, and similar ones for which it must not. */
export interface AlarmCase {
  /** The time of evaluation, in promtool's notation. */
  readonly at: string;
  /** Between the values: a minute unless given. */
  readonly interval?: string;
  readonly rings: readonly Series[];
  readonly isSilent: readonly Series[];
}

const JOB = 'job="tpwebservices",instance="a"';
const of = (metric: string, labels = '') => `${metric}{${JOB}${labels && `,${labels}`}}`;

const UP = of('up');
const OTHER_UP = 'up{job="tpwebservices",instance="b"}';
const READY = of('tpws_ready');
const calls = (outcome: string) =>
  of('tpws_calls_total', `operation="GetDoctor",transport="soap11",outcome="${outcome}"`);
const notFound = (operation: string) => of('tpws_refusals_total', `operation="${operation}",result_code="20"`);
const bucket = (le: string) => of('tpws_call_duration_seconds_bucket', `le="${le}"`);
const OLDEST_MESSAGE = of('tpws_oldest_queued_message_age_seconds');
const FAILING = of('tpws_gateway_failing_seconds');
const SENDING = of('tpws_messages', 'status="Sending"');
const DEAD = of('tpws_messages', 'status="Dead"');
const ended = (status: string, template: number) =>
  of('tpws_messages_ended', `status="${status}",template="${template}"`);
const LAG = of('nodejs_eventloop_lag_p99_seconds');
const DROPPED = of('tpws_log_lines_dropped');
const REFUSED = of('tpws_connections_refused');
const BACKUP = of('tpws_backup_age_seconds');
const finding = (subject: string, level: string) => of('tpws_findings', `subject="${subject}",level="${level}"`);

export const ALARM_CASES: Readonly<Record<string, AlarmCase>> = {
  TPWebServicesDown: {
    at: '10m',
    interval: '15s',
    rings: [
      { [UP]: '1x30 0x10' },
      // Killed every 45 s, and down for 15 s each time.
      { [UP]: `1x10 ${'1 1 1 0 '.repeat(8)}` },
      { 'up{job="another"}': '1x40' },
    ],
    isSilent: [{ [UP]: '1x40' }, { [UP]: '1x36 0 0 1x2' }],
  },
  TPWebServicesReplicaGone: {
    at: '90m',
    rings: [{ [UP]: '1x90', [OTHER_UP]: '1x60 stale _x30' }],
    isSilent: [
      { [UP]: '1x90', [OTHER_UP]: '1x90' },
      { [UP]: '1x90', [OTHER_UP]: '_x60 1x30' },
    ],
  },
  TPWebServicesNotReady: {
    at: '10m',
    interval: '15s',
    // The second flaps: 45 s of each minute it is not ready.
    rings: [{ [READY]: '1x30 0x10' }, { [READY]: `1x10 ${'0 0 0 1 '.repeat(8)}` }],
    isSilent: [{ [READY]: '1x40' }, { [READY]: '1x36 0 1x3' }],
  },
  TPWebServicesFails: {
    at: '10m',
    // The very first one: its counter was at 0 until then.
    rings: [{ [calls('Unavailable')]: '0x8 1x2' }, { [calls('Internal')]: '0x8 1x2' }],
    isSilent: [{ [calls('Internal')]: '7x10', [calls('ok')]: '0+9x10', [calls('InvalidValue')]: '0+9x10' }],
  },
  TPWebServicesSlow: {
    at: '15m',
    rings: [{ [bucket('0.25')]: '0+90x15', [bucket('0.5')]: '0+100x15', [bucket('+Inf')]: '0+100x15' }],
    isSilent: [{ [bucket('0.25')]: '0+100x15', [bucket('0.5')]: '0+100x15', [bucket('+Inf')]: '0+100x15' }],
  },
  TPWebServicesMessagesWait: {
    at: '15m',
    rings: [{ [OLDEST_MESSAGE]: '0+60x15' }],
    isSilent: [{ [OLDEST_MESSAGE]: '0 60 120 180 0 60 120 180 0x10' }, { [OLDEST_MESSAGE]: '_x15' }],
  },
  TPWebServicesGatewayAcceptsNothing: {
    at: '15m',
    // A night in which the gateway answers nothing: the messages count as being sent, so none is queued for long.
    rings: [{ [FAILING]: '0x5 0+60x10', [SENDING]: '0x4 3x11', [OLDEST_MESSAGE]: '0x15', [DEAD]: '0x15' }],
    isSilent: [
      { [FAILING]: '0 60 120 180 0x12', [SENDING]: '3x15' },
      // The last message was given up because of its content, and there is no other by which one could tell.
      { [FAILING]: '0+60x15', [SENDING]: '0x15' },
    ],
  },
  TPWebServicesMessagesDead: {
    at: '5m',
    rings: [{ [DEAD]: '0x3 1x3' }],
    isSilent: [{ [DEAD]: '0x6', [of('tpws_messages', 'status="Queued"')]: '9x6' }],
  },
  TPWebServicesMessagesFail: {
    at: '5m',
    rings: [
      // One template of several.
      { [ended('Failed', 7)]: '0x3 5x3', [ended('Submitted', 7)]: '3x6', [ended('Delivered', 1)]: '900x6' },
      { [ended('Rejected', 1)]: '3x6', [ended('Failed', 2)]: '3x6', [ended('Submitted', 0)]: '9x6' },
      { [ended('Dead', 0)]: '9x6' },
    ],
    isSilent: [
      { [ended('Failed', 1)]: '4x6' },
      { [ended('Failed', 1)]: '20x6', [ended('Delivered', 1)]: '80x6', [ended('Expired', 1)]: '99x6' },
    ],
  },
  TPWebServicesEventLoopLags: {
    at: '10m',
    rings: [{ [LAG]: '0.2x10' }],
    isSilent: [{ [LAG]: '0.02x10' }, { [LAG]: '0.02x6 0.2x4' }],
  },
  TPWebServicesDropsLogLines: {
    at: '10m',
    rings: [{ [DROPPED]: '0x8 12x2' }],
    isSilent: [{ [DROPPED]: '12x10' }],
  },
  TPWebServicesRefusesConnections: {
    at: '15m',
    rings: [{ [REFUSED]: '0+1x15' }],
    isSilent: [{ [REFUSED]: '40x15' }, { [REFUSED]: '0x13 1x2' }],
  },
  TPWebServicesLogInsFail: {
    at: '10m',
    rings: [{ [calls('Unauthorized')]: '0+20x10' }],
    isSilent: [{ [calls('Unauthorized')]: '0+2x10' }],
  },
  TPWebServicesUnknownAppointments: {
    at: '8m',
    rings: [{ [notFound('Appointment_Status')]: '0x5 100x4' }],
    isSilent: [{ [notFound('Appointment_Status')]: '0+10x10' }, { [notFound('Fetch_Details')]: '0+100x10' }],
  },
  TPWebServicesBackupOld: {
    at: '3h',
    rings: [{ [BACKUP]: '90000+60x180' }, { [READY]: '1x180' }],
    isSilent: [
      { [READY]: '1x180', [BACKUP]: '3600+60x180' },
      // The database is unavailable: the value is unknown.
      { [READY]: '0x180' },
    ],
  },
  TPWebServicesFindingWrong: {
    at: '15m',
    rings: [
      { [finding('disk', 'wrong')]: '0x5 1x10' },
      // A process that is restarted again and again has no unbroken five minutes.
      { [finding('TLS', 'wrong')]: '_x6 1 1 _ 1 1 _ 1 1 _' },
    ],
    isSilent: [
      { [finding('disk', 'wrong')]: '0x15', [finding('disk', 'warning')]: '1x15' },
      { [finding('clocks', 'wrong')]: '0x9 1 1 0x4' },
    ],
  },
  TPWebServicesFindingWarns: {
    at: '25h',
    rings: [
      { [finding('backup', 'warning')]: '0x60 1x1440' },
      // One replica took the place of another, and the database was away for an hour.
      {
        [finding('TLS', 'warning')]: '1x800 _x700',
        [finding('TLS', 'warning').replace('"a"', '"b"')]: '_x860 1x640',
      },
    ],
    isSilent: [
      { [finding('TLS', 'warning')]: '0x480 1x1020' },
      { [finding('outbox', 'warning')]: '1x600 0x300 1x600' },
      { [finding('TLS', 'wrong')]: '1x1500', [finding('backup', 'ok')]: '1x1500' },
    ],
  },
};
