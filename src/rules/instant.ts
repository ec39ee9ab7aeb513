/** `2026-11-20T03:00:00.000Z`, from milliseconds since the epoch. Source: RFC 3339; HL7 FHIR instant. */
export const formatInstant = (epochMs: number): string =>
  Temporal.Instant.fromEpochMilliseconds(epochMs).toString({ fractionalSecondDigits: 3 });

/** The instants, in milliseconds, at which a day such as `2026-11-20` and the next one begin in a zone; undefined for any other text. */
export function instantsOfDay(day: string, zone: string): readonly [from: number, to: number] | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  try {
    const date = Temporal.PlainDate.from(day);
    const startOf = (d: Temporal.PlainDate) => d.toZonedDateTime(zone).epochMilliseconds;
    return [startOf(date), startOf(date.add({ days: 1 }))];
  } catch {
    return undefined;
  }
}
