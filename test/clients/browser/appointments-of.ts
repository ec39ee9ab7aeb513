import type { RunningService } from '../../support/process/start-service.ts';

/** The number of appointments that the demo's doctor 101 has on a day. */
export async function appointmentsOf(service: RunningService, day: string): Promise<number> {
  const query = new URLSearchParams({ doctorid: '101', appdate: day, centerid: '1' });
  const answer = await fetch(`${service.endpoint}/OPAppointmentdetail?${query}`, {
    headers: { Accept: 'application/json' },
  });
  return ((await answer.json()) as { TotalCount: number }).TotalCount;
}
