import { formatInstant } from '../../rules/time-zone.ts';
import type { AuditEvent } from '../../store/queries/audit-queries.ts';
import { ResultCode } from '../../vocabulary/result-codes.ts';
import { AUDIT_TITLES, auditCells } from './audit-columns.ts';

interface Coding {
  readonly system: string;
  readonly code: string;
  readonly display: string;
}

const DICOM = 'http://dicom.nema.org/resources/ontology/DCM';
const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem';
/** Source: FHIR's value set network-type. */
const IP_ADDRESS = '2';
const PATIENT_RECORD: Coding = { system: DICOM, code: '110110', display: 'Patient Record' };
const SECURITY_ALERT: Coding = { system: DICOM, code: '110113', display: 'Security Alert' };
const SOURCE: Coding = { system: DICOM, code: '110153', display: 'Source Role ID' };
const APPLICATION_SERVER: Coding = {
  system: `${TERMINOLOGY}/security-source-type`,
  code: '4',
  display: 'Application Server',
};
const DOMAIN_RESOURCE: Coding = { system: `${TERMINOLOGY}/object-role`, code: '4', display: 'Domain Resource' };
const SYSTEM_OBJECT: Coding = { system: `${TERMINOLOGY}/audit-entity-type`, code: '2', display: 'System Object' };

/** What a row can be about: the contract's name for its id, and FHIR's name for the resource. */
const SUBJECTS: readonly (readonly [id: keyof AuditEvent, name: string, resource: string])[] = [
  ['appointmentId', 'AppointmentID', 'Appointment'],
  ['doctorId', 'DoctorID', 'Practitioner'],
  ['centerId', 'centerid', 'Location'],
  ['feedbackId', 'FeedbackID', 'QuestionnaireResponse'],
  ['messageId', 'SMSID', 'Communication'],
];

/** Fields for which FHIR has no element, written as details of the call. */
const DETAILS: readonly string[] = ['Transport', 'Day', 'Move', 'FromStatus', 'ToStatus', 'FromStart', 'ToStart'];

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
    ...(operation === null ? {} : { subtype: [{ system: namespace, code: operation, display: operation }] }),
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

function outcomeText({ resultCode, errorCode }: AuditEvent): string {
  if (errorCode !== null) return errorCode;
  const name = Object.entries(ResultCode).find(([, code]) => code === resultCode)?.[0];
  return name === undefined ? `ResultCode ${resultCode}` : `${resultCode} ${name}`;
}

function callOf(event: AuditEvent): object {
  const cells = auditCells(event);
  const detail = DETAILS.flatMap((type) => {
    const value = cells[AUDIT_TITLES.indexOf(type)];
    return value === undefined ? [] : [{ type, valueString: String(value) }];
  });
  return {
    what: { identifier: { value: event.correlationId } },
    type: SYSTEM_OBJECT,
    name: 'call',
    // FHIR does not allow an empty list.
    ...(detail.length === 0 ? {} : { detail }),
  };
}

const subjectsOf = (event: AuditEvent, namespace: string): readonly object[] =>
  SUBJECTS.flatMap(([id, name, resource]) => {
    const value = event[id];
    if (value === null) return [];
    const system = `${namespace.replace(/\/$/, '')}/${name}`;
    return [
      {
        what: { type: resource, identifier: { system, value: String(value) } },
        type: { system: 'http://hl7.org/fhir/resource-types', code: resource, display: resource },
        role: DOMAIN_RESOURCE,
      },
    ];
  });
