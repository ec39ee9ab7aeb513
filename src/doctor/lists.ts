import { dayRecord } from '../appointments/read-appointments.ts';
import type { ResultRecord } from '../contract/contract.ts';
import { doctorList } from '../reference/list-doctors.ts';
import { compileResponseWriter } from '../transports/record-writer.ts';
import { writeEnvelope } from '../transports/soap/soap-fault.ts';
import { SOAP_11 } from '../transports/soap/soap-versions.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { wallMinuteAt } from '../vocabulary/time-zone.ts';
import { dayOf, spellDay } from '../vocabulary/wall-minute.ts';
import { type Finding, ok, type RecordContext, warning } from './finding.ts';

/** Days before today: where most patients come without an appointment, upcoming days are still empty. */
const DAYS_BACK = 30;
/** What callers read of an answer unless they say otherwise, in bytes, ascending. */
const READERS = [
  { bytes: 32_767, readBy: 'a VARCHAR2 of PL/SQL takes: programs in PL/SQL must read it into a CLOB' },
  {
    bytes: 65_536,
    readBy: 'WCF takes by default: docs/callers/clients/dotnet.md says how to raise MaxReceivedMessageSize',
  },
];

/**
 * How long the longest answers with lists are over SOAP 1.1: of the center with the most doctors, and of the fullest day
 * of a doctor.
 */
export async function checkLists({ contract, queries, clock, config }: RecordContext): Promise<readonly Finding[]> {
  if (config.results === 'none') return [];
  const writers = new Map(
    contract.operations.map((each) => [each.name, compileResponseWriter(each, config.namespace)]),
  );
  const bytesOf = (name: string, record: ResultRecord) =>
    Buffer.byteLength(writeEnvelope(SOAP_11, '', writers.get(name)?.(record) ?? ''));
  const now = clock();
  const reference = await queries.reference();
  const lists = (await queries.referenceTables.rows('center')).map((center) => ({
    of: `GetDoctor of center ${center.id}`,
    bytes: bytesOf('GetDoctor', doctorList(reference, center, wallMinuteAt(now, center.timeZone))),
  }));
  const found = lists.toSorted((a, b) => b.bytes - a.bytes).slice(0, 1);
  const since = wallMinuteAt(now, 'UTC') - DAYS_BACK * MINUTES_PER_DAY;
  const day = await queries.appointments.longestDay({ since });
  if (day !== undefined) {
    const { centerId, doctorId, startsAt } = day;
    const listed = await queries.appointments.ofDay(centerId, doctorId, dayOf(startsAt) * MINUTES_PER_DAY);
    found.push({
      of: `OPAppointmentdetail of doctor ${doctorId} of center ${centerId} on ${spellDay(startsAt)}`,
      bytes: bytesOf('OPAppointmentdetail', dayRecord(listed, true)),
    });
  }
  return found.map(({ of, bytes }) => {
    const text = `${of}, the longest such list, has ${bytes} bytes`;
    const tooShort = READERS.findLast((reader) => bytes > reader.bytes);
    return tooShort === undefined
      ? ok('lists', text)
      : warning('lists', `${text}, more than the ${tooShort.bytes} that ${tooShort.readBy}.`);
  });
}
