import { expect } from 'chai';
import { compileAuditPlan } from '../../src/calls/audit-plan.ts';
import type { Field, Operation } from '../../src/contract/contract.ts';
import { readContract } from '../../src/contract/read-contract.ts';
import { ownContract, ownWsdl } from '../contract/own-wsdl.ts';

const auditedIn = ({ operations }: { readonly operations: readonly Operation[] }) =>
  operations.filter((operation) => compileAuditPlan(operation).audited).map(({ name }) => name);

describe('The plan of the audit', () => {
  it('audits what changes something or shows patients, but neither a status nor the list of doctors', () => {
    expect(auditedIn(ownContract)).to.deep.equal([
      'Fetch_Details',
      'Appointment_Status_Updates',
      'FB_Push_Details',
      'OPAppointmentdetail',
      'Sent_SMS',
    ]);
  });

  it('audits an operation as soon as the contract marks a field of its answer, whatever the field is called', () => {
    const at = ownWsdl.indexOf('<tp:patientData>false<', ownWsdl.indexOf('name="SlotMinutes"'));
    const wsdl = `${ownWsdl.slice(0, at)}<tp:patientData>true<${ownWsdl.slice(at + '<tp:patientData>false<'.length)}`;
    expect(auditedIn(readContract(wsdl))).to.include('GetDoctor');
  });

  it('finds every name, number and text of a patient marked', () => {
    const fields = (all: readonly Field[]): readonly Field[] =>
      all.flatMap((field) => (typeof field.type === 'object' ? fields(field.type.fields) : [field]));
    const marked = ownContract.operations.flatMap(({ parameters, resultType }) =>
      [...parameters, ...fields(resultType.fields)].filter(({ patientData }) => patientData).map(({ name }) => name),
    );
    expect([...new Set(marked)].sort()).to.deep.equal(
      [
        ...[
          'Age',
          'Message',
          'Mobileno',
          'Name',
          'RegistrationNumber',
          'Sex',
          'area',
          'contactnumber',
          'dept',
          'email',
        ],
        ...['ipno', 'moblieno', 'needsimprovementcommit', 'roomno', 'title'],
      ].sort(),
    );
  });
});
