export type Engine = 'sqlite' | 'postgres';

/**
 * SQLite's tables are STRICT: otherwise a text fits into a column of integers. On PostgreSQL, texts are compared byte by byte: this gives the
 * same order as in SQLite, whatever locale the server was set up with, and a newer system library cannot change the order of an index.
 */
const TYPES = {
  sqlite: {
    counted: 'integer NOT NULL PRIMARY KEY AUTOINCREMENT',
    big: 'integer',
    text: 'text',
    isDay: (column: string) => `${column} GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'`,
    end: ' STRICT',
  },
  postgres: {
    counted: 'integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    big: 'bigint',
    text: 'text COLLATE "C"',
    isDay: (column: string) => `${column} ~ '^[0-9]{4}-[01][0-9]-[0-3][0-9]$'`,
    end: '',
  },
} as const;

/** Compares with each value in turn: for an IN, SQLite builds a table of the values for each inserted row. */
const isOneOf = (column: string, values: readonly (string | number)[]): string =>
  values.map((value) => `${column} = ${typeof value === 'string' ? `'${value}'` : value}`).join(' OR ');

/** All or none of the columns are null. */
export const together = ([first = '', ...others]: readonly string[]): string =>
  others.map((column) => `(${first} IS NULL) = (${column} IS NULL)`).join(' AND ');

/** Once a person's data is erased, `key` is null, and so is everything else that identifies the person. */
export const erasedWith = (key: string, others: readonly string[]): string =>
  `${key} IS NOT NULL OR (${others.map((column) => `${column} IS NULL`).join(' AND ')})`;

/** Appointments with this status or a lower one occupy their slot. */
export const LAST_HOLDING_STATUS = 4;
/** Minutes. */
const LONGEST_SLOT = 240;
/** In wall minutes, of which a slot has more where the clocks skip some. The guards look back only so far, so they would miss a longer one. */
export const LONGEST_SPAN = 360;

const MINUTES_PER_DAY = 1440;
/** Of 150 years. */
const MOST_AGE_IN_DAYS = 54_787;
const MOST_SEATS = 1000;

/**
 * All tables, with their checks and keys. What follows `--` describes the table or the column, once: SQLite keeps it with the definition,
 * PostgreSQL gets it as comments (`0001-reports.ts`), and docs/operators/database.md is generated from it.
 */
export function tables(engine: Engine): readonly string[] {
  const { counted, big, text, isDay, end } = TYPES[engine];
  const created = [
    `center ( -- A site of the hospital. Kept until an import changes it.
      id integer NOT NULL PRIMARY KEY, -- centerid in calls
      name ${text} NOT NULL, -- Shown to callers
      time_zone ${text} NOT NULL -- IANA name, such as Asia/Kolkata
    )`,
    `doctor ( -- A doctor as one center knows them: a person who works in two centers has two rows. Kept forever; an import makes a doctor inactive.
      center_id integer NOT NULL REFERENCES center, -- The center
      id integer NOT NULL, -- DoctorID: unique within the center
      name ${text} NOT NULL, -- DoctorName
      department ${text}, -- Shown to callers
      specialization ${text}, -- Shown to callers
      qualification ${text}, -- Shown to callers
      slot_minutes integer NOT NULL CONSTRAINT doctor_slot_minutes CHECK (slot_minutes BETWEEN 5 AND ${LONGEST_SLOT}), -- Length of a slot (HL7 FHIR Slot)
      capacity integer NOT NULL CONSTRAINT doctor_capacity CHECK (capacity BETWEEN 1 AND ${MOST_SEATS}), -- Patients per slot
      active integer NOT NULL CONSTRAINT doctor_active CHECK (active BETWEEN 0 AND 1), -- 1 while the doctor can be booked and is listed, otherwise 0
      CONSTRAINT doctor_key PRIMARY KEY (center_id, id)
    )`,
    `opening_hours ( -- One time range of a doctor’s week (HL7 FHIR Schedule). Kept until an import replaces it.
      id ${counted}, -- Number of the row
      center_id integer NOT NULL, -- The center
      doctor_id integer NOT NULL, -- The doctor
      weekday integer NOT NULL CONSTRAINT opening_hours_weekday CHECK (weekday BETWEEN 1 AND 7), -- ISO 8601: 1 Monday to 7 Sunday
      from_minute_of_day integer NOT NULL, -- Inclusive
      to_minute_of_day integer NOT NULL, -- Exclusive
      first_day ${text} CONSTRAINT opening_hours_first_day CHECK (${isDay('first_day')}), -- Inclusive; null if there is no first day
      last_day ${text} CONSTRAINT opening_hours_last_day CHECK (${isDay('last_day')}), -- Inclusive; null if there is no last day
      CONSTRAINT opening_hours_doctor FOREIGN KEY (center_id, doctor_id) REFERENCES doctor,
      CONSTRAINT opening_hours_minutes
        CHECK (from_minute_of_day >= 0 AND from_minute_of_day < to_minute_of_day AND to_minute_of_day <= ${MINUTES_PER_DAY}),
      CONSTRAINT opening_hours_days CHECK (first_day <= last_day)
    )`,
    `doctor_leave ( -- A time at which a doctor takes no appointments. Kept until an import replaces it.
      id ${counted}, -- Number of the row
      center_id integer NOT NULL, -- The center
      doctor_id integer NOT NULL, -- The doctor
      from_wall_minute ${big} NOT NULL, -- Inclusive
      to_wall_minute ${big} NOT NULL, -- Exclusive
      CONSTRAINT doctor_leave_doctor FOREIGN KEY (center_id, doctor_id) REFERENCES doctor,
      CONSTRAINT doctor_leave_span CHECK (from_wall_minute < to_wall_minute)
    )`,
    `appointment ( -- An appointment, in any status. Kept for APPOINTMENT_RETENTION_DAYS after its day.
      center_id integer NOT NULL, -- The center
      id integer NOT NULL CONSTRAINT appointment_id CHECK (id >= 1), -- AppointmentID: unique within its center
      doctor_id integer NOT NULL, -- The doctor
      start_wall_minute ${big} NOT NULL, -- Inclusive
      end_wall_minute ${big} NOT NULL, -- Exclusive
      seat integer NOT NULL CONSTRAINT appointment_seat CHECK (seat >= 1), -- 1 to the doctor’s capacity, or beyond for an overlap
      token_no integer NOT NULL CONSTRAINT appointment_token_no CHECK (token_no >= 1), -- TokenNo: number in the doctor’s day
      status integer NOT NULL CONSTRAINT appointment_status CHECK (status BETWEEN 1 AND 7), -- 1 Pending, 2 Booked, 3 Arrived, 4 InConsultation, 5 Completed, 6 Cancelled, 7 NoShow; 1 to 4 occupy the slot
      overlapping integer NOT NULL CONSTRAINT appointment_overlapping CHECK (overlapping BETWEEN 0 AND 1), -- 1 if it was imported although it overlaps others, otherwise 0
      reschedule_count integer NOT NULL CONSTRAINT appointment_reschedule_count CHECK (reschedule_count >= 0), -- How often it was moved to another time
      registration_key ${text}, -- registration_number in the form used for comparison; null without a usable number
      registration_number ${text}, -- As it was sent
      name_key ${text}, -- name in the form used for comparison
      name ${text}, -- As it was sent
      title ${text}, -- As it was sent
      sex ${text} NOT NULL CONSTRAINT appointment_sex CHECK (${isOneOf('sex', ['M', 'F', 'O', 'U'])}), -- M, F, O other, U unknown
      age_text ${text}, -- As it was sent
      age_value integer CONSTRAINT appointment_age_value CHECK (age_value BETWEEN 0 AND ${MOST_AGE_IN_DAYS}), -- In the unit of age_unit
      age_unit ${text} CONSTRAINT appointment_age_unit CHECK (${isOneOf('age_unit', ['Y', 'M', 'W', 'D'])}), -- Y years, M months, W weeks, D days
      area ${text}, -- Where the patient lives
      phone ${text}, -- E.164
      email ${text}, -- As it was sent
      created_on ${big} NOT NULL, -- When it was booked or imported
      updated_on ${big} NOT NULL, -- When the row last changed
      CONSTRAINT appointment_key PRIMARY KEY (center_id, id),
      CONSTRAINT appointment_doctor FOREIGN KEY (center_id, doctor_id) REFERENCES doctor,
      CONSTRAINT appointment_length CHECK (end_wall_minute - start_wall_minute BETWEEN 1 AND ${LONGEST_SPAN}),
      CONSTRAINT appointment_registration CHECK (${together(['registration_key', 'registration_number'])}),
      CONSTRAINT appointment_age CHECK (${together(['age_text', 'age_value', 'age_unit'])}),
      CONSTRAINT appointment_patient CHECK (${together(['name', 'name_key', 'phone'])}),
      CONSTRAINT appointment_erased CHECK (${erasedWith('name', ['registration_key', 'title', 'age_text', 'area', 'email'])})
    )`,
    `day_token ( -- The last token issued for a doctor’s day. Tokens are never reused, even if appointments are cancelled or moved. Kept forever.
      center_id integer NOT NULL, -- The center
      doctor_id integer NOT NULL, -- The doctor
      day ${text} NOT NULL CONSTRAINT day_token_day CHECK (${isDay('day')}), -- On the center’s clock
      last_token integer NOT NULL CONSTRAINT day_token_last_token CHECK (last_token >= 1), -- The highest TokenNo of the day
      CONSTRAINT day_token_key PRIMARY KEY (center_id, doctor_id, day),
      CONSTRAINT day_token_doctor FOREIGN KEY (center_id, doctor_id) REFERENCES doctor
    )`,
    `feedback ( -- Feedback of an inpatient. Kept for FEEDBACK_RETENTION_DAYS.
      id ${counted}, -- FeedbackID
      inpatient_number ${text}, -- ipno
      room ${text}, -- roomno
      mobile ${text}, -- moblieno, as it was sent
      department ${text}, -- dept
      comment ${text}, -- needsimprovementcommit
      content_hash ${text}, -- SHA-256 of everything that was sent and of the client, to find the same feedback; short texts can be guessed from it
      received_on ${big} NOT NULL, -- When it was received
      updated_on ${big} NOT NULL, -- When the row last changed: when it was received, or erased
      client ${text} NOT NULL, -- Who sent it, as named in the clients file
      CONSTRAINT feedback_erased CHECK (${erasedWith('inpatient_number', ['room', 'mobile', 'comment', 'content_hash'])})
    )`,
    `message_template ( -- A text that messages may be sent with, as in TRAI’s DLT registers. Kept until an import replaces it.
      template_id integer NOT NULL PRIMARY KEY CONSTRAINT message_template_id CHECK (template_id >= 1), -- tempid: the number that callers use to name it
      dlt_template_id ${text}, -- Up to 19 digits
      principal_entity_id ${text}, -- DLT’s id of the hospital
      header ${text}, -- The sender that phones show
      category ${text}, -- As registered
      text ${text} NOT NULL, -- Each {#var#} in it stands for a value
      active integer NOT NULL CONSTRAINT message_template_active CHECK (active BETWEEN 0 AND 1) -- 1 while messages may be sent with it, otherwise 0
    )`,
    // No foreign key to the template: 0 means none.
    `message ( -- The outbox: text messages are sent from here after the request that queued them was answered. Kept for OUTBOX_RETENTION_DAYS after it was queued.
      id ${counted}, -- SMSID
      mobile ${text}, -- E.164
      text ${text}, -- As it is sent
      template_id integer NOT NULL CONSTRAINT message_template_number CHECK (template_id >= 0), -- The template, or 0 for none
      mode integer NOT NULL CONSTRAINT message_mode CHECK (mode BETWEEN 1 AND 4), -- 1 service, 2 promotional, 3 OTP, 4 flash
      encoding ${text} NOT NULL CONSTRAINT message_encoding CHECK (${isOneOf('encoding', ['GSM-7', 'UCS-2'])}), -- GSM-7 or UCS-2
      segments integer NOT NULL CONSTRAINT message_segments CHECK (segments BETWEEN 1 AND 255), -- Parts in which a phone receives it
      status integer NOT NULL CONSTRAINT message_status CHECK (status BETWEEN 1 AND 8), -- 1 Queued, 2 Sending, 3 Submitted, 4 Delivered, 5 Failed, 6 Expired, 7 Rejected, 8 Dead
      queued_on ${big} NOT NULL, -- When the call was answered
      priority integer NOT NULL DEFAULT 0 CONSTRAINT message_priority CHECK (priority BETWEEN -1 AND 1), -- 1 OTP, 0 normal, -1 held back until its hours; the highest is sent first
      due_on ${big} NOT NULL DEFAULT 0, -- Not sent before; of the messages that are due, the one due longest is sent first
      expires_on ${big}, -- Not sent after; null for no limit
      attempts integer NOT NULL DEFAULT 0 CONSTRAINT message_attempts CHECK (attempts >= 0), -- How often it was handed to a gateway, or was about to be
      takeovers integer NOT NULL DEFAULT 0 CONSTRAINT message_takeovers CHECK (takeovers >= 0), -- How often a process disappeared between handing it to the gateway and recording the outcome
      unanswered integer NOT NULL DEFAULT 0 CONSTRAINT message_unanswered CHECK (unanswered >= 0), -- Attempts after which it was unknown whether the gateway had accepted it
      leased_by ${text}, -- While it is Sending: the process that has it; null while its outcome is unknown and a receipt is awaited
      lease_ends_on ${big}, -- After it, the process is considered gone, or the answer lost
      submitted_on ${big}, -- When the gateway accepted it
      finished_on ${big}, -- When its last status was reached
      gateway ${text}, -- The gateway that accepted it
      gateway_reference ${text}, -- The gateway’s own id for it
      last_code ${text}, -- A word or number that explains its status
      header ${text}, -- Copied from its template when it was queued
      dlt_template_id ${text}, -- Copied like header
      principal_entity_id ${text}, -- Copied like header
      client ${text} NOT NULL, -- Who queued it, as named in the clients file
      correlation_id ${text}, -- Of the call that queued it
      CONSTRAINT message_erased CHECK (${together(['mobile', 'text'])} AND (${erasedWith('mobile', ['gateway_reference'])}))
    )`,
    `outbox_lease ( -- One row: the process that works on the outbox. Kept forever.
      name ${text} NOT NULL PRIMARY KEY CONSTRAINT outbox_lease_one_row CHECK (name = 'outbox'), -- outbox
      holder ${text}, -- The process; null if none
      lease_ends_on ${big} NOT NULL -- After it, another process may take over
    )`,
    `idempotency_key ( -- The answer that was sent for an Idempotency-Key, for callers that retry. Kept for 24 hours.
      key ${text} NOT NULL PRIMARY KEY, -- The client’s name and the key
      fingerprint ${text}, -- Hash of the operation and its parameters
      answer ${text}, -- The result record as JSON
      used_on ${big} NOT NULL, -- When the answer was sent
      CONSTRAINT idempotency_key_erased CHECK (${together(['fingerprint', 'answer'])})
    )`,
    `ws_nonce ( -- A nonce of a WS-Security message that was accepted. Kept until it expires.
      nonce_hash ${text} NOT NULL PRIMARY KEY, -- Hash of the nonce
      expires_on ${big} NOT NULL -- After it, its message is too old to be accepted anyway
    )`,
    // No foreign keys, because a refused call may name an appointment that does not exist, and rows outlive what they are about.
    `audit_event ( -- The audit trail: one row per call that changed something, showed patient data or was refused (HL7 FHIR R4 AuditEvent). Rows never change. Kept for AUDIT_RETENTION_DAYS; proofs of an erasure forever.
      id ${counted}, -- AuditID
      recorded_on ${big} NOT NULL, -- When the row was written
      operation ${text}, -- Name in the contract; null if a call was refused before it was read
      action ${text} NOT NULL CONSTRAINT audit_event_action CHECK (${isOneOf('action', ['C', 'R', 'U', 'E'])}), -- C create, R read, U update, E execute
      outcome integer NOT NULL CONSTRAINT audit_event_outcome CHECK (${isOneOf('outcome', [0, 4, 8])}), -- 0 success, 4 minor failure (a refusal), 8 serious failure
      result_code integer CONSTRAINT audit_event_result_code CHECK (result_code >= 0), -- As in the answer
      error_code ${text}, -- Code of the fault
      client ${text} NOT NULL, -- As named in the clients file
      address ${text}, -- The caller’s address, or only its network
      transport ${text} -- soap11, soap12, httpGet or httpPost
        CONSTRAINT audit_event_transport CHECK (${isOneOf('transport', ['soap11', 'soap12', 'httpGet', 'httpPost'])}),
      correlation_id ${text} NOT NULL, -- As in the log and the answer
      center_id integer, -- The center
      appointment_id integer, -- AppointmentID
      doctor_id integer, -- The doctor
      day ${text} CONSTRAINT audit_event_day CHECK (${isDay('day')}), -- The doctor’s day that was listed
      feedback_id integer, -- FeedbackID
      message_id integer, -- SMSID
      shown ${text}, -- The records that were shown, or deleted by the retention, if there may be several, with spaces: 1/12 (center and AppointmentID), feedback:7, message:5
      operator ${text}, -- The user of the operating system, for a command
      reference ${text}, -- What the operator gave as the reason of a command, such as the number of a ticket
      move_name ${text}, -- Book, or the name of the move
      corrected ${text}, -- Names of the parameters whose earlier values a repeated booking replaced, with commas
      from_status integer CONSTRAINT audit_event_from_status CHECK (from_status BETWEEN 1 AND 7), -- Before the move
      to_status integer CONSTRAINT audit_event_to_status CHECK (to_status BETWEEN 1 AND 7), -- After the move
      from_start_wall_minute ${big}, -- Before the move
      to_start_wall_minute ${big} -- After the move
    )`,
    `service_fact ( -- What the service remembers about its own database, such as whether it contains demo data. Kept forever.
      name ${text} NOT NULL PRIMARY KEY, -- Name of the fact
      value ${text} NOT NULL -- Its value, as text
    )`,
    `reference_version ( -- One row, which counts the changes to centers, doctors, opening hours and leave. The database itself does the counting. Kept forever.
      id integer NOT NULL PRIMARY KEY CONSTRAINT reference_version_one_row CHECK (id = 1), -- 1
      version integer NOT NULL -- The count
    )`,
  ];
  return [...created.map((table) => `CREATE TABLE ${table}${end}`), 'INSERT INTO reference_version VALUES (1, 1)'];
}

/** Messages with this status or a lower one are still to be sent, or being sent. */
export const LAST_UNSENT_STATUS = 2;

const HOLDING = `status <= ${LAST_HOLDING_STATUS}`;

/** For the queries; those of the guards are included, because they decide how fast a booking is. */
export const INDEXES: readonly string[] = [
  'opening_hours_by_doctor ON opening_hours (center_id, doctor_id, weekday, from_minute_of_day)',
  'doctor_leave_by_doctor ON doctor_leave (center_id, doctor_id, to_wall_minute)',
  'appointment_by_doctor ON appointment (center_id, doctor_id, start_wall_minute, id)',
  'appointment_listed_by_doctor ON appointment (center_id, doctor_id, start_wall_minute, id) WHERE status <> 6',
  `appointment_standing_by_doctor ON appointment (center_id, doctor_id, start_wall_minute, end_wall_minute, seat) WHERE ${HOLDING}`,
  'appointment_by_name ON appointment (name_key, center_id, start_wall_minute)',
  'appointment_by_phone ON appointment (phone)',
  'appointment_by_registration ON appointment (registration_key)',
  'appointment_by_change ON appointment (updated_on, center_id, id)',
  `appointment_overlapping_by_doctor ON appointment (center_id, doctor_id, start_wall_minute) WHERE overlapping = 1 AND ${HOLDING}`,
  'feedback_by_content ON feedback (content_hash, received_on)',
  'feedback_by_time ON feedback (received_on)',
  'feedback_by_change ON feedback (updated_on, id)',
  'message_by_mobile ON message (mobile, queued_on)',
  'message_by_client ON message (client, status, priority)',
  `message_unsent_by_mobile ON message (mobile, priority, id) WHERE status <= ${LAST_UNSENT_STATUS}`,
  'message_by_due ON message (status, priority, due_on, id)',
  'message_by_expiry ON message (status, expires_on)',
  'message_by_age ON message (status, queued_on)',
  'message_by_reference ON message (gateway_reference, id) WHERE gateway_reference IS NOT NULL',
  'idempotency_key_by_age ON idempotency_key (used_on)',
  'ws_nonce_by_expiry ON ws_nonce (expires_on)',
  'audit_event_by_time ON audit_event (recorded_on, id)',
  'audit_event_by_appointment ON audit_event (appointment_id, id) WHERE appointment_id IS NOT NULL',
  'audit_event_by_feedback ON audit_event (feedback_id, id) WHERE feedback_id IS NOT NULL',
  'audit_event_by_message ON audit_event (message_id, id) WHERE message_id IS NOT NULL',
  'audit_event_by_doctor ON audit_event (doctor_id, recorded_on, id) WHERE doctor_id IS NOT NULL',
  'audit_event_by_day ON audit_event (day, recorded_on, id) WHERE day IS NOT NULL',
  'audit_event_by_operation ON audit_event (operation, recorded_on, id) WHERE operation IS NOT NULL',
  'audit_event_showing ON audit_event (center_id, doctor_id) WHERE shown IS NOT NULL',
].map((index) => `CREATE INDEX ${index}`);
