export type Engine = 'sqlite' | 'postgres';

/**
 * SQLite's tables are STRICT: otherwise a text fits into a column of integers. On PostgreSQL, texts are compared byte by byte: this gives the
 * same order as in SQLite, whatever locale the server was set up with, and a newer system library cannot change the order of an index.
 */
const TYPES = {
  sqlite: { counted: 'integer NOT NULL PRIMARY KEY AUTOINCREMENT', big: 'integer', text: 'text', end: ' STRICT' },
  postgres: {
    counted: 'integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    big: 'bigint',
    text: 'text COLLATE "C"',
    end: '',
  },
} as const;

/**
 * Compares with each value in turn. For an IN, SQLite builds a table of the values for each inserted row: two of those were half of the cost
 * of an audit row.
 */
const isOneOf = (column: string, values: readonly (string | number)[]): string =>
  values.map((value) => `${column} = ${typeof value === 'string' ? `'${value}'` : value}`).join(' OR ');

/** All or none of the columns are null. */
const together = ([first = '', ...others]: readonly string[]): string =>
  others.map((column) => `(${first} IS NULL) = (${column} IS NULL)`).join(' AND ');

/** Once a person's data is erased, `key` is null, and so is everything else that identifies the person. */
const erasedWith = (key: string, others: readonly string[]): string =>
  `${key} IS NOT NULL OR (${others.map((column) => `${column} IS NULL`).join(' AND ')})`;

/** Appointments with this status or a lower one occupy their slot. */
export const LAST_HOLDING_STATUS = 4;
/** Minutes. */
const LONGEST_SLOT = 240;
/** In wall minutes, of which a slot has more where the clocks skip some. The guards look back only so far, so they would miss a longer one. */
export const LONGEST_SPAN = 360;

const MINUTES_PER_DAY = 1440;

/** All tables, with their checks and keys. What the columns mean is in `schema.ts`. */
export function tables(engine: Engine): readonly string[] {
  const { counted, big, text, end } = TYPES[engine];
  const created = [
    `center (
      id integer NOT NULL PRIMARY KEY,
      name ${text} NOT NULL,
      time_zone ${text} NOT NULL
    )`,
    `doctor (
      center_id integer NOT NULL REFERENCES center,
      id integer NOT NULL,
      name ${text} NOT NULL,
      department ${text},
      specialization ${text},
      qualification ${text},
      slot_minutes integer NOT NULL CONSTRAINT doctor_slot_minutes CHECK (slot_minutes BETWEEN 5 AND ${LONGEST_SLOT}),
      capacity integer NOT NULL CONSTRAINT doctor_capacity CHECK (capacity >= 1),
      active integer NOT NULL CONSTRAINT doctor_active CHECK (active BETWEEN 0 AND 1),
      CONSTRAINT doctor_key PRIMARY KEY (center_id, id)
    )`,
    `opening_hours (
      id ${counted},
      center_id integer NOT NULL,
      doctor_id integer NOT NULL,
      weekday integer NOT NULL CONSTRAINT opening_hours_weekday CHECK (weekday BETWEEN 1 AND 7),
      from_minute_of_day integer NOT NULL,
      to_minute_of_day integer NOT NULL,
      first_day ${text} CONSTRAINT opening_hours_first_day CHECK (first_day LIKE '____-__-__'),
      last_day ${text} CONSTRAINT opening_hours_last_day CHECK (last_day LIKE '____-__-__'),
      CONSTRAINT opening_hours_doctor FOREIGN KEY (center_id, doctor_id) REFERENCES doctor,
      CONSTRAINT opening_hours_minutes
        CHECK (from_minute_of_day >= 0 AND from_minute_of_day < to_minute_of_day AND to_minute_of_day <= ${MINUTES_PER_DAY}),
      CONSTRAINT opening_hours_days CHECK (first_day <= last_day)
    )`,
    `doctor_leave (
      id ${counted},
      center_id integer NOT NULL,
      doctor_id integer NOT NULL,
      from_wall_minute ${big} NOT NULL,
      to_wall_minute ${big} NOT NULL,
      CONSTRAINT doctor_leave_doctor FOREIGN KEY (center_id, doctor_id) REFERENCES doctor,
      CONSTRAINT doctor_leave_span CHECK (from_wall_minute < to_wall_minute)
    )`,
    `appointment (
      center_id integer NOT NULL,
      id integer NOT NULL CONSTRAINT appointment_id CHECK (id >= 1),
      doctor_id integer NOT NULL,
      start_wall_minute ${big} NOT NULL,
      end_wall_minute ${big} NOT NULL,
      seat integer NOT NULL CONSTRAINT appointment_seat CHECK (seat >= 1),
      token_no integer NOT NULL CONSTRAINT appointment_token_no CHECK (token_no >= 1),
      status integer NOT NULL CONSTRAINT appointment_status CHECK (status BETWEEN 1 AND 7),
      overlapping integer NOT NULL CONSTRAINT appointment_overlapping CHECK (overlapping BETWEEN 0 AND 1),
      reschedule_count integer NOT NULL CONSTRAINT appointment_reschedule_count CHECK (reschedule_count >= 0),
      registration_key ${text},
      registration_number ${text},
      name_key ${text},
      name ${text},
      title ${text},
      sex ${text} NOT NULL CONSTRAINT appointment_sex CHECK (${isOneOf('sex', ['M', 'F', 'O', 'U'])}),
      age_text ${text},
      age_value integer CONSTRAINT appointment_age_value CHECK (age_value >= 0),
      age_unit ${text} CONSTRAINT appointment_age_unit CHECK (${isOneOf('age_unit', ['Y', 'M', 'W', 'D'])}),
      area ${text},
      phone ${text},
      email ${text},
      created_on ${big} NOT NULL,
      updated_on ${big} NOT NULL,
      CONSTRAINT appointment_key PRIMARY KEY (center_id, id),
      CONSTRAINT appointment_doctor FOREIGN KEY (center_id, doctor_id) REFERENCES doctor,
      CONSTRAINT appointment_length CHECK (end_wall_minute - start_wall_minute BETWEEN 1 AND ${LONGEST_SPAN}),
      CONSTRAINT appointment_registration CHECK (${together(['registration_key', 'registration_number'])}),
      CONSTRAINT appointment_age CHECK (${together(['age_text', 'age_value', 'age_unit'])}),
      CONSTRAINT appointment_patient CHECK (${together(['name', 'name_key', 'phone'])}),
      CONSTRAINT appointment_erased CHECK (${erasedWith('name', ['registration_key', 'title', 'age_text', 'area', 'email'])})
    )`,
    `day_token (
      center_id integer NOT NULL,
      doctor_id integer NOT NULL,
      day ${text} NOT NULL CONSTRAINT day_token_day CHECK (day LIKE '____-__-__'),
      last_token integer NOT NULL CONSTRAINT day_token_last_token CHECK (last_token >= 1),
      CONSTRAINT day_token_key PRIMARY KEY (center_id, doctor_id, day),
      CONSTRAINT day_token_doctor FOREIGN KEY (center_id, doctor_id) REFERENCES doctor
    )`,
    `feedback (
      id ${counted},
      inpatient_number ${text},
      room ${text},
      mobile ${text},
      department ${text},
      comment ${text},
      content_hash ${text},
      received_on ${big} NOT NULL,
      client ${text} NOT NULL,
      CONSTRAINT feedback_erased CHECK (${erasedWith('inpatient_number', ['room', 'mobile', 'comment', 'content_hash'])})
    )`,
    `message_template (
      template_id integer NOT NULL PRIMARY KEY CONSTRAINT message_template_id CHECK (template_id >= 1),
      dlt_template_id ${text},
      principal_entity_id ${text},
      header ${text},
      category ${text},
      text ${text} NOT NULL,
      active integer NOT NULL CONSTRAINT message_template_active CHECK (active BETWEEN 0 AND 1)
    )`,
    // No foreign key to the template: 0 means none.
    `message (
      id ${counted},
      mobile ${text},
      text ${text},
      template_id integer NOT NULL CONSTRAINT message_template_number CHECK (template_id >= 0),
      mode integer NOT NULL CONSTRAINT message_mode CHECK (mode BETWEEN 1 AND 4),
      encoding ${text} NOT NULL CONSTRAINT message_encoding CHECK (${isOneOf('encoding', ['GSM-7', 'UCS-2'])}),
      segments integer NOT NULL CONSTRAINT message_segments CHECK (segments BETWEEN 1 AND 255),
      status integer NOT NULL CONSTRAINT message_status CHECK (status BETWEEN 1 AND 8),
      queued_on ${big} NOT NULL,
      priority integer NOT NULL DEFAULT 0,
      due_on ${big} NOT NULL DEFAULT 0,
      expires_on ${big},
      attempts integer NOT NULL DEFAULT 0 CONSTRAINT message_attempts CHECK (attempts >= 0),
      takeovers integer NOT NULL DEFAULT 0 CONSTRAINT message_takeovers CHECK (takeovers >= 0),
      unanswered integer NOT NULL DEFAULT 0 CONSTRAINT message_unanswered CHECK (unanswered >= 0),
      leased_by ${text},
      lease_ends_on ${big},
      submitted_on ${big},
      finished_on ${big},
      gateway ${text},
      gateway_reference ${text},
      last_code ${text},
      header ${text},
      dlt_template_id ${text},
      principal_entity_id ${text},
      client ${text} NOT NULL,
      correlation_id ${text},
      CONSTRAINT message_erased CHECK (${together(['mobile', 'text'])} AND (${erasedWith('mobile', ['gateway_reference'])}))
    )`,
    `outbox_lease (
      name ${text} NOT NULL PRIMARY KEY,
      holder ${text},
      lease_ends_on ${big} NOT NULL
    )`,
    `idempotency_key (
      key ${text} NOT NULL PRIMARY KEY,
      fingerprint ${text},
      answer ${text},
      used_on ${big} NOT NULL,
      CONSTRAINT idempotency_key_erased CHECK (${together(['fingerprint', 'answer'])})
    )`,
    `ws_nonce (
      nonce_hash ${text} NOT NULL PRIMARY KEY,
      expires_on ${big} NOT NULL
    )`,
    // No foreign keys, because a refused call may name an appointment that does not exist, and rows outlive what they are about.
    `audit_event (
      id ${counted},
      recorded_on ${big} NOT NULL,
      operation ${text},
      action ${text} NOT NULL CONSTRAINT audit_event_action CHECK (${isOneOf('action', ['C', 'R', 'U', 'E'])}),
      outcome integer NOT NULL CONSTRAINT audit_event_outcome CHECK (${isOneOf('outcome', [0, 4, 8])}),
      result_code integer CONSTRAINT audit_event_result_code CHECK (result_code >= 0),
      error_code ${text},
      client ${text} NOT NULL,
      address ${text},
      transport ${text}
        CONSTRAINT audit_event_transport CHECK (${isOneOf('transport', ['soap11', 'soap12', 'httpGet', 'httpPost'])}),
      correlation_id ${text} NOT NULL,
      center_id integer,
      appointment_id integer,
      doctor_id integer,
      day ${text} CONSTRAINT audit_event_day CHECK (day LIKE '____-__-__'),
      feedback_id integer,
      message_id integer,
      move_name ${text},
      corrected ${text},
      from_status integer CONSTRAINT audit_event_from_status CHECK (from_status BETWEEN 1 AND 7),
      to_status integer CONSTRAINT audit_event_to_status CHECK (to_status BETWEEN 1 AND 7),
      from_start_wall_minute ${big},
      to_start_wall_minute ${big}
    )`,
    `service_fact (
      name ${text} NOT NULL PRIMARY KEY,
      value ${text} NOT NULL
    )`,
    `reference_version (
      id integer NOT NULL PRIMARY KEY CONSTRAINT reference_version_one_row CHECK (id = 1),
      version integer NOT NULL
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
  `appointment_standing_by_name ON appointment (center_id, name_key, start_wall_minute) WHERE ${HOLDING} AND name_key IS NOT NULL`,
  `appointment_overlapping_by_doctor ON appointment (center_id, doctor_id, start_wall_minute) WHERE overlapping = 1 AND ${HOLDING}`,
  'feedback_by_content ON feedback (content_hash, received_on)',
  'feedback_by_time ON feedback (received_on)',
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
].map((index) => `CREATE INDEX ${index}`);
