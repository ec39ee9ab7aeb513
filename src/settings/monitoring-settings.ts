import { count, parsed, setting } from './setting.ts';

const MOST_DAYS = 36_500;
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

/** How the service is operated: what its operator sees, and how it stops. */
export const MONITORING_SETTINGS = {
  operations: setting(
    'OPERATIONS_PORT',
    parsed(
      'Separate port for `/healthz`, `/readyz` and `/metrics` on 127.0.0.1, or on another address with `ADDRESS:PORT`; 0 means any free port. If unset, only callers on this machine can read `/metrics`',
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

const days = (meaning: string, fallback: number) => count(meaning, fallback, 0, MOST_DAYS);

/** How many days data is kept; 0 means forever. */
export const RETENTION_SETTINGS = {
  messages: setting(
    'OUTBOX_RETENTION_DAYS',
    days('Days for which finished text messages are kept; 0 keeps them forever', 90),
  ),
  appointments: setting(
    'APPOINTMENT_RETENTION_DAYS',
    days(
      'Days for which completed, cancelled and no-show appointments are kept after their day; 0 keeps them forever',
      0,
    ),
  ),
  feedback: setting('FEEDBACK_RETENTION_DAYS', days('Days for which feedback is kept; 0 keeps it forever', 0)),
  auditEvents: setting('AUDIT_RETENTION_DAYS', days('Days for which the audit trail is kept; 0 keeps it forever', 0)),
};
