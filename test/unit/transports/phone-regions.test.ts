import { expect } from 'chai';
import { BOOKING_PARAMETERS } from '../../support/http/booking-parameters.ts';
import { callOver, resultCodeOf, TRANSPORTS } from '../../support/http/four-transports.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';

describe('A center with a PhoneRegion of its own', () => {
  let service: RunningService;
  before(async () => {
    service = await startService({ environment: { PHONE_REGION: 'GB', SHOW_CONTACT_NUMBERS: 'true' } });
    const center = { id: 2, name: 'Mysuru', timeZone: 'Asia/Kolkata', phoneRegion: 'AU' };
    await service.store.write(({ referenceTables }) => referenceTables.put('center', center));
  });

  for (const [n, transport] of TRANSPORTS.entries()) {
    it(`has its numbers read in bookings over ${transport}, and other centers those of PHONE_REGION`, async () => {
      const book = async (DoctorID: number, centerid: number, contactnumber: string) => {
        const given = { ...BOOKING_PARAMETERS, DoctorID, centerid, contactnumber, app_date: `2027-02-0${n + 1}` };
        const over = { ...given, app_date: `${given.app_date}T00:00:00` };
        const answer = await callOver(transport, service.endpoint, 'Fetch_Details', over);
        if (resultCodeOf(answer) !== 0) return resultCodeOf(answer);
        const list = { doctorid: DoctorID, appdate: over.app_date, centerid };
        const { record } = await callOver(transport, service.endpoint, 'OPAppointmentdetail', list);
        return record.Appointments.Appointment.contactnumber;
      };
      expect(await book(201 + n, 2, '0491 570 006')).to.equal('+61491570006');
      expect(await book(102 + n, 1, '0491 570 006')).to.equal(10);
      expect(await book(102 + n, 1, '020 7946 0958')).to.equal('+442079460958');
      expect(await book(201 + n, 2, '020 7946 0958')).to.equal(10);
    });
  }
});
