import { count, parsed, period, setting } from './setting.ts';

const MOST_DAYS = 36_500;
/** Whoever covers something up must not be able to wait for it. Source: the logs that India's DPDP Rules of 2025 want kept for a year. */
const LEAST_AUDIT_DAYS = 365;
const MOST_GRACE_SECONDS = 600;

export interface PortAddress {
  readonly host: string;
  readonly port: number;
}

/** `9090`, `0.0.0.0:9090` or `[::]:9090`; without an address, only this machine can connect. */
export function portAddress(value: string): PortAddress | undefined {
  const [, bracketed, plain, port = ''] = /^(?:(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+)):)?(\d{1,5})$/.exec(value) ?? [];
  if (port === '' || Number(port) > 65535) return undefined;
  return { host: bracketed ?? plain ?? '127.0.0.1', port: Number(port) };
}

export const MONITORING_SETTINGS = {
  operations: setting(
    'OPERATIONS_PORT',
    parsed(
      'Separate port for `/healthz`, `/readyz`, `/metrics` and `/status` on 127.0.0.1, or on another address with `ADDRESS:PORT`; 0 means any free port. If unset, there are no metrics and no status page',
      '',
      (value) =>
        value === '' ? undefined : (portAddress(value) ?? 'expected a port number from 0 to 65535, or ADDRESS:PORT'),
    ),
  ),
  stopGraceSeconds: setting(
    'STOP_GRACE_SECONDS',
    count(
      'Seconds for which a stopping service still answers calls while `/readyz` answers 503, so that a load balancer can first send calls elsewhere; the supervisor must wait 10 seconds longer before it kills the service',
      0,
      0,
      MOST_GRACE_SECONDS,
    ),
  ),
};

/** After how many days data is deleted. What has no period is kept forever, of which `tpws doctor` warns. */
export const RETENTION_SETTINGS = {
  messages: setting(
    'OUTBOX_RETENTION_DAYS',
    period(
      'Days after which text messages that were sent or ended are deleted, and the daily files of `SMS_GATEWAY=file:…`',
      '90',
      1,
      MOST_DAYS,
    ),
  ),
  appointments: setting(
    'APPOINTMENT_RETENTION_DAYS',
    period('Days after their day after which appointments are deleted, whatever their status', '', 1, MOST_DAYS),
  ),
  feedback: setting('FEEDBACK_RETENTION_DAYS', period('Days after which feedback is deleted', '', 1, MOST_DAYS)),
  auditEvents: setting(
    'AUDIT_RETENTION_DAYS',
    period(
      'Days after which rows of the audit trail are deleted, except for proofs that data was erased',
      '',
      LEAST_AUDIT_DAYS,
      MOST_DAYS,
    ),
  ),
};
