import { expect } from 'chai';
import fc from 'fast-check';
import { lengthOf } from '../../../src/vocabulary/appointments.ts';
import { lastInstantOf, wallMinuteAt } from '../../../src/vocabulary/time-zone.ts';
import { formatWallMinute } from '../../../src/vocabulary/wall-minute.ts';
import { ALL_NAMES, type CommandFolder, commandFolder } from '../../support/commands/command-folder.ts';
import { addCenter, addDoctor, type Hospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { changesIn2027, ZONES } from '../appointments/zones.ts';

const NOW = Date.UTC(2027, 0, 1);
const CENTERS = ZONES.map((zone, index) => ({ id: 50 + index, zone, changes: changesIn2027(zone) })).filter(
  ({ changes }) => changes.length > 0,
);
const LENGTHS = [5, 7, 15, 50, 60, 97, 240];

/** A minute near one of a zone's changes. */
const nearby = fc.record({ change: fc.nat(), minutes: fc.integer({ min: -300, max: 300 }) });
const visit = fc.record({
  center: fc.constantFrom(...CENTERS),
  length: fc.constantFrom(...LENGTHS),
  at: nearby,
  movedTo: fc.array(nearby, { maxLength: 2 }),
});
type Visit = typeof visit extends fc.Arbitrary<infer V> ? V : never;

const minuteOf = ({ zone, changes }: Visit['center'], { change, minutes }: Visit['at']): number =>
  wallMinuteAt(changes[change % changes.length] ?? 0, zone) + minutes;

/** One doctor in each center for visits of each length, at any time, for any number of patients. Later, their slots may be others. */
const openCenters = (folder: CommandFolder, slotMinutes?: number) =>
  folder.store(async (store) => {
    for (const { id: centerId, zone } of CENTERS) {
      await addCenter(store, centerId, zone);
      for (const id of LENGTHS) await addDoctor(store, { id, centerId, slotMinutes: slotMinutes ?? id, capacity: 500 });
    }
  });

/** Those of its times that the clocks show. */
const startsOf = ({ center, at, movedTo }: Visit): readonly number[] =>
  [at, ...movedTo]
    .map((near) => minuteOf(center, near))
    .filter((minute) => lastInstantOf(minute, center.zone) !== undefined);

/** Books the visit at the first of its times; returns its number. */
async function book(hospital: Hospital, n: number, { center, length }: Visit, start: number): Promise<number> {
  const [app_date, app_time] = [formatWallMinute(start), formatWallMinute(start)];
  const given = { ...patient(n), DoctorID: length, app_date, app_time, centerid: center.id };
  return Number((await hospital.ok('Fetch_Details', given)).AppointmentID);
}

async function move(hospital: Hospital, AppointmentID: number, { center }: Visit, start: number): Promise<void> {
  const [appdate, apptime] = [formatWallMinute(start), formatWallMinute(start)];
  const given = { AppointmentID, type: 1, appdate, apptime, centerid: center.id };
  await hospital.ok('Appointment_Status_Updates', given);
}

function withoutColumn(title: string, csv: string): string {
  const rows = csv.split('\r\n').map((row) => row.split(','));
  const column = rows[0]?.indexOf(title) ?? -1;
  return rows.map((cells) => cells.toSpliced(column, 1).join()).join('\r\n');
}

/** What is stored: start and length by center and number. */
async function storedIn(folder: CommandFolder, ids: readonly number[]) {
  const rows = await folder.store((store) =>
    store.read(({ imports }) => Promise.all(CENTERS.map(({ id }) => imports.appointments(id, ids)))),
  );
  return new Map(rows.flat().map((one) => [one.id, { startsAt: one.startsAt, length: lengthOf(one) }]));
}

describe('Around clock changes, an appointment', () => {
  it('keeps its start and its length when it is booked, moved, exported and imported', () =>
    fc.assert(
      fc.asyncProperty(fc.array(visit, { minLength: 80, maxLength: 80 }), async (visits) => {
        const [here, elsewhere] = [commandFolder(), commandFolder()];
        try {
          await openCenters(here);
          const possible = visits.filter((one) => startsOf(one).length > 0);
          const ids: number[] = [];
          await here.inHospital(async (hospital) => {
            for (const [n, one] of possible.entries()) ids.push(await book(hospital, n, one, startsOf(one)[0] ?? 0));
          }, NOW);
          const expected = (moves: number) =>
            new Map(
              possible.map((one, n) => {
                const startsAt =
                  startsOf(one)
                    .slice(0, 1 + moves)
                    .at(-1) ?? 0;
                return [ids[n], { startsAt, length: one.length }];
              }),
            );
          expect(await storedIn(here, ids)).to.deep.equal(expected(0));

          await openCenters(here, 20);
          await here.inHospital(async (hospital) => {
            for (const [n, one] of possible.entries()) {
              for (const start of startsOf(one).slice(1)) await move(hospital, ids[n] ?? 0, one, start);
            }
          }, NOW);
          expect(await storedIn(here, ids)).to.deep.equal(expected(2));

          const names = [...ALL_NAMES, 'appointments.csv'];
          await here.export('--out', 'out');
          for (const name of names) elsewhere.write(name, here.read(`out/${name}`));
          await elsewhere.imported(...names);
          expect(await storedIn(elsewhere, ids)).to.deep.equal(expected(2));
          // The column is new: files of earlier versions have none.
          elsewhere.write('appointments.csv', withoutColumn('Minutes', here.read('out/appointments.csv')));
          expect((await elsewhere.imported('appointments.csv')).join()).to.include('Nothing changes');
          await elsewhere.export('--out', 'out');
          expect(elsewhere.read('out/appointments.csv')).to.equal(here.read('out/appointments.csv'));
        } finally {
          here.dispose();
          elsewhere.dispose();
        }
      }),
      { numRuns: 4, endOnFailure: true },
    )).timeout(60_000);
});
