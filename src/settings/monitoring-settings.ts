import { choice, count, type SettingValues, text } from './setting.ts';

const MOST_DAYS = 36_500;
/** Seconds. */
const MOST_GRACE = 600;

/** How the service is operated: what its operator sees, and how long data is kept. */
export const MONITORING_SETTINGS = {
  OPERATIONS_PORT: text(
    'Separate port for `/healthz`, `/readyz` and `/metrics`; 0 means any free port. If unset, only callers on this machine can read `/metrics`',
    '',
  )
    .refine((v) => v === '' || (/^\d{1,5}$/.test(v) && Number(v) <= 65535), 'expected a port number from 0 to 65535')
    .transform((v) => (v === '' ? undefined : Number(v))),
  OPERATIONS_HOST: text('Address to listen on for `OPERATIONS_PORT`', '127.0.0.1'),
  STOP_GRACE_SECONDS: count(
    'Seconds for which a stopping service still answers calls while `/readyz` answers 503, so that a load balancer can first send calls elsewhere; the supervisor must wait 10 seconds longer before it kills the service',
    0,
    0,
    MOST_GRACE,
  ),
  RECORDED_ADDRESSES: choice(
    'How callers’ addresses are recorded in the log and the audit trail: `whole`, or `network`, which omits the last 8 bits of an IPv4 address and the last 64 of an IPv6 address',
    'whole',
    ['whole', 'network'],
  ),
  OUTBOX_RETENTION_DAYS: count(
    'Days for which finished text messages are kept; 0 keeps them forever',
    90,
    0,
    MOST_DAYS,
  ),
  APPOINTMENT_RETENTION_DAYS: count(
    'Days for which completed, cancelled and no-show appointments are kept after their day; 0 keeps them forever',
    0,
    0,
    MOST_DAYS,
  ),
  FEEDBACK_RETENTION_DAYS: count('Days for which feedback is kept; 0 keeps it forever', 0, 0, MOST_DAYS),
  AUDIT_RETENTION_DAYS: count('Days for which the audit trail is kept; 0 keeps it forever', 0, 0, MOST_DAYS),
};

export const monitoringConfig = (s: SettingValues<typeof MONITORING_SETTINGS>) => ({
  monitoring: {
    /** undefined means no separate server. */
    port: s.OPERATIONS_PORT,
    host: s.OPERATIONS_HOST,
    /** Milliseconds. */
    stopGrace: s.STOP_GRACE_SECONDS * 1000,
    recordedAddresses: s.RECORDED_ADDRESSES,
    /** Days; 0 means forever. */
    retention: {
      messages: s.OUTBOX_RETENTION_DAYS,
      appointments: s.APPOINTMENT_RETENTION_DAYS,
      feedback: s.FEEDBACK_RETENTION_DAYS,
      auditEvents: s.AUDIT_RETENTION_DAYS,
    },
  },
});
