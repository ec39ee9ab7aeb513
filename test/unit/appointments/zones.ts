/** Zones that together cover every kind of time zone rule. */
export const ZONES = [
  'Asia/Kolkata',
  'Europe/Berlin',
  'Europe/Dublin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Asia/Gaza',
  // Changes at midnight, and by two hours.
  'Africa/Cairo',
  'Asia/Beirut',
  'Antarctica/Troll',
  'UTC',
] as const;

/** The instants, ms, of the changes of a zone in 2027: most have two or none. */
export function changesIn2027(zone: string): readonly number[] {
  const changes: number[] = [];
  let at = Temporal.Instant.from('2027-01-01T00:00Z').toZonedDateTimeISO(zone).getTimeZoneTransition('next');
  while (at !== null && at.epochMilliseconds < Date.UTC(2028, 0, 1)) {
    changes.push(at.epochMilliseconds);
    at = at.getTimeZoneTransition('next');
  }
  return changes;
}
