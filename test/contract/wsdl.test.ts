import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import soap from 'soap';
import type { Field, Operation } from '../../src/contract/contract.ts';
import { readParameterValue } from '../../src/contract/parameter-values.ts';
import { parseXml, type XmlNode } from '../../src/contract/xml-node.ts';
import { ERROR_CODES } from '../../src/vocabulary/errors.ts';
import { ResultCode } from '../../src/vocabulary/result-codes.ts';
import { validateAll } from '../cases/validate-all.ts';
import { ownContract, ownWsdl } from './own-wsdl.ts';

const schemaFile = (fileName: string) => ({
  fileName,
  contents: readFileSync(new URL(`../fixtures/schemas/${fileName}`, import.meta.url), 'utf8'),
});
const WSDL_SCHEMA = schemaFile('wsdl-with-extensions.xsd').contents;
const IMPORTED = ['wsdl.xsd', 'wsdl-soap.xsd', 'wsdl-soap12.xsd', 'wsdl-http.xsd', 'wsdl-mime.xsd'].map(schemaFile);
const MISTAKES = [
  ['<wsdl:part name="parameters"', '<wsdl:part nome="parameters"'],
  ['<soap:body use="literal"', '<soap:body use="verbatim"'],
  ['<soap12:body use="literal"', '<soap12:body use="verbatim"'],
  ['<http:binding verb="GET"', '<http:binding word="GET"'],
  ['<mime:mimeXml part="Body"', '<mime:mimeXml port="Body"'],
] as const;

const allFields = (): readonly (readonly [string, Field])[] =>
  ownContract.types.flatMap((type) => type.fields.map((field) => [type.name, field] as const));

describe('the WSDL', () => {
  let errors: readonly string[];
  before(async () => {
    const broken = MISTAKES.map(([from, to], n) => [`mistake-${n}.wsdl`, ownWsdl.replace(from, to)] as const);
    errors = await validateAll(WSDL_SCHEMA, new Map([['own.wsdl', ownWsdl], ...broken]), IMPORTED);
  });
  const errorsOf = (file: string) => errors.filter((error) => error.startsWith(`${file}: `));

  it('is valid against the schemas of WSDL 1.1 and of its SOAP, SOAP 1.2, HTTP and MIME bindings', () => {
    expect(errorsOf('own.wsdl')).to.deep.equal([]);
  });

  MISTAKES.forEach(([, to], n) => {
    it(`would be invalid with ${to}>`, () => {
      expect(errorsOf(`mistake-${n}.wsdl`)).to.not.deep.equal([]);
    });
  });

  it('has the operations and parameters of the interface, in order', () => {
    const listed = ownContract.operations.map(
      ({ name, parameters }) =>
        `${name}(${parameters.map((parameter) => `${parameter.name}: ${parameter.type}`).join(', ')})`,
    );
    expect(listed).to.deep.equal([
      'Fetch_Details(DoctorID: int, RegistrationNumber: string, app_date: dateTime, app_time: dateTime, title: string, ' +
        'Name: string, Sex: string, Age: string, area: string, contactnumber: string, email: string, centerid: int)',
      'Appointment_Status_Updates(AppointmentID: int, type: int, appdate: dateTime, apptime: dateTime, centerid: int)',
      'FB_Push_Details(ipno: string, roomno: string, moblieno: string, dept: string, needsimprovementcommit: string)',
      'OPAppointmentdetail(doctorid: int, appdate: dateTime, centerid: int)',
      'Appointment_Status(AppointmentID: int, centerid: int)',
      'Sent_SMS(Mobileno: string, Message: string, tempid: int, SMSmode: int)',
      'GetDoctor(centerid: int)',
    ]);
  });

  it('has minOccurs 1 for every int and dateTime parameter and 0 for every string parameter, as the old service had', () => {
    for (const { name, parameters } of ownContract.operations) {
      const wrapper = ownWsdl.slice(ownWsdl.indexOf(`<s:element name="${name}">`));
      for (const parameter of parameters) {
        const minOccurs = parameter.type === 'string' ? 0 : 1;
        const element = `minOccurs="${minOccurs}" maxOccurs="1" name="${parameter.name}" type="s:${parameter.type}"`;
        expect(wrapper.slice(0, wrapper.indexOf('</s:sequence>')), name).to.include(element);
      }
    }
  });

  it('has the result fields of each operation, in order', () => {
    const listed = Object.fromEntries(
      ownContract.types.map(({ name, fields }) => [
        name,
        fields.map((field) => `${field.name} ${typeName(field)}`).join(', '),
      ]),
    );
    const outcome = 'ResultCode int, ResultText string';
    expect(listed).to.deep.equal({
      AppointmentBooking:
        `${outcome}, AppointmentID int, Status int, StatusText string, DoctorID int, DoctorName string, ` +
        'RegistrationNumber string, app_date dateTime, app_time dateTime, TokenNo int, centerid int',
      AppointmentChange:
        `${outcome}, AppointmentID int, type int, PreviousStatus int, Status int, StatusText string, ` +
        'appdate dateTime, apptime dateTime, Changed boolean, centerid int',
      FeedbackReceipt: `${outcome}, FeedbackID int, ReceivedOn dateTime`,
      DoctorDay: `${outcome}, TotalCount int, Appointments ArrayOfAppointment`,
      ArrayOfAppointment: 'Appointment Appointment*',
      Appointment:
        'TokenNo int, AppointmentID int, RegistrationNumber string, title string, Name string, Sex string, Age string, ' +
        'area string, contactnumber string, appdate dateTime, apptime dateTime, Status int, StatusText string',
      AppointmentState:
        `${outcome}, AppointmentID int, DoctorID int, DoctorName string, appdate dateTime, apptime dateTime, Status int, ` +
        'StatusText string, RescheduleCount int, UpdatedOn dateTime, centerid int',
      MessageReceipt: `${outcome}, SMSID int, Mobileno string, Segments int, Encoding string, Status int, StatusText string`,
      DoctorList: `${outcome}, Doctors ArrayOfDoctor`,
      ArrayOfDoctor: 'Doctor Doctor*',
      Doctor:
        'DoctorID int, DoctorName string, Department string, Specialization string, Qualification string, ' +
        'SlotMinutes int, OPDays string, OPTimings string, centerid int',
      ServiceFault: 'Code string, ResultCode int, Message string, Parameter string, CorrelationId string',
    });
  });

  it('allows a refusal to leave out every result field but ResultCode', () => {
    for (const { resultType } of ownContract.operations) {
      const required = resultType.fields.filter((field) => field.required).map(({ name }) => name);
      expect(required, resultType.name).to.deep.equal(['ResultCode']);
    }
  });

  it('describes the service, every operation, parameter, type and result field', () => {
    expect(ownContract.documentation).to.not.equal('');
    for (const { name, documentation, parameters } of ownContract.operations) {
      expect(documentation, name).to.not.equal('');
      for (const parameter of parameters) expect(parameter.documentation, `${name} ${parameter.name}`).to.not.equal('');
    }
    for (const { name, documentation } of ownContract.types) expect(documentation, name).to.not.equal('');
    for (const [type, field] of allFields()) expect(field.documentation, `${type} ${field.name}`).to.not.equal('');
  });

  it('describes an operation identically in all portTypes', () => {
    const portTypes = parseXml(ownWsdl).children.filter(({ name }) => name === 'portType');
    const descriptions = portTypes.map((portType) =>
      childrenNamed(portType, 'operation').map((operation) => childrenNamed(operation, 'documentation')[0]?.text),
    );
    expect(descriptions).to.have.length(3);
    for (const description of descriptions) {
      expect(description).to.deep.equal(ownContract.operations.map(({ documentation }) => documentation));
    }
  });

  it('also states the maximum length of every string parameter in its description', () => {
    for (const { name, parameters } of ownContract.operations) {
      for (const { name: parameter, maxLength, documentation } of parameters) {
        if (maxLength !== undefined)
          expect(documentation, `${name} ${parameter}`).to.include(`At most ${maxLength} characters.`);
      }
    }
  });

  it('has examples that are valid values of their parameters', () => {
    for (const { parameters } of ownContract.operations) {
      for (const parameter of parameters) readParameterValue(parameter, parameter.example, 'xsd');
    }
  });

  it('has examples of result fields that are valid values of their types', () => {
    for (const [type, { name, type: fieldType, example }] of allFields()) {
      if (example === undefined || typeof fieldType === 'object') continue;
      if (fieldType === 'boolean') expect(example, `${type} ${name}`).to.match(/^(true|false)$/);
      else
        readParameterValue(
          { name, type: fieldType, required: true, example, documentation: '', patientData: false },
          example,
          'xsd',
        );
    }
  });

  it('lists the result codes of its operation, in ascending order, with their names at each ResultCode', () => {
    for (const { resultType, resultCodes } of ownContract.operations) {
      const documentation = resultType.fields[0]?.documentation ?? '';
      const named = resultCodes.map((name) => `${ResultCode[name]} ${name}`);
      expect(documentation.match(/\b\d+ [A-Z][A-Za-z]+/g), resultType.name).to.deep.equal(named);
      expect(resultCodes).to.deep.equal(
        Object.keys(ResultCode).filter((name) => resultCodes.some((known) => known === name)),
      );
      expect(resultCodes[0]).to.equal('OK');
    }
    const codes = Object.entries(ResultCode).map(([name, code]) => `${code} ${name}`);
    const refusals = codes.filter((code) => Number.parseInt(code, 10) >= 10);
    const refused = ownContract.fault.fields.find(({ name }) => name === 'ResultCode');
    expect(refused?.documentation.match(/\b\d+ [A-Z][A-Za-z]+/g)).to.deep.equal(refusals);
  });

  it("lists every error code in the description of the fault's Code", () => {
    const code = ownContract.fault.fields.find(({ name }) => name === 'Code');
    expect(code?.documentation.split(': ')[1]?.match(/[A-Z][A-Za-z]+/g)).to.deep.equal(Object.keys(ERROR_CODES));
  });

  it('says that every dateTime in a result is wall time', () => {
    for (const [type, field] of allFields()) {
      if (field.type !== 'dateTime') continue;
      expect(field.documentation, `${type} ${field.name}`).to.match(
        /wall time (?:at the center|in the service's time zone), YYYY-MM-DDTHH:MM:SS\.$/,
      );
    }
  });

  it('shows all operations with their parameters to the soap library, on both SOAP ports', async () => {
    const client = await soap.createClientAsync(
      fileURLToPath(new URL('../../wsdl/TPWebServices.wsdl', import.meta.url)),
    );
    const described = client.describe().TPWebServices;
    const expected = Object.fromEntries(
      ownContract.operations.map((operation) => [operation.name, soapInput(operation)]),
    );
    expect(Object.keys(described)).to.deep.equal(['TPWebServicesSoap', 'TPWebServicesSoap12']);
    for (const port of Object.values<Record<string, { input: unknown }>>(described)) {
      const inputs = Object.fromEntries(Object.entries(port).map(([name, { input }]) => [name, input]));
      expect(inputs).to.deep.equal(expected);
    }
  });
});

const typeName = ({ type, repeated }: Field): string =>
  `${typeof type === 'string' ? type : type.name}${repeated ? '*' : ''}`;

const childrenNamed = (node: XmlNode, name: string): readonly XmlNode[] =>
  node.children.filter((child) => child.name === name);

const soapInput = ({ parameters }: Operation): Record<string, string> =>
  Object.fromEntries(parameters.map(({ name, type }) => [name, `s:${type}`]));
