import { asAdministrator } from '../../support/database/as-administrator.ts';
import type { Standby } from '../../support/database/standby.ts';
import { BookingLoad } from './booking-load.ts';
import type { Figure } from './figures.ts';
import type { Setting } from './setting.ts';
import { comparison } from './stored-bookings.ts';

/** Bookings of each service before the standby goes, and after it is back. */
const ENOUGH = 100;

/** Twice the time for which a client of the server waits for an answer. */
const AWAY_MS = 12_000;
const EVERY_MS = 200;

/** From the return of the standby until both services book as before. */
const LONGEST_RETURN_MS = 5000;

export interface LostStandby {
  readonly standby: Pick<Standby, 'away' | 'back'>;
  /** The database, through HAProxy as the services. */
  readonly url: string;
  /** Connections that each service may have. */
  readonly poolSize: number;
}

const REASON = 'a COMMIT waits for a synchronous standby (SyncRep)';

/**
 * The only synchronous standby disappears under the load of two services. Until it is back, both book nothing and say why, both answer what needs no
 * writing, the server has no more connections than their pools, and an administrator gets in through HAProxy.
 */
export async function lostStandby(
  settings: readonly Setting[],
  { standby, url, poolSize }: LostStandby,
): Promise<Figure> {
  // One after the other, because the first one creates the tables.
  for (const { service } of settings) await service.start();
  const loads = settings.map(({ service, clients, bookings }) => new BookingLoad(service.port, clients / 2, bookings));
  const more = (count: number) =>
    Promise.all(loads.map((load) => load.acknowledged(load.counts.acknowledged.length + count)));
  const acknowledged = () => loads.reduce((sum, { counts }) => sum + counts.acknowledged.length, 0);
  let [mostBackends, reads, unread, booked, recovered] = [0, 0, 0, 0, 0];
  let reasons: readonly boolean[] = [];
  const look = async (appointmentId: number) => {
    const queries = ['GetDoctor?centerid=1', `Appointment_Status?AppointmentID=${appointmentId}&centerid=1`];
    const calls = settings.flatMap(({ service }) =>
      queries.map((query) => fetch(`http://127.0.0.1:${service.port}/TPWebServices.asmx/${query}`)),
    );
    for (const { status } of await Promise.all(calls)) {
      reads++;
      if (status !== 200) unread++;
    }
    const { rows } = await asAdministrator(url, (client) =>
      client.query("SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name LIKE 'tpwebservices %'"),
    );
    mostBackends = Math.max(mostBackends, rows[0].n);
  };
  try {
    await more(ENOUGH);
    const first = loads.flatMap(({ counts }) => counts.acknowledged).find(({ centerId }) => centerId === 1);
    standby.away();
    // What the standby had acknowledged by then is still to be answered.
    await new Promise((resume) => setTimeout(resume, EVERY_MS));
    const before = acknowledged();
    for (const end = performance.now() + AWAY_MS; performance.now() < end; ) {
      await look(first?.appointmentId ?? 0);
      await new Promise((resume) => setTimeout(resume, EVERY_MS));
    }
    booked = acknowledged() - before;
    reasons = settings.map(({ service }) => service.output.includes(REASON));
    standby.back();
    const began = performance.now();
    await more(1);
    recovered = performance.now() - began;
    await more(ENOUGH);
  } finally {
    await Promise.all(loads.map((load) => load.stop()));
    await Promise.all(settings.map(({ service }) => service.stop()));
  }
  const counts = loads.map((load) => load.counts);
  const { figures, ok } = await comparison(
    (settings[0] as Setting).database,
    counts.flatMap((each) => each.acknowledged),
    counts.flatMap((each) => each.wrong),
  );
  const most = settings.length * poolSize;
  return {
    what: `the only synchronous standby away for ${AWAY_MS / 1000} s, two services behind HAProxy`,
    figures: {
      ...figures,
      'answers of 503': counts.reduce((sum, { unavailable }) => sum + unavailable, 0),
      'acknowledged meanwhile': booked,
      reads,
      'not 200': unread,
      'most connections': `${mostBackends} of ${most}`,
      'ms to full service': recovered,
    },
    ok:
      ok && booked + unread === 0 && mostBackends <= most && !reasons.includes(false) && recovered <= LONGEST_RETURN_MS,
  };
}
