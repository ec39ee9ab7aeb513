import { expect } from 'chai';
import { readContract } from '../../../src/contract/read-contract.ts';
import { ownContract, ownWsdl } from './own-wsdl.ts';
import { SMALL_CONTRACT } from './small-contract.ts';
import { wsdlOf } from './wsdl-of.ts';

const SMALL_WSDL = wsdlOf(SMALL_CONTRACT);

/** Replaces the first occurrence of `from`. */
function edited(from: string, to: string): string {
  expect(SMALL_WSDL).to.include(from);
  return SMALL_WSDL.replace(from, to);
}

describe('readContract', () => {
  it('reads every kind of operation, parameter and field', () => {
    expect(readContract(SMALL_WSDL)).to.deep.equal(SMALL_CONTRACT);
  });

  it('reads the namespace, service, path, ports and fault of our WSDL', () => {
    const { namespace, serviceName, path, ports, fault } = ownContract;
    expect({ namespace, serviceName, path, ports, fault: fault.name }).to.deep.equal({
      namespace: 'http://tempuri.org/',
      serviceName: 'TPWebServices',
      path: '/TPWebServices.asmx',
      ports: {
        soap11: 'TPWebServicesSoap',
        soap12: 'TPWebServicesSoap12',
        httpGet: 'TPWebServicesHttpGet',
        httpPost: 'TPWebServicesHttpPost',
      },
      fault: 'ServiceFault',
    });
  });

  it('treats a parameter of minOccurs 1 as optional if it may still be absent', () => {
    const optional = ownContract.operations.flatMap(({ name, parameters }) =>
      parameters.filter(({ type, required }) => type !== 'string' && !required).map((p) => `${name}.${p.name}`),
    );
    expect(optional).to.deep.equal(['Appointment_Status_Updates.appdate', 'Appointment_Status_Updates.apptime']);
  });

  it('reads which operations change nothing', () => {
    const safe = ownContract.operations.filter((operation) => operation.safe).map(({ name }) => name);
    expect(safe).to.include.members(['OPAppointmentdetail', 'Appointment_Status', 'GetDoctor']);
    expect(safe).to.not.include.members(['Fetch_Details', 'Appointment_Status_Updates', 'FB_Push_Details', 'Sent_SMS']);
  });

  it('treats what is not marked as patient data, so that nothing forgotten is shown or read without a trace', () => {
    const unmarked = readContract(SMALL_WSDL.replaceAll(/<tp:patientData>[^<]*<\/tp:patientData>/g, ''));
    const marks = unmarked.operations.flatMap(({ parameters, resultType }) => [...parameters, ...resultType.fields]);
    expect(new Set(marks.map(({ patientData }) => patientData))).to.deep.equal(new Set([true]));
  });

  it('joins documentation over several lines', () => {
    const number = ownContract.operations[0]?.parameters.find(({ name }) => name === 'RegistrationNumber');
    expect(number?.documentation).to.match(
      /^Registration number of the patient at the hospital\. A patient is identified by it/,
    );
  });

  it('uses one type for all that name it', () => {
    const doctor = ownContract.types.find(({ name }) => name === 'ArrayOfDoctor')?.fields[0];
    expect(doctor?.type).to.equal(ownContract.types.find(({ name }) => name === 'Doctor'));
  });

  it('treats minOccurs and maxOccurs as 1 if they are left out', () => {
    const short = ownWsdl.replaceAll(/minOccurs="1" |maxOccurs="1" /g, '');
    expect(short).to.not.equal(ownWsdl);
    expect(readContract(short)).to.deep.equal(ownContract);
  });

  it('reads a file that begins with a byte order mark', () => {
    expect(readContract(`\ufeff${ownWsdl}`)).to.deep.equal(ownContract);
  });

  for (const [title, wsdl, message] of [
    ['text that is not XML', 'no', 'Non-whitespace before first tag'],
    ['an empty text', '', 'The WSDL is empty.'],
    ['another document', '<a><b/></a>', 'a in the WSDL has no attribute targetNamespace.'],
  ] as const) {
    it(`refuses ${title}`, () => expect(() => readContract(wsdl)).to.throw(message));
  }

  for (const [title, from, to, message] of [
    ['a parameter of another type', 'type="s:dateTime"', 'type="s:date"', 'app_date of Book has the type date'],
    ['a field of a type that is not defined', 'name="ArrayOfDoctor"', 'name="List"', 'Type ArrayOfDoctor is not'],
    ['a type that contains itself', 'name="Active" type="s:boolean"', 'name="Active" type="tns:Doctor"', 'itself'],
    ['an operation without its element', '<s:element name="Ping">', '<s:element name="Pin">', 'Element Ping is'],
    ['a string without a maximum length', '<tp:maxLength>100</tp:maxLength>', '', 'Name of Book has no maxLength'],
    ['a parameter without an example', '<tp:example>1</tp:example>', '', 'centerid of GetDoctor has no example'],
    ['an operation without ResultCodes', '<tp:resultCodes>OK</tp:resultCodes>', '', 'GetDoctor has no resultCodes'],
  ] as const) {
    it(`refuses ${title}`, () => expect(() => readContract(edited(from, to))).to.throw(message));
  }
});
