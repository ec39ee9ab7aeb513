import { expect } from 'chai';
import { compileAuditPlan } from '../../../src/calls/audit-rows.ts';
import type { Field, Operation } from '../../../src/contract/contract.ts';
import { readContract } from '../../../src/contract/read-contract.ts';
import { PATIENT_FIELDS } from '../../../src/vocabulary/stored-records.ts';
import { USUAL_CALLS } from '../../support/one-call-of-each.ts';
import { ownContract, ownWsdl } from '../../wire/contract/own-wsdl.ts';

const auditedIn = ({ operations }: { readonly operations: readonly Operation[] }) =>
  operations.filter((operation) => compileAuditPlan(operation).audited).map(({ name }) => name);

describe('The plan of the audit', () => {
  it('includes operations that change something or show patients, but not the message status or the list of doctors', () => {
    const audited = USUAL_CALLS.filter(({ isAudited }) => isAudited).map(({ operation }) => operation.name);
    expect(auditedIn(ownContract)).to.have.members(audited);
  });

  it("includes an operation once the contract marks a field of its answer, whatever the field's name", () => {
    const at = ownWsdl.indexOf('<tp:patientData>false<', ownWsdl.indexOf('name="SlotMinutes"'));
    const wsdl = `${ownWsdl.slice(0, at)}<tp:patientData>true<${ownWsdl.slice(at + '<tp:patientData>false<'.length)}`;
    expect(auditedIn(readContract(wsdl))).to.include('GetDoctor');
  });

  it('relies on marks for every name, number and text of a patient, and finds them all', () => {
    const fields = (all: readonly Field[]): readonly Field[] =>
      all.flatMap((field) => (typeof field.type === 'object' ? fields(field.type.fields) : [field]));
    const marked = ownContract.operations.flatMap(({ parameters, resultType }) =>
      [...parameters, ...fields(resultType.fields)].filter(({ patientData }) => patientData).map(({ name }) => name),
    );
    const known = ['Message', 'Mobileno', 'dept', 'ipno', 'moblieno', 'needsimprovementcommit', 'roomno'];
    const stored = Object.values(PATIENT_FIELDS).map(({ csv }) => csv);
    expect(new Set(marked)).to.deep.equal(new Set([...known, ...stored]));
  });
});
