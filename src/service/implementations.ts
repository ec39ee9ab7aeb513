import { bookAppointment } from '../appointments/book-appointment.ts';
import { changeAppointment } from '../appointments/change-appointment.ts';
import { listDoctorDay, readAppointment } from '../appointments/read-appointments.ts';
import type { CallContext, OperationDependencies } from '../calls/dependencies.ts';
import type { Implementations } from '../contract/generated-types.ts';
import { queueMessage } from '../messages/queue-message.ts';
import { listDoctors } from '../reference/list-doctors.ts';
import { recordFeedback } from '../reference/record-feedback.ts';

/** The service object: the contract's operations with their implementations. A missing one does not compile. */
export const createImplementations = (dependencies: OperationDependencies) =>
  ({
    Fetch_Details: bookAppointment(dependencies),
    Appointment_Status_Updates: changeAppointment(dependencies),
    FB_Push_Details: recordFeedback(dependencies),
    OPAppointmentdetail: listDoctorDay(dependencies),
    Appointment_Status: readAppointment,
    Sent_SMS: queueMessage(dependencies),
    GetDoctor: listDoctors(dependencies),
  }) satisfies Implementations<CallContext>;
