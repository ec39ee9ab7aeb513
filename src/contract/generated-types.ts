// Generated from wsdl/TPWebServices.wsdl by npm run generate. Do not edit. docs/callers/operations.md says what each name means.

import type { DateTimeValue } from './contract.ts';

export interface Fetch_DetailsInput {
  readonly DoctorID: number;
  readonly RegistrationNumber?: string | undefined;
  readonly app_date: DateTimeValue;
  readonly app_time: DateTimeValue;
  readonly title?: string | undefined;
  readonly Name?: string | undefined;
  readonly Sex?: string | undefined;
  readonly Age?: string | undefined;
  readonly area?: string | undefined;
  readonly contactnumber?: string | undefined;
  readonly email?: string | undefined;
  readonly centerid: number;
}

export interface Appointment_Status_UpdatesInput {
  readonly AppointmentID: number;
  readonly type: number;
  readonly appdate?: DateTimeValue | undefined;
  readonly apptime?: DateTimeValue | undefined;
  readonly centerid: number;
}

export interface FB_Push_DetailsInput {
  readonly ipno?: string | undefined;
  readonly roomno?: string | undefined;
  readonly moblieno?: string | undefined;
  readonly dept?: string | undefined;
  readonly needsimprovementcommit?: string | undefined;
}

export interface OPAppointmentdetailInput {
  readonly doctorid: number;
  readonly appdate: DateTimeValue;
  readonly centerid: number;
}

export interface Appointment_StatusInput {
  readonly AppointmentID: number;
  readonly centerid: number;
}

export interface Sent_SMSInput {
  readonly Mobileno?: string | undefined;
  readonly Message?: string | undefined;
  readonly tempid: number;
  readonly SMSmode: number;
}

export interface GetDoctorInput {
  readonly centerid: number;
}

export type AppointmentBooking = {
  readonly ResultCode: number;
  readonly ResultText?: string | undefined;
  readonly AppointmentID?: number | undefined;
  readonly Status?: number | undefined;
  readonly StatusText?: string | undefined;
  readonly DoctorID?: number | undefined;
  readonly DoctorName?: string | undefined;
  readonly RegistrationNumber?: string | undefined;
  readonly app_date?: string | undefined;
  readonly app_time?: string | undefined;
  readonly TokenNo?: number | undefined;
  readonly centerid?: number | undefined;
};

export type AppointmentChange = {
  readonly ResultCode: number;
  readonly ResultText?: string | undefined;
  readonly AppointmentID?: number | undefined;
  readonly type?: number | undefined;
  readonly PreviousStatus?: number | undefined;
  readonly Status?: number | undefined;
  readonly StatusText?: string | undefined;
  readonly appdate?: string | undefined;
  readonly apptime?: string | undefined;
  readonly Changed?: boolean | undefined;
  readonly centerid?: number | undefined;
  readonly TokenNo?: number | undefined;
};

export type FeedbackReceipt = {
  readonly ResultCode: number;
  readonly ResultText?: string | undefined;
  readonly FeedbackID?: number | undefined;
  readonly ReceivedOn?: string | undefined;
};

export type DoctorDay = {
  readonly ResultCode: number;
  readonly ResultText?: string | undefined;
  readonly TotalCount?: number | undefined;
  readonly Appointments?: ArrayOfAppointment | undefined;
};

export type ArrayOfAppointment = {
  readonly Appointment: readonly Appointment[];
};

export type Appointment = {
  readonly TokenNo: number;
  readonly AppointmentID: number;
  readonly RegistrationNumber?: string | undefined;
  readonly title?: string | undefined;
  readonly Name?: string | undefined;
  readonly Sex?: string | undefined;
  readonly Age?: string | undefined;
  readonly area?: string | undefined;
  readonly contactnumber?: string | undefined;
  readonly appdate: string;
  readonly apptime: string;
  readonly Status: number;
  readonly StatusText?: string | undefined;
};

export type AppointmentState = {
  readonly ResultCode: number;
  readonly ResultText?: string | undefined;
  readonly AppointmentID?: number | undefined;
  readonly DoctorID?: number | undefined;
  readonly DoctorName?: string | undefined;
  readonly appdate?: string | undefined;
  readonly apptime?: string | undefined;
  readonly Status?: number | undefined;
  readonly StatusText?: string | undefined;
  readonly RescheduleCount?: number | undefined;
  readonly UpdatedOn?: string | undefined;
  readonly centerid?: number | undefined;
  readonly TokenNo?: number | undefined;
};

export type MessageReceipt = {
  readonly ResultCode: number;
  readonly ResultText?: string | undefined;
  readonly SMSID?: number | undefined;
  readonly Mobileno?: string | undefined;
  readonly Segments?: number | undefined;
  readonly Encoding?: string | undefined;
  readonly Status?: number | undefined;
  readonly StatusText?: string | undefined;
};

export type DoctorList = {
  readonly ResultCode: number;
  readonly ResultText?: string | undefined;
  readonly Doctors?: ArrayOfDoctor | undefined;
};

export type ArrayOfDoctor = {
  readonly Doctor: readonly Doctor[];
};

export type Doctor = {
  readonly DoctorID: number;
  readonly DoctorName?: string | undefined;
  readonly Department?: string | undefined;
  readonly Specialization?: string | undefined;
  readonly Qualification?: string | undefined;
  readonly SlotMinutes: number;
  readonly OPDays?: string | undefined;
  readonly OPTimings?: string | undefined;
  readonly centerid: number;
};

/** One function per operation. `Context` is what a call carries besides its parameters. */
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
