import { expect } from 'chai';
import { outputOf } from '../../support/commands/command-folder.ts';
import { ASHA, MEENA, RAVI, standingHospital } from '../../support/commands/standing-hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';

/** Rows of which the database has an earlier state, as a restored backup has. */
describe('The import of what was changed since a backup', () => {
  const { folder, writeWith } = standingHospital();

  const BEFORE = '2026-11-01T10:00:00+05:30';
  const AFTER = '2026-11-02T10:00:00+05:30';
  const write = (...rows: readonly string[]) => writeWith(',RescheduleCount,Overlap,CreatedOn,UpdatedOn', ...rows);
  const row = (id: number, time: string, who: string, status: string, updatedOn: string, day = '2027-01-18') =>
    `1,${id},101,${day},${time},,${who},${status},${id},0,,${BEFORE},${updatedOn}`;
  const changed = (...flags: readonly string[]) => folder.imported('appointments.csv', '--changed', ...flags);
  const stored = () =>
    folder.store(async (store) => {
      const rows = await store.read(({ imports }) => imports.appointments(1, [1, 2, 3]));
      return rows.map(({ id, status, startsAt, tokenNo }) => [id, status, (startsAt / 60) % 24, tokenNo].join(' '));
    });

  beforeEach(async () => {
    write(row(1, '10:15', ASHA, 'Booked', BEFORE), row(2, '11:15', RAVI, 'Booked', BEFORE));
    await folder.imported('appointments.csv');
  });

  it('replaces an appointment by a later row, adds new ones, and keeps the others', async () => {
    write(
      row(1, '10:15', ASHA, 'Cancelled', AFTER),
      row(2, '11:15', RAVI, 'Booked', BEFORE),
      row(3, '12:15', MEENA, 'Booked', AFTER),
    );
    const [counts] = await changed();
    expect(counts).to.equal('appointments: 1 added, 1 changed, 1 already stored');
    expect(await stored()).to.have.members(['1 6 10.25 1', '2 2 11.25 2', '3 2 12.25 3']);
    expect(await changed()).to.deep.equal(['Nothing changes.']);
  });

  it('gives a slot to a row that had it from an appointment whose move comes in a later group', async () => {
    write(row(1, '10:15', ASHA, 'Booked', AFTER, '2027-03-18'), row(3, '10:15', MEENA, 'Booked', AFTER));
    expect((await changed('--dry-run'))[1]).to.equal('appointments: 1 added, 1 changed');
    expect((await changed())[0]).to.equal('appointments: 1 added, 1 changed');
    expect(await stored()).to.include.members(['1 2 10.25 1', '3 2 10.25 3']);
  });

  it('says with --dry-run which records would change, in which columns, without patient data, and writes nothing', async () => {
    const before = await stored();
    write(row(1, '10:15', ASHA.replace('Pai', 'Rao'), 'Cancelled', AFTER));
    const [line, counts] = await changed('--dry-run');
    expect(line).to.equal(
      '~ appointments: appointments.csv, line 2, AppointmentID 1: Name, Status (Booked is stored), UpdatedOn (2026-11-01T10:00:00.000+05:30 is stored)',
    );
    expect(counts).to.equal('appointments: 0 added, 1 changed');
    expect(await stored()).to.deep.equal(before);
  });

  it('refuses a row that differs and was not changed later, one without all columns, and all without --changed', async () => {
    const differs = /^appointments\.csv, line 2, column AppointmentID: "1" is already stored with a different Status/;
    write(row(1, '10:15', ASHA, 'Cancelled', BEFORE));
    expect((await folder.refused('appointments.csv', '--changed'))[0]).to.match(differs);
    write(row(1, '10:15', ASHA, 'Cancelled', AFTER));
    expect((await folder.refused('appointments.csv'))[0]).to.match(differs);
    writeWith(',UpdatedOn', `1,1,101,2027-01-18,10:15,,${ASHA},Cancelled,1,${AFTER}`);
    expect((await folder.refused('appointments.csv', '--changed'))[0]).to.match(differs);
  });

  it('refuses a later row that overlaps another appointment, and leaves the earlier one', async () => {
    const before = await stored();
    write(row(1, '11:15', ASHA, 'Booked', AFTER));
    expect((await folder.refused('appointments.csv', '--changed'))[0]).to.include(
      'overlaps appointment 2 of the database',
    );
    expect(await stored()).to.deep.equal(before);
  });

  it('gives later bookings the freed slot, and higher numbers and tokens', async () => {
    write(row(1, '10:15', ASHA, 'Cancelled', AFTER));
    await changed();
    await folder.inHospital(async (hospital) => {
      const given = { DoctorID: 101, centerid: 1, app_date: '2027-01-18', app_time: '10:15', ...patient(9) };
      const booked = await hospital.ok('Fetch_Details', given);
      expect(booked).to.include({ ResultCode: 0, TokenNo: 3 });
      expect(booked.AppointmentID).to.be.greaterThan(2);
    });
  });

  it('is audited like any import, with what it changed', async () => {
    write(row(1, '10:15', ASHA, 'Cancelled', AFTER), row(3, '12:15', MEENA, 'Booked', AFTER));
    await changed();
    const audit = outputOf(await folder.audit('--format', 'ndjson')).join('\n');
    expect(audit).to.include('"Import of 2 appointments and 0 feedback records"');
  });

  it('replaces feedback by a later row, such as one that was erased since', async () => {
    const header = 'FeedbackID,ipno,roomno,moblieno,dept,needsimprovementcommit,ReceivedOn,UpdatedOn,Client\n';
    folder.write('feedback.csv', `${header}3,IP-1,,,ENT,Loud,${BEFORE},${BEFORE},desk\n`);
    await folder.imported('feedback.csv');
    folder.write('feedback.csv', `${header}3,Erased,,,,,${BEFORE},${AFTER},desk\n`);
    expect((await folder.imported('feedback.csv', '--changed'))[0]).to.equal('feedback: 0 added, 1 changed');
    const [found] = await folder.store((store) => store.read(({ imports }) => imports.feedback([3])));
    expect(found).to.include({ inpatientNumber: 'Erased', comment: null });
  });
});
