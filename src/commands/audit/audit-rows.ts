import { formatInstant } from '../../rules/time-zone.ts';
import { formatWallMinute } from '../../rules/wall-minute.ts';
import type { AuditEvent } from '../../store/queries/audit-queries.ts';
import { resultCodeName } from '../../vocabulary/result-codes.ts';

type Cell = string | number;

/** The columns of an export, named as in the contract where it has a name for them. */
const COLUMNS: Readonly<Record<string, (event: AuditEvent) => Cell | null>> = {
  AuditID: ({ id }) => id,
  RecordedOn: ({ recordedOn }) => formatInstant(recordedOn),
  Operation: ({ operation }) => operation,
  Action: ({ action }) => action,
  Outcome: ({ outcome }) => outcome,
  ResultCode: ({ resultCode }) => resultCode,
  Code: ({ errorCode }) => errorCode,
  Client: ({ client }) => client,
  Address: ({ address }) => address,
  Transport: ({ transport }) => transport,
  CorrelationId: ({ correlationId }) => correlationId,
  centerid: ({ centerId }) => centerId,
  AppointmentID: ({ appointmentId }) => appointmentId,
  DoctorID: ({ doctorId }) => doctorId,
  Day: ({ day }) => day,
  FeedbackID: ({ feedbackId }) => feedbackId,
  SMSID: ({ messageId }) => messageId,
  Shown: ({ shown }) => shown,
  Operator: ({ operator }) => operator,
  Reference: ({ reference }) => reference,
  Move: ({ moveName }) => moveName,
  FromStatus: ({ fromStatus }) => fromStatus,
  ToStatus: ({ toStatus }) => toStatus,
  FromStart: ({ fromStart }) => (fromStart === null ? null : formatWallMinute(fromStart)),
  ToStart: ({ toStart }) => (toStart === null ? null : formatWallMinute(toStart)),
  Corrected: ({ corrected }) => corrected,
};

export const AUDIT_TITLES: readonly string[] = Object.keys(COLUMNS);

/** The cells of a row by their titles, without those that are empty. */
export const auditRow = (event: AuditEvent): Readonly<Record<string, Cell>> =>
  Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([title, cell]) => {
      const value = cell(event);
      return value === null ? [] : [[title, value]];
    }),
  );

const coding = (system: string, code: string, display: string) => ({ system, code, display });

const DICOM = 'http://dicom.nema.org/resources/ontology/DCM';
const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem';
/** Source: FHIR's value set network-type. */
const IP_ADDRESS = '2';
const PATIENT_RECORD = coding(DICOM, '110110', 'Patient Record');
const SECURITY_ALERT = coding(DICOM, '110113', 'Security Alert');
const SOURCE = coding(DICOM, '110153', 'Source Role ID');
const APPLICATION_SERVER = coding(`${TERMINOLOGY}/security-source-type`, '4', 'Application Server');
const DOMAIN_RESOURCE = coding(`${TERMINOLOGY}/object-role`, '4', 'Domain Resource');
const SYSTEM_OBJECT = coding(`${TERMINOLOGY}/audit-entity-type`, '2', 'System Object');

/** What a row can be about: the contract's name for its id, and FHIR's name for the resource. */
const SUBJECTS: readonly (readonly [id: keyof AuditEvent, name: string, resource: string])[] = [
  ['appointmentId', 'AppointmentID', 'Appointment'],
  ['doctorId', 'DoctorID', 'Practitioner'],
  ['centerId', 'centerid', 'Location'],
  ['feedbackId', 'FeedbackID', 'QuestionnaireResponse'],
  ['messageId', 'SMSID', 'Communication'],
];

/**
 * A row as an AuditEvent resource. `namespace` is that of the deployment: its names are used there as codes and identifiers. Source: HL7
 * FHIR R4 (4.0.1) AuditEvent.
 */
export function fhirAuditEvent(event: AuditEvent, namespace: string): object {
  const { operation, client, address } = event;
  return {
    resourceType: 'AuditEvent',
    id: String(event.id),
    type: operation === null ? SECURITY_ALERT : PATIENT_RECORD,
    ...(operation === null ? {} : { subtype: [coding(namespace, operation, operation)] }),
    action: event.action,
    recorded: formatInstant(event.recordedOn),
    outcome: String(event.outcome),
    outcomeDesc: outcomeText(event),
    agent: [
      {
        type: { coding: [SOURCE] },
        who: { display: client },
        altId: client,
        requestor: true,
        ...(address === null ? {} : { network: { address, type: IP_ADDRESS } }),
      },
    ],
    source: { observer: { display: 'TPWebServices' }, type: [APPLICATION_SERVER] },
    entity: [callOf(event), ...subjectsOf(event, namespace)],
  };
}

function outcomeText({ resultCode, errorCode }: AuditEvent): string | undefined {
  if (errorCode !== null) return errorCode;
  return resultCode === null ? undefined : `${resultCode} ${resultCodeName(resultCode) ?? ''}`;
}

/** With every column as a detail, because FHIR has no element for some. */
const callOf = (event: AuditEvent): object => ({
  what: { identifier: { value: event.correlationId } },
  type: SYSTEM_OBJECT,
  name: 'call',
  detail: Object.entries(auditRow(event)).map(([type, value]) => ({ type, valueString: String(value) })),
});

const subjectsOf = (event: AuditEvent, namespace: string): readonly object[] =>
  SUBJECTS.flatMap(([id, name, resource]) => {
    const value = event[id];
    if (value === null) return [];
    const system = `${namespace.replace(/\/$/, '')}/${name}`;
    return [
      {
        what: { type: resource, identifier: { system, value: String(value) } },
        type: coding('http://hl7.org/fhir/resource-types', resource, resource),
        role: DOMAIN_RESOURCE,
      },
    ];
  });
