import { expect } from 'chai';
import { type Client, createClientAsync } from 'soap';
import { FULL_BOOKING_PARAMETERS, patient } from '../../../support/http/booking-parameters.ts';
import { type RunningService, startService } from '../../../support/process/start-service.ts';
import { ownContract } from '../../../wire/contract/own-wsdl.ts';

// biome-ignore lint/suspicious/noExplicitAny: the library types what it reads as any
type Any = any;

const BOOKING = { ...FULL_BOOKING_PARAMETERS, Name: 'Asha <Pai> & आशा' };

/** The `soap` library as a client: it reads our WSDL, writes the requests and reads the answers with its own code. */
for (const [port, forceSoap12Headers] of [
  ['TPWebServicesSoap', false],
  ['TPWebServicesSoap12', true],
] as const) {
  describe(`a client generated from the WSDL by the soap library, on port ${port}`, () => {
    let service: RunningService;
    let client: Client;
    const newClient = () => createClientAsync(`${service.endpoint}?wsdl`, { forceSoap12Headers });
    /** Calls an operation of the port; resolves with the result record. */
    const call = (operation: string, parameters: object): Promise<Any> =>
      new Promise((resolve, reject) => {
        const method = (client as Any).TPWebServices[port][operation];
        method(parameters, (error: unknown, response: Any) => {
          if (error) reject(error);
          else resolve(response[`${operation}Result`]);
        });
      });

    beforeEach(async () => {
      service = await startService();
      client = await newClient();
    });

    const failure = (promise: Promise<unknown>): Promise<Any> =>
      promise.then(
        () => expect.fail('it was expected to fail'),
        (error) => error,
      );

    it('knows the operations', () => {
      expect(Object.keys(client.describe().TPWebServices[port])).to.deep.equal(
        ownContract.operations.map(({ name }) => name),
      );
    });

    it('books, reads, moves and lists an appointment, with numbers, times and booleans of the right types', async () => {
      const booked = await call('Fetch_Details', BOOKING);
      expect(booked).to.include({
        ResultCode: 0,
        AppointmentID: 1,
        Status: 2,
        StatusText: 'Booked',
        DoctorName: 'Dr. Vikram Shetty',
        TokenNo: 1,
        centerid: 1,
      });
      expect(booked.app_time).to.be.instanceOf(Date);

      const state = await call('Appointment_Status', { AppointmentID: 1, centerid: 1 });
      expect(state).to.include({ DoctorID: 102, Status: 2, RescheduleCount: 0 });
      expect(state.UpdatedOn).to.be.instanceOf(Date);

      const day = { doctorid: 102, appdate: '2027-01-18T00:00:00', centerid: 1 };
      const { TotalCount, Appointments } = await call('OPAppointmentdetail', day);
      expect(TotalCount).to.equal(1);
      expect(Appointments.Appointment).to.have.length(1);
      expect(Appointments.Appointment[0]).to.include({ AppointmentID: 1, Name: BOOKING.Name, Status: 2, Age: '34' });

      const { RegistrationNumber, title, Sex, Age, area, email, ...required } = BOOKING;
      for (const strings of [{}, { RegistrationNumber: '', title: '', Sex: '', Age: '', area: '', email: '' }]) {
        const later = { ...required, ...strings, Name: 'Ravi', app_time: '2027-01-18T23:45:00' };
        expect(await call('Fetch_Details', later)).to.include({ AppointmentID: 2 });
      }

      const unset = '0001-01-01T00:00:00';
      const move = { AppointmentID: 1, type: 6, appdate: unset, apptime: unset, centerid: 1 };
      expect(await call('Appointment_Status_Updates', move)).to.include({
        PreviousStatus: 2,
        Status: 6,
        Changed: true,
      });
      expect(await call('Appointment_Status_Updates', move)).to.include({ PreviousStatus: 6, Changed: false });
    });

    it('lists doctors', async () => {
      const { Doctors } = await call('GetDoctor', { centerid: 1 });
      expect(Doctors.Doctor).to.have.length(10);
      expect(Doctors.Doctor[1]).to.deep.include({
        DoctorID: 101,
        DoctorName: 'Dr. Asha Rao',
        SlotMinutes: 15,
        OPDays: 'Mon-Sat',
        centerid: 1,
      });
    });

    it('sends feedback and a text message', async () => {
      const feedback = { ipno: 'IP-1', roomno: '12', moblieno: '', dept: 'Nursing', needsimprovementcommit: 'Tea' };
      expect(await call('FB_Push_Details', feedback)).to.include({ ResultCode: 0, FeedbackID: 1 });
      const message = { Mobileno: '9845012345', Message: 'नमस्ते', tempid: 0, SMSmode: 1 };
      expect(await call('Sent_SMS', message)).to.include({ SMSID: 1, Encoding: 'UCS-2', Segments: 1, Status: 1 });
    });

    it('gets a refusal as a fault, with the ResultCode in its detail', async () => {
      await call('Fetch_Details', BOOKING);
      const error = await failure(call('Fetch_Details', { ...BOOKING, ...patient(2) }));
      const fault = error.root.Envelope.Body.Fault;
      expect(error.response.status).to.equal(500);
      const detail = (fault.detail ?? fault.Detail).ServiceFault;
      expect(detail).to.include({ Code: 'Refused' });
      expect(Number(detail.ResultCode)).to.equal(14);
      expect(detail.Message).to.contain('already booked');
      const code = forceSoap12Headers ? fault.Code.Value : fault.faultcode;
      expect(code).to.match(forceSoap12Headers ? /:Sender$/ : /:Client$/);
    });

    it('gets a fault that names the parameter for a value of the wrong type', async () => {
      const error = await failure(call('Appointment_Status', { AppointmentID: 'twelve', centerid: 1 }));
      const fault = error.root.Envelope.Body.Fault;
      expect((fault.detail ?? fault.Detail).ServiceFault).to.include({
        Code: 'InvalidValue',
        Parameter: 'AppointmentID',
      });
    });

    it('gets a refusal as a result with REFUSALS=result', async () => {
      await service.close();
      service = await startService({ environment: { REFUSALS: 'result' } });
      client = await newClient();
      expect(await call('GetDoctor', { centerid: 9 })).to.include({ ResultCode: 11 });
    });
  });
}
