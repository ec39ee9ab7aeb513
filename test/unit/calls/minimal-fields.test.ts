import { expect } from 'chai';
import type { RecordType } from '../../../src/contract/contract.ts';
import { BOOKING, openHospital } from '../../support/database/hospital.ts';
import { perTest } from '../../support/prepared.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';

const SCREEN = { name: 'ward-screen', fields: 'minimal' } as const;

describe('A client with minimal fields', () => {
  const hospital = perTest(() => openHospital());

  const LIST = { doctorid: 102, appdate: '2027-01-18', centerid: 1 };

  it('gets the list of a day without who the patients are', async () => {
    const { AppointmentID, TokenNo } = await hospital.book();
    const { record } = await hospital.call('OPAppointmentdetail', LIST, undefined, SCREEN);
    expect(record).to.deep.equal({
      ResultCode: 0,
      ResultText: 'OK.',
      TotalCount: 1,
      Appointments: {
        Appointment: [
          {
            TokenNo,
            AppointmentID,
            appdate: '2027-01-18T00:00:00',
            apptime: '2027-01-18T10:15:00',
            Status: 2,
            StatusText: 'Booked',
          },
        ],
      },
    });
  });

  it('leaves the same audit row as another, with the appointments', async () => {
    const { AppointmentID } = await hospital.book();
    await hospital.call('OPAppointmentdetail', LIST, undefined, SCREEN);
    const [row] = await hospital.store.read(({ audit }) => audit.page({ client: SCREEN.name }));
    expect(row).to.include({ operation: 'OPAppointmentdetail', outcome: 0, shown: `1/${AppointmentID}` });
  });

  it('gets no patient data from its own booking, also when it is repeated with its Idempotency-Key', async () => {
    for (const action of ['first', 'again']) {
      const { record } = await hospital.call('Fetch_Details', BOOKING, 'key', SCREEN);
      expect(record, action).to.include({ ResultCode: 0, DoctorID: 102 });
      expect(JSON.stringify(record), action).not.to.match(new RegExp(`${BOOKING.Name}|${BOOKING.RegistrationNumber}`));
    }
  });

  it('can still be answered as the WSDL says: no field with patient data is required', () => {
    const scalars = ({ fields }: RecordType): RecordType['fields'] =>
      fields.flatMap((field) => (typeof field.type === 'object' ? scalars(field.type) : [field]));
    const all = ownContract.operations.flatMap(({ resultType }) => scalars(resultType));
    expect(all.filter(({ patientData }) => patientData)).to.have.length.above(6);
    expect(all.filter(({ patientData, required }) => patientData && required)).to.deep.equal([]);
  });
});
