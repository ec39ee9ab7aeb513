import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import soap from 'soap';
import type { Field, Operation } from '../../../src/contract/contract.ts';
import { readParameterValue } from '../../../src/contract/parameter-values.ts';
import { parseWsdl, type XmlNode, XSD } from '../../../src/contract/wsdl-document.ts';
import { ERROR_CODES } from '../../../src/vocabulary/errors.ts';
import { ResultCode } from '../../../src/vocabulary/result-codes.ts';
import { validateAll } from '../cases/validate-all.ts';
import { ownContract, ownWsdl } from './own-wsdl.ts';
import { wsdlOf } from './wsdl-of.ts';

const schemaFile = (fileName: string) => ({
  fileName,
  contents: readFileSync(new URL(`../../fixtures/schemas/${fileName}`, import.meta.url), 'utf8'),
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

const nodesOf = (node: XmlNode): readonly XmlNode[] => [node, ...node.children.flatMap(nodesOf)];

/** The operations with the parameters that the interface document of the old service fixes. */
const INTERFACE = [
  'Fetch_Details(DoctorID: int, RegistrationNumber: string, app_date: dateTime, app_time: dateTime, title: string, ' +
    'Name: string, Sex: string, Age: string, area: string, contactnumber: string, email: string, centerid: int',
  'Appointment_Status_Updates(AppointmentID: int, type: int, appdate: dateTime, apptime: dateTime, centerid: int',
  'FB_Push_Details(ipno: string, roomno: string, moblieno: string, dept: string, needsimprovementcommit: string',
  'OPAppointmentdetail(doctorid: int, appdate: dateTime, centerid: int',
  'Appointment_Status(AppointmentID: int, centerid: int',
  'Sent_SMS(Mobileno: string, Message: string, tempid: int, SMSmode: int',
  'GetDoctor(centerid: int',
];

const OUTCOME = 'ResultCode int, ResultText string';
/** The fields of each record in the first version, which proxies read in this order. */
const RESULTS = {
  AppointmentBooking:
    `${OUTCOME}, AppointmentID int, Status int, StatusText string, DoctorID int, DoctorName string, ` +
    'RegistrationNumber string, app_date dateTime, app_time dateTime, TokenNo int, centerid int',
  AppointmentChange:
    `${OUTCOME}, AppointmentID int, type int, PreviousStatus int, Status int, StatusText string, ` +
    'appdate dateTime, apptime dateTime, Changed boolean, centerid int',
  FeedbackReceipt: `${OUTCOME}, FeedbackID int, ReceivedOn dateTime`,
  DoctorDay: `${OUTCOME}, TotalCount int, Appointments ArrayOfAppointment`,
  ArrayOfAppointment: 'Appointment Appointment*',
  Appointment:
    'TokenNo int, AppointmentID int, RegistrationNumber string, title string, Name string, Sex string, Age string, ' +
    'area string, contactnumber string, appdate dateTime, apptime dateTime, Status int, StatusText string',
  AppointmentState:
    `${OUTCOME}, AppointmentID int, DoctorID int, DoctorName string, appdate dateTime, apptime dateTime, Status int, ` +
    'StatusText string, RescheduleCount int, UpdatedOn dateTime, centerid int',
  MessageReceipt: `${OUTCOME}, SMSID int, Mobileno string, Segments int, Encoding string, Status int, StatusText string`,
  DoctorList: `${OUTCOME}, Doctors ArrayOfDoctor`,
  ArrayOfDoctor: 'Doctor Doctor*',
  Doctor:
    'DoctorID int, DoctorName string, Department string, Specialization string, Qualification string, ' +
    'SlotMinutes int, OPDays string, OPTimings string, centerid int',
  ServiceFault: 'Code string, ResultCode int, Message string, Parameter string, CorrelationId string',
};

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

  // Existing programs were generated from these; new operations, and new parameters and fields behind these, do not concern them.
  for (const known of INTERFACE) {
    it(`has ${known.slice(0, known.indexOf('('))} with the parameters of the interface, in order`, () => {
      const listed = ownContract.operations.map(
        ({ name, parameters }) => `${name}(${parameters.map((p) => `${p.name}: ${p.type}`).join(', ')}`,
      );
      expect(listed.filter((operation) => operation.startsWith(known))).to.have.length(1);
    });
  }

  it('has minOccurs 1 for every int and dateTime parameter of the interface and 0 for every string, as the old service had', () => {
    const old = INTERFACE.flatMap((known) => {
      const { name, parameters } = operationNamed(known.slice(0, known.indexOf('(')));
      return parameters.slice(0, known.split(', ').length).map((parameter) => ({ operation: name, ...parameter }));
    });
    for (const { operation, name, type } of old) {
      const wrapper = ownWsdl.slice(ownWsdl.indexOf(`<s:element name="${operation}">`));
      const element = `minOccurs="${type === 'string' ? 0 : 1}" maxOccurs="1" name="${name}" type="s:${type}"`;
      expect(wrapper.slice(0, wrapper.indexOf('</s:sequence>')), operation).to.include(element);
    }
  });

  it('has the result fields of the first version, in order', () => {
    const listed = new Map(
      ownContract.types.map(({ name, fields }) => [
        name,
        fields.map((field) => `${field.name} ${typeName(field)}`).join(', '),
      ]),
    );
    for (const [type, fields] of Object.entries(RESULTS)) {
      expect(listed.get(type)?.startsWith(fields), `${type} { ${listed.get(type)} }`).to.equal(true);
    }
  });

  for (const part of ['message', 'portType', 'binding', 'service'] as const) {
    it(`has a ${part} for everything that the schema and the first portType describe, and no other`, () => {
      const expected = wsdlOf(ownContract);
      const own = piecesOf(part, ownWsdl);
      const missing = [...piecesOf(part, expected)].flatMap(([place, xml]) =>
        own.has(place) ? [] : `${place}:\n${xml}`,
      );
      if (missing.length > 0) expect.fail(`TPWebServices.wsdl lacks these elements:\n${missing.join('\n')}`);
      const partsOf = (wsdl: string) => childrenNamed(parseWsdl(wsdl), part);
      expect(partsOf(ownWsdl)).to.deep.equal(partsOf(expected));
    });
  }

  it('has a global element for every result and for the fault', () => {
    const elementsOf = (wsdl: string) =>
      childrenNamed(schemaOf(wsdl), 'element').filter(({ attributes }) => attributes.type);
    expect(elementsOf(ownWsdl)).to.have.deep.members(elementsOf(wsdlOf(ownContract)));
  });

  it('describes types only with what the service reads', () => {
    const READ = {
      schema: ['elementFormDefault', 'targetNamespace'],
      element: ['minOccurs', 'maxOccurs', 'name', 'type'],
      complexType: ['name'],
      sequence: [],
      annotation: [],
      documentation: [],
      appinfo: [],
    } as const;
    for (const { name, namespace, attributes } of nodesOf(schemaOf(ownWsdl))) {
      if (namespace !== XSD) continue;
      expect(READ).to.include.keys(name);
      expect(READ[name as keyof typeof READ]).to.include.members(Object.keys(attributes));
      expect(attributes.elementFormDefault ?? 'qualified').to.equal('qualified');
    }
  });

  // The calls that return a field that someone forgot to mark would not be audited.
  it('annotates only with what the service reads, and says of every parameter and field whether it is a patient’s', () => {
    const VALUES: Readonly<Record<string, RegExp>> = {
      maxLength: /^\d+$/,
      example: /^/,
      patientData: /^(?:true|false)$/,
      mayBeAbsent: /^true$/,
      mustHaveValue: /^true$/,
      mayBeOmitted: /^true$/,
      leftEmpty: /^true$/,
      half: /^(?:date|time)$/,
      safe: /^true$/,
      resultCodes: /^OK/,
    };
    const nodes = nodesOf(schemaOf(ownWsdl));
    for (const { name, namespace, text } of nodes.filter((node) => node.namespace !== XSD)) {
      expect(namespace).to.equal('urn:tpwebservices:contract');
      expect(text).to.match(VALUES[name] ?? expect.fail(name));
    }
    for (const node of nodes.filter(({ attributes }) => attributes.type?.startsWith('s:'))) {
      expect(
        nodesOf(node).some(({ name }) => name === 'patientData'),
        node.attributes.name,
      ).to.equal(true);
    }
  });

  it('names everything with an identifier of every client’s language, and no two parameters alike but for case', () => {
    const names = ownContract.operations.flatMap(({ name, parameters }) => [name, ...parameters.map((p) => p.name)]);
    for (const name of [
      ...names,
      ...ownContract.types.map((type) => type.name),
      ...allFields().map(([, f]) => f.name),
    ]) {
      expect(name).to.match(/^[A-Za-z_][A-Za-z0-9_]*$/);
      expect(name in Object.prototype, name).to.equal(false);
    }
    for (const { name, parameters } of ownContract.operations) {
      const spellings = parameters.map((parameter) => parameter.name.toLowerCase());
      expect(spellings, name).to.deep.equal([...new Set(spellings)]);
    }
  });

  it('lets a call leave out only what need not have a value', () => {
    for (const { parameters } of ownContract.operations) {
      for (const { name, required, mayBeOmitted } of parameters) expect(required && mayBeOmitted, name).to.equal(false);
    }
    for (const { required, mustHaveValue, documentation, name } of ownContract.operations.flatMap(
      (o) => o.parameters,
    )) {
      expect(mustHaveValue, name).to.equal(required || documentation.includes('Must not be empty.'));
    }
    const marked = [...ownWsdl.matchAll(/<s:element ([^>]*)>(?:(?!<\/s:element>)[\s\S])*<tp:mayBeAbsent>/g)];
    for (const [, attributes] of marked) expect(attributes).to.match(/^minOccurs="1" .* type="s:(?:int|dateTime)"$/);
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
        for (const parameter of operationNamed('GetDoctor').parameters)
          readParameterValue({ ...parameter, name, type: fieldType, example }, example, 'xsd');
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

  it('lists every ResultCode at an operation that answers with it', () => {
    const listed = new Set(ownContract.operations.flatMap(({ resultCodes }) => resultCodes));
    expect([...listed]).to.have.members(Object.keys(ResultCode));
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
      fileURLToPath(new URL('../../../wsdl/TPWebServices.wsdl', import.meta.url)),
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

function operationNamed(name: string): Operation {
  const operation = ownContract.operations.find((known) => known.name === name);
  if (operation === undefined) throw new Error(`The WSDL has no operation ${name}.`);
  return operation;
}

function schemaOf(wsdl: string): XmlNode {
  const [schema] = childrenNamed(parseWsdl(wsdl), 'types').flatMap(({ children }) => children);
  if (schema === undefined) throw new Error('The WSDL has no schema.');
  return schema;
}

/** The XML of what a WSDL has for each operation in one kind of part, by its place: a whole message, or an operation in another part. */
function piecesOf(part: string, wsdl: string): ReadonlyMap<string, string> {
  const parts = [...wsdl.matchAll(new RegExp(`<wsdl:${part} name="(\\w+)"[\\s\\S]*?</wsdl:${part}>`, 'g'))];
  if (part === 'message') return new Map(parts.map(([xml, name]) => [`message ${name}`, indented(xml, 1)]));
  return new Map(
    parts.flatMap(([inside, name]) =>
      [...inside.matchAll(/<wsdl:operation name="(\w+)">[\s\S]*?<\/wsdl:operation>/g)].map(
        ([xml, operation]) => [`${part} ${name}, operation ${operation}`, indented(xml, 2)] as const,
      ),
    ),
  );
}

/** XML with one element a line, as the WSDL is written. */
const indented = (xml: string, depth: number): string =>
  xml
    .split(/(?<=>)\s*(?=<)/)
    .map((line) => {
      if (line.startsWith('</')) depth -= 1;
      const indent = '  '.repeat(depth);
      if (!/^<\/|\/>$|<\/[^>]+>$/.test(line)) depth += 1;
      return indent + line;
    })
    .join('\n');

const childrenNamed = (node: XmlNode, name: string): readonly XmlNode[] =>
  node.children.filter((child) => child.name === name);

const soapInput = ({ parameters }: Operation): Record<string, string> =>
  Object.fromEntries(parameters.map(({ name, type }) => [name, `s:${type}`]));
