// Generated from wsdl/TPWebServices.wsdl by npm run generate. Do not edit.

import type { DateTimeValue } from './contract.ts';

/** Names of the operations. */
export type OperationName =
  | 'Fetch_Details'
  | 'Appointment_Status_Updates'
  | 'FB_Push_Details'
  | 'OPAppointmentdetail'
  | 'Appointment_Status'
  | 'Sent_SMS'
  | 'GetDoctor';

/**
 * Input of Fetch_Details. Books an appointment with a doctor. Sending the same booking again returns the existing
 * appointment with ResultCode 1.
 */
export interface Fetch_DetailsInput {
  /** Id of the doctor, as GetDoctor lists it. */
  readonly DoctorID: number;
  /**
   * Registration number of the patient at the hospital. A patient without one is identified by name and phone. At most
   * 50 characters.
   */
  readonly RegistrationNumber?: string | undefined;
  /**
   * Date of the appointment. Only the date counts; the time of day in it is ignored. Without an offset it is wall time
   * at the center; with Z or an offset it is first converted to the center's time zone.
   */
  readonly app_date: DateTimeValue;
  /**
   * Time of the appointment. Only the time of day counts; the date in it is ignored. Without an offset it is wall time
   * at the center; with Z or an offset it is first converted to the center's time zone.
   */
  readonly app_time: DateTimeValue;
  /** Title of the patient, such as Mr, Mrs or Dr. At most 20 characters. */
  readonly title?: string | undefined;
  /** Name of the patient. Must not be empty. At most 100 characters. */
  readonly Name?: string | undefined;
  /**
   * M, F, O or U, or Male, Female, Other or Unknown, in upper or lower case. Transgender, T, A, N and X are stored as
   * O, and an empty value as U. At most 20 characters.
   */
  readonly Sex?: string | undefined;
  /**
   * Age of the patient, such as 34, 34Y, 6M, 3W, 12D, 2Y 6M or 34 years; at most 150 years. May be empty. At most 20
   * characters.
   */
  readonly Age?: string | undefined;
  /** Where the patient lives. At most 200 characters. */
  readonly area?: string | undefined;
  /**
   * Phone number of the patient. Must not be empty. A number without a country code is taken to be in the country that
   * the service is configured for. At most 30 characters.
   */
  readonly contactnumber?: string | undefined;
  /** E-mail address of the patient. At most 254 characters. */
  readonly email?: string | undefined;
  /** Id of the center of the hospital. */
  readonly centerid: number;
}

/**
 * Input of Appointment_Status_Updates. Reschedules an appointment or moves it to another status. If the appointment
 * already matches the request, the call succeeds with Changed false.
 */
export interface Appointment_Status_UpdatesInput {
  /** Id of the appointment, as Fetch_Details returned it. */
  readonly AppointmentID: number;
  /**
   * Move: 1 Reschedule, 2 Confirm, 3 Arrive, 4 Start, 5 Complete, 6 Cancel, 7 NoShow. Reschedule needs appdate and
   * apptime; the other moves ignore them.
   */
  readonly type: number;
  /**
   * New date; needed for type 1 only. Only the date counts; the time of day in it is ignored. Without an offset it is
   * wall time at the center; with Z or an offset it is first converted to the center's time zone. 0001-01-01T00:00:00
   * counts as absent.
   */
  readonly appdate?: DateTimeValue | undefined;
  /**
   * New time; needed for type 1 only. Only the time of day counts; the date in it is ignored. Without an offset it is
   * wall time at the center; with Z or an offset it is first converted to the center's time zone. 0001-01-01T00:00:00
   * counts as absent.
   */
  readonly apptime?: DateTimeValue | undefined;
  /** Id of the center of the hospital. */
  readonly centerid: number;
}

/**
 * Input of FB_Push_Details. Stores the feedback of an inpatient. Sending the same feedback again within 24 hours
 * returns the earlier record with ResultCode 1.
 */
export interface FB_Push_DetailsInput {
  /** Inpatient number. Must not be empty. At most 50 characters. */
  readonly ipno?: string | undefined;
  /** Room of the patient. At most 50 characters. */
  readonly roomno?: string | undefined;
  /** Mobile number of the patient. At most 30 characters. */
  readonly moblieno?: string | undefined;
  /** Department that the feedback is about. At most 100 characters. */
  readonly dept?: string | undefined;
  /**
   * What needs improvement, in the patient's own words. Must not be empty if roomno, moblieno and dept are empty. At
   * most 4000 characters.
   */
  readonly needsimprovementcommit?: string | undefined;
}

/** Input of OPAppointmentdetail. Lists a doctor's outpatient appointments on one date. */
export interface OPAppointmentdetailInput {
  /** Id of the doctor, as GetDoctor lists it. */
  readonly doctorid: number;
  /**
   * Date whose appointments are listed. Only the date counts; the time of day in it is ignored. Without an offset it is
   * wall time at the center; with Z or an offset it is first converted to the center's time zone.
   */
  readonly appdate: DateTimeValue;
  /** Id of the center of the hospital. */
  readonly centerid: number;
}

/**
 * Input of Appointment_Status. Reads the status of an appointment. The answer contains neither the patient's name nor
 * the phone number.
 */
export interface Appointment_StatusInput {
  /** Id of the appointment, as Fetch_Details returned it. */
  readonly AppointmentID: number;
  /** Id of the center of the hospital. */
  readonly centerid: number;
}

/**
 * Input of Sent_SMS. Accepts a text message and queues it to be sent. Repeating the call within 60 seconds returns the
 * earlier message with ResultCode 1.
 */
export interface Sent_SMSInput {
  /**
   * Mobile number of the recipient. Must not be empty. A number without a country code is taken to be in the country
   * that the service is configured for. At most 30 characters.
   */
  readonly Mobileno?: string | undefined;
  /**
   * Full text of the message, which must match the template if tempid names one. Must not be empty. At most 5 segments.
   * At most 10000 characters.
   */
  readonly Message?: string | undefined;
  /**
   * Local number of the message template; each {#var#} in it stands for 0 to 30 characters of Message. 0 means no
   * template, which the service may be configured to refuse.
   */
  readonly tempid: number;
  /**
   * 0 default (same as 1), 1 service message, 2 promotional (sent only from 10:00 to 21:00, otherwise held until
   * 10:00), 3 one-time password (first in the queue, expires after 10 minutes), 4 flash.
   */
  readonly SMSmode: number;
}

/** Input of GetDoctor. Lists the doctors of a center. */
export interface GetDoctorInput {
  /** Id of the center of the hospital. */
  readonly centerid: number;
}

/** Result of Fetch_Details: the appointment that was booked, or the existing one. */
export type AppointmentBooking = {
  /** Outcome of the call: 0 and 1 mean success; 10 and above mean that the call was refused and nothing was changed. */
  readonly ResultCode: number;
  /** The outcome in one sentence, which names the parameter at fault if there is one. */
  readonly ResultText?: string | undefined;
  /** Id of the appointment. */
  readonly AppointmentID?: number | undefined;
  /**
   * Status of the appointment: 1 Pending, 2 Booked, 3 Arrived, 4 InConsultation, 5 Completed, 6 Cancelled, 7 NoShow.
   */
  readonly Status?: number | undefined;
  /** Name of the status. */
  readonly StatusText?: string | undefined;
  /** Id of the doctor. */
  readonly DoctorID?: number | undefined;
  /** Name of the doctor. */
  readonly DoctorName?: string | undefined;
  /** Registration number of the patient at the hospital. */
  readonly RegistrationNumber?: string | undefined;
  /** Day of the appointment, at midnight: wall time at the center, YYYY-MM-DDTHH:MM:SS. */
  readonly app_date?: string | undefined;
  /** Start of the appointment, wall time at the center, YYYY-MM-DDTHH:MM:SS. */
  readonly app_time?: string | undefined;
  /** Number of the appointment within the doctor's day. */
  readonly TokenNo?: number | undefined;
  /** Id of the center of the hospital. */
  readonly centerid?: number | undefined;
};

/** Result of Appointment_Status_Updates: the appointment after the move. */
export type AppointmentChange = {
  /** Outcome of the call: 0 means success; 10 and above mean that the call was refused and nothing was changed. */
  readonly ResultCode: number;
  /** The outcome in one sentence, which names the parameter at fault if there is one. */
  readonly ResultText?: string | undefined;
  /** Id of the appointment. */
  readonly AppointmentID?: number | undefined;
  /** The move that was requested: 1 Reschedule, 2 Confirm, 3 Arrive, 4 Start, 5 Complete, 6 Cancel, 7 NoShow. */
  readonly type?: number | undefined;
  /** Status before the move: 1 Pending, 2 Booked, 3 Arrived, 4 InConsultation, 5 Completed, 6 Cancelled, 7 NoShow. */
  readonly PreviousStatus?: number | undefined;
  /** Status after the move: 1 Pending, 2 Booked, 3 Arrived, 4 InConsultation, 5 Completed, 6 Cancelled, 7 NoShow. */
  readonly Status?: number | undefined;
  /** Name of the status after the move. */
  readonly StatusText?: string | undefined;
  /** Day of the appointment after the move, at midnight: wall time at the center, YYYY-MM-DDTHH:MM:SS. */
  readonly appdate?: string | undefined;
  /** Start of the appointment after the move, wall time at the center, YYYY-MM-DDTHH:MM:SS. */
  readonly apptime?: string | undefined;
  /** False if the appointment already matched the request. */
  readonly Changed?: boolean | undefined;
  /** Id of the center of the hospital. */
  readonly centerid?: number | undefined;
};

/** Result of FB_Push_Details. */
export type FeedbackReceipt = {
  /** Outcome of the call: 0 and 1 mean success; 10 and above mean that the call was refused and nothing was changed. */
  readonly ResultCode: number;
  /** The outcome in one sentence, which names the parameter at fault if there is one. */
  readonly ResultText?: string | undefined;
  /** Id of the stored feedback. */
  readonly FeedbackID?: number | undefined;
  /** When the feedback was stored, wall time in the service's time zone, YYYY-MM-DDTHH:MM:SS. */
  readonly ReceivedOn?: string | undefined;
};

/** Result of OPAppointmentdetail. */
export type DoctorDay = {
  /** Outcome of the call: 0 means success; 10 and above mean that the call was refused and nothing was changed. */
  readonly ResultCode: number;
  /** The outcome in one sentence, which names the parameter at fault if there is one. */
  readonly ResultText?: string | undefined;
  /** Number of appointments in the list. */
  readonly TotalCount?: number | undefined;
  /** The appointments, sorted by time, then by AppointmentID. */
  readonly Appointments?: ArrayOfAppointment | undefined;
};

/** List of appointments. */
export type ArrayOfAppointment = {
  /** One appointment. */
  readonly Appointment: readonly Appointment[];
};

/** One appointment in a doctor's day. */
export type Appointment = {
  /** Number of the appointment within the doctor's day. */
  readonly TokenNo: number;
  /** Id of the appointment. */
  readonly AppointmentID: number;
  /** Registration number of the patient at the hospital. */
  readonly RegistrationNumber?: string | undefined;
  /** Title of the patient. */
  readonly title?: string | undefined;
  /** Name of the patient. */
  readonly Name?: string | undefined;
  /** Sex of the patient: M, F, O (other) or U (unknown). */
  readonly Sex?: string | undefined;
  /** Age of the patient, as it was given. */
  readonly Age?: string | undefined;
  /** Where the patient lives. */
  readonly area?: string | undefined;
  /** Phone number of the patient. */
  readonly contactnumber?: string | undefined;
  /** Day of the appointment, at midnight: wall time at the center, YYYY-MM-DDTHH:MM:SS. */
  readonly appdate: string;
  /** Start of the appointment, wall time at the center, YYYY-MM-DDTHH:MM:SS. */
  readonly apptime: string;
  /**
   * Status of the appointment: 1 Pending, 2 Booked, 3 Arrived, 4 InConsultation, 5 Completed, 6 Cancelled, 7 NoShow.
   */
  readonly Status: number;
  /** Name of the status. */
  readonly StatusText?: string | undefined;
};

/** Result of Appointment_Status. */
export type AppointmentState = {
  /** Outcome of the call: 0 means success; 10 and above mean that the call was refused and nothing was changed. */
  readonly ResultCode: number;
  /** The outcome in one sentence, which names the parameter at fault if there is one. */
  readonly ResultText?: string | undefined;
  /** Id of the appointment. */
  readonly AppointmentID?: number | undefined;
  /** Id of the doctor. */
  readonly DoctorID?: number | undefined;
  /** Name of the doctor. */
  readonly DoctorName?: string | undefined;
  /** Day of the appointment, at midnight: wall time at the center, YYYY-MM-DDTHH:MM:SS. */
  readonly appdate?: string | undefined;
  /** Start of the appointment, wall time at the center, YYYY-MM-DDTHH:MM:SS. */
  readonly apptime?: string | undefined;
  /**
   * Status of the appointment: 1 Pending, 2 Booked, 3 Arrived, 4 InConsultation, 5 Completed, 6 Cancelled, 7 NoShow.
   */
  readonly Status?: number | undefined;
  /** Name of the status. */
  readonly StatusText?: string | undefined;
  /** How many times the appointment was rescheduled. */
  readonly RescheduleCount?: number | undefined;
  /** When the appointment was last changed, wall time at the center, YYYY-MM-DDTHH:MM:SS. */
  readonly UpdatedOn?: string | undefined;
  /** Id of the center of the hospital. */
  readonly centerid?: number | undefined;
};

/** Result of Sent_SMS. */
export type MessageReceipt = {
  /** Outcome of the call: 0 and 1 mean success; 10 and above mean that the call was refused and nothing was changed. */
  readonly ResultCode: number;
  /** The outcome in one sentence, which names the parameter at fault if there is one. */
  readonly ResultText?: string | undefined;
  /** Id of the message. */
  readonly SMSID?: number | undefined;
  /** Number of the recipient in E.164 form, such as +919812345678. */
  readonly Mobileno?: string | undefined;
  /** Number of segments that the text takes, 1 to 5. */
  readonly Segments?: number | undefined;
  /** GSM-7 or UCS-2. */
  readonly Encoding?: string | undefined;
  /**
   * Status of the message: 1 Queued, 2 Sending, 3 Submitted, 4 Delivered, 5 Failed, 6 Expired, 7 Rejected, 8 Dead
   * (every retry was used up).
   */
  readonly Status?: number | undefined;
  /** Name of the status. */
  readonly StatusText?: string | undefined;
};

/** Result of GetDoctor. */
export type DoctorList = {
  /** Outcome of the call: 0 means success; 10 and above mean that the call was refused and nothing was changed. */
  readonly ResultCode: number;
  /** The outcome in one sentence, which names the parameter at fault if there is one. */
  readonly ResultText?: string | undefined;
  /** The doctors, sorted by DoctorName. */
  readonly Doctors?: ArrayOfDoctor | undefined;
};

/** List of doctors. */
export type ArrayOfDoctor = {
  /** One doctor. */
  readonly Doctor: readonly Doctor[];
};

/** One doctor of a center. */
export type Doctor = {
  /** Id of the doctor. */
  readonly DoctorID: number;
  /** Name of the doctor. */
  readonly DoctorName?: string | undefined;
  /** Department of the doctor. */
  readonly Department?: string | undefined;
  /** Specialization of the doctor. */
  readonly Specialization?: string | undefined;
  /** Qualification of the doctor. */
  readonly Qualification?: string | undefined;
  /** Length of a slot in minutes, 5 to 240. */
  readonly SlotMinutes: number;
  /** Days on which the doctor sees outpatients. */
  readonly OPDays?: string | undefined;
  /** Hours during which the doctor sees outpatients. */
  readonly OPTimings?: string | undefined;
  /** Id of the center of the hospital. */
  readonly centerid: number;
};

/** Detail of every fault except VersionMismatch and MustUnderstand. */
export type ServiceFault = {
  /**
   * What went wrong: Malformed, MissingParameter, InvalidValue, UnexpectedElement, DuplicateParameter,
   * UnknownOperation, ActionMismatch, MustUnderstand, VersionMismatch, UnsupportedMediaType, TooLarge,
   * IdempotencyKeyReused, Unauthorized, Forbidden, TooManyRequests, CrossSite, MethodNotAllowed, NotFound,
   * MisdirectedRequest, Refused, Unavailable or Internal.
   */
  readonly Code: string;
  /** The ResultCode of the refusal, 10 or above, if Code is Refused. */
  readonly ResultCode?: number | undefined;
  /** What went wrong, in one sentence. */
  readonly Message: string;
  /** Name of the parameter at fault, if there is one. */
  readonly Parameter?: string | undefined;
  /** Id of this request in the log of the service. */
  readonly CorrelationId: string;
};

/** One function an operation. `Context` is what a call carries besides its parameters. */
export interface Implementations<Context> {
  readonly Fetch_Details: (input: Fetch_DetailsInput, context: Context) => Promise<AppointmentBooking>;
  readonly Appointment_Status_Updates: (
    input: Appointment_Status_UpdatesInput,
    context: Context,
  ) => Promise<AppointmentChange>;
  readonly FB_Push_Details: (input: FB_Push_DetailsInput, context: Context) => Promise<FeedbackReceipt>;
  readonly OPAppointmentdetail: (input: OPAppointmentdetailInput, context: Context) => Promise<DoctorDay>;
  readonly Appointment_Status: (input: Appointment_StatusInput, context: Context) => Promise<AppointmentState>;
  readonly Sent_SMS: (input: Sent_SMSInput, context: Context) => Promise<MessageReceipt>;
  readonly GetDoctor: (input: GetDoctorInput, context: Context) => Promise<DoctorList>;
}
