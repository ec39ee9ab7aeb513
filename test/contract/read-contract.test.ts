import { expect } from 'chai';
import { readContract } from '../../src/contract/read-contract.ts';
import { ownContract, ownWsdl } from './own-wsdl.ts';

/** Replaces the first occurrence of `from` after `start`. */
function edited(from: string, to: string, start = ''): string {
  const begin = start === '' ? 0 : ownWsdl.indexOf(start);
  const at = ownWsdl.indexOf(from, begin);
  if (begin < 0 || at < 0) throw new Error(`The WSDL has no ${from} after "${start}".`);
  return ownWsdl.slice(0, at) + to + ownWsdl.slice(at + from.length);
}

/** Cuts from the first `from` after `start` through the next `to`. */
function without(from: string, to: string, start = ''): string {
  const begin = start === '' ? 0 : ownWsdl.indexOf(start);
  const at = ownWsdl.indexOf(from, begin);
  const end = ownWsdl.indexOf(to, at);
  if (begin < 0 || at < 0 || end < 0) throw new Error(`The WSDL has no ${from} … ${to} after "${start}".`);
  return ownWsdl.slice(0, at) + ownWsdl.slice(end + to.length);
}

/** Removes the fault of Fetch_Details from the portType and from the binding that has it. */
function withoutFirstFault(wsdl: string): string {
  const operations = /<wsdl:operation name="Fetch_Details">[\s\S]*?<\/wsdl:operation>/g;
  return wsdl.replace(operations, (operation) =>
    operation.replace(/<wsdl:fault [^>]*\/>|<wsdl:fault [^>]*[^/]>[\s\S]*?<\/wsdl:fault>/, ''),
  );
}

const withoutOperations = (wsdl: string): string =>
  wsdl.replace(/<wsdl:operation [\s\S]*?<\/wsdl:operation>|<wsdl:message [\s\S]*?<\/wsdl:message>/g, '');

const BINDING = (name: string) => `<wsdl:binding name="TPWebServices${name}"`;
const PORT_TYPE = (name: string) => `<wsdl:portType name="TPWebServices${name}"`;
const OPERATION = '<wsdl:operation name="GetDoctor">';
const END = '</wsdl:operation>';
const GET_IN = '<wsdl:message name="Sent_SMSHttpGetIn"';
const MOBILE = '<wsdl:part name="Mobileno" type="s:string" />';
const MESSAGE = '<wsdl:part name="Message" type="s:string" />';
const PARAMETERS = '<s:element name="Sent_SMS"';
const CENTER = '<s:element minOccurs="1" maxOccurs="1" name="centerid" type="s:int">';

const REFUSED: readonly (readonly [title: string, wsdl: string, message: string])[] = [
  ['text that is not XML', 'no', 'The WSDL cannot be used. The XML cannot be read at line 1, column 1'],
  ['an empty text', '', 'it contains no element'],
  [
    'another document',
    '<definitions />',
    'Its root element must be definitions of namespace http://schemas.xmlsoap.org/wsdl/.',
  ],
  [
    'a WSDL without a namespace',
    edited('targetNamespace="http://tempuri.org/"', ''),
    'The root element has no attribute targetNamespace.',
  ],
  [
    'an unsupported construct',
    edited('<wsdl:types>', '<wsdl:import namespace="urn:x" location="x" /><wsdl:types>'),
    'unsupported construct import',
  ],
  [
    'an unsupported construct in the schema',
    edited('<s:sequence>', '<s:choice />'.concat('<s:sequence>')),
    'unsupported construct choice',
  ],
  [
    'an unsupported attribute',
    edited('name="DoctorID"', 'name="DoctorID" nillable="true"'),
    'DoctorID in Fetch_Details has the unsupported attribute nillable.',
  ],
  [
    'unqualified elements',
    edited('elementFormDefault="qualified"', 'elementFormDefault="unqualified"'),
    'elementFormDefault="qualified"',
  ],
  [
    'a schema of another namespace',
    edited('targetNamespace="http://tempuri.org/"', 'targetNamespace="urn:x"', '<s:schema'),
    "The schema's targetNamespace is not that of the WSDL",
  ],

  // Operations
  [
    'an operation that the SOAP 1.1 binding lacks',
    without(OPERATION, END, BINDING('Soap')),
    'Binding TPWebServicesSoap lacks the operation GetDoctor of portType TPWebServicesSoap.',
  ],
  [
    'an operation that the SOAP 1.2 binding lacks',
    without(OPERATION, END, BINDING('Soap12')),
    'Binding TPWebServicesSoap12 lacks the operation GetDoctor of portType TPWebServicesSoap.',
  ],
  [
    'an operation that the GET binding lacks',
    without(OPERATION, END, BINDING('HttpGet')),
    'Binding TPWebServicesHttpGet lacks the operation GetDoctor of portType TPWebServicesHttpGet.',
  ],
  [
    'an operation that the POST binding lacks',
    without(OPERATION, END, BINDING('HttpPost')),
    'Binding TPWebServicesHttpPost lacks the operation GetDoctor of portType TPWebServicesHttpPost.',
  ],
  [
    'an operation that only the SOAP bindings have',
    without(OPERATION, END, PORT_TYPE('Soap')),
    'Binding TPWebServicesSoap has the operation GetDoctor, which portType TPWebServicesSoap does not have.',
  ],
  [
    'an operation that GET lacks altogether',
    without(OPERATION, END, BINDING('HttpGet')).replace(
      new RegExp(`(${PORT_TYPE('HttpGet')}[\\s\\S]*?)${OPERATION}[\\s\\S]*?${END}`),
      '$1',
    ),
    'PortType TPWebServicesHttpGet lacks the operation GetDoctor of SOAP.',
  ],
  [
    'an operation that a portType has twice',
    edited('<wsdl:operation name="Sent_SMS">', OPERATION, PORT_TYPE('Soap')),
    'PortType TPWebServicesSoap: operation GetDoctor is defined twice.',
  ],
  [
    'an operation that a binding has twice',
    edited('<wsdl:operation name="Sent_SMS">', OPERATION, BINDING('Soap')),
    'Binding TPWebServicesSoap: operation GetDoctor is defined twice.',
  ],

  // Parts
  [
    'a part that GET lacks',
    edited(MOBILE, '', GET_IN),
    'Message Sent_SMSHttpGetIn lacks the part Mobileno of Sent_SMS.',
  ],
  [
    'a part that POST lacks',
    edited(MOBILE, '', '<wsdl:message name="Sent_SMSHttpPostIn"'),
    'Message Sent_SMSHttpPostIn lacks the part Mobileno of Sent_SMS.',
  ],
  [
    'a part that SOAP does not have',
    edited(MOBILE, `${MOBILE}${MOBILE.replace('Mobileno', 'extra')}`, GET_IN),
    'Message Sent_SMSHttpGetIn has the part extra, which is not a parameter of Sent_SMS.',
  ],
  [
    'a part that is defined twice',
    edited(MOBILE, `${MOBILE}${MOBILE}`, GET_IN),
    'Message Sent_SMSHttpGetIn: part Mobileno is defined twice.',
  ],
  [
    'a part in another case',
    edited(MOBILE, MOBILE.replace('Mobileno', 'mobileno'), GET_IN),
    'the part mobileno, which is not a parameter',
  ],
  [
    'a part that is not a string',
    edited(MOBILE, MOBILE.replace('string', 'int'), GET_IN),
    'Part Mobileno of message Sent_SMSHttpGetIn must have the type string',
  ],
  [
    'a part of an element',
    edited(MOBILE, '<wsdl:part name="Mobileno" element="tns:Sent_SMS" />', GET_IN),
    'Part Mobileno of message Sent_SMSHttpGetIn must have the type string',
  ],
  [
    'parts in another order',
    edited(MOBILE, '<!-- -->', GET_IN).replace(
      /<!-- -->(\s*<wsdl:part name="Message" type="s:string" \/>)/,
      `$1${MOBILE}`,
    ),
    'Message Sent_SMSHttpGetIn has the part Message where Sent_SMS has the parameter Mobileno.',
  ],
  [
    'a part with both an element and a type',
    edited(MESSAGE, MESSAGE.replace('type=', 'element="tns:Sent_SMS" type='), GET_IN),
    'Part Message of message Sent_SMSHttpGetIn has both an element and a type.',
  ],
  [
    'a SOAP part of another name',
    edited('<wsdl:part name="parameters"', '<wsdl:part name="body"'),
    'Message Fetch_DetailsSoapIn must have one part parameters of element Fetch_Details.',
  ],
  [
    'a SOAP part of another element',
    edited('element="tns:GetDoctor"', 'element="tns:Sent_SMS"'),
    'Message GetDoctorSoapIn must have one part parameters of element GetDoctor.',
  ],

  // Results
  [
    'a GET result of another type',
    edited('element="tns:DoctorList"', 'element="tns:DoctorDay"', '<wsdl:message name="GetDoctorHttpGetOut"'),
    'Message GetDoctorHttpGetOut must have one part Body of element DoctorList.',
  ],
  [
    'a POST result of another type',
    edited('element="tns:DoctorList"', 'element="tns:DoctorDay"', '<wsdl:message name="GetDoctorHttpPostOut"'),
    'Message GetDoctorHttpPostOut must have one part Body of element DoctorList.',
  ],
  [
    'a result element of another type',
    edited('<s:element name="DoctorList" type="tns:DoctorList"', '<s:element name="DoctorList" type="tns:DoctorDay"'),
    'Element DoctorList has the type DoctorDay; the SOAP result of GetDoctor is DoctorList.',
  ],
  [
    'a result of another name',
    edited('name="GetDoctorResult"', 'name="Result"'),
    'GetDoctorResponse must hold GetDoctorResult, not Result.',
  ],
  [
    'a result that is required',
    edited('minOccurs="0" maxOccurs="1" name="GetDoctorResult"', 'minOccurs="1" maxOccurs="1" name="GetDoctorResult"'),
    'GetDoctorResult in GetDoctorResponse must have minOccurs 0',
  ],
  [
    'a result that is not a record',
    edited(
      'type="tns:DoctorList">',
      'type="s:int"><s:annotation><s:appinfo><tp:patientData>false</tp:patientData></s:appinfo></s:annotation>',
      'name="GetDoctorResult"',
    ).replace(/(patientData><\/s:appinfo><\/s:annotation>)\s*<s:annotation>[\s\S]*?<\/s:annotation>/, '$1'),
    'GetDoctorResult in GetDoctorResponse must have a record type',
  ],
  [
    'a GET output without its MIME type',
    edited('<mime:mimeXml part="Body" />', '', BINDING('HttpGet')),
    'The output of Operation Fetch_Details of Binding TPWebServicesHttpGet has no mimeXml',
  ],
  [
    'a GET output of another part',
    edited('<mime:mimeXml part="Body" />', '<mime:mimeXml part="Head" />', BINDING('HttpGet')),
    'has part="Head"; it must be "Body".',
  ],

  // Bindings
  [
    'a SOAP 1.1 soapAction that is not namespace and operation',
    edited('soapAction="http://tempuri.org/GetDoctor"', 'soapAction="http://tempuri.org/getDoctor"'),
    'Operation GetDoctor of Binding TPWebServicesSoap has soapAction="http://tempuri.org/getDoctor"; it must be "http://tempuri.org/GetDoctor".',
  ],
  [
    'a SOAP 1.2 soapAction that is not namespace and operation',
    edited('soapAction="http://tempuri.org/GetDoctor"', 'soapAction=""', BINDING('Soap12')),
    'Operation GetDoctor of Binding TPWebServicesSoap12 has soapAction=""',
  ],
  [
    'another transport than HTTP',
    edited('http://schemas.xmlsoap.org/soap/http', 'http://schemas.xmlsoap.org/soap/smtp'),
    'Binding TPWebServicesSoap has transport="http://schemas.xmlsoap.org/soap/smtp"',
  ],
  [
    'the rpc style',
    edited('style="document"', 'style="rpc"'),
    'Operation Fetch_Details of Binding TPWebServicesSoap has style="rpc"',
  ],
  [
    'the encoded use',
    edited('<soap12:body use="literal"', '<soap12:body use="encoded"'),
    'The input of Operation Fetch_Details of Binding TPWebServicesSoap12 has use="encoded"',
  ],
  [
    'a SOAP 1.2 element in the SOAP 1.1 binding',
    edited('<soap:body use="literal"', '<soap12:body use="literal"'),
    'unsupported construct body of namespace http://schemas.xmlsoap.org/wsdl/soap12/',
  ],
  [
    'another verb for GET',
    edited('verb="GET"', 'verb="PUT"'),
    'Binding TPWebServicesHttpGet has verb="PUT"; it must be "GET".',
  ],
  [
    'another verb for POST',
    edited('verb="POST"', 'verb="GET"'),
    'Binding TPWebServicesHttpPost has verb="GET"; it must be "POST".',
  ],
  [
    'another encoding of the POST form',
    edited('type="application/x-www-form-urlencoded"', 'type="multipart/form-data"'),
    'The input of Operation Fetch_Details of Binding TPWebServicesHttpPost has type="multipart/form-data"',
  ],
  [
    'a GET operation with a form as input',
    edited('<http:urlEncoded />', '<mime:content type="application/x-www-form-urlencoded" />'),
    'unsupported construct content',
  ],
  [
    'a location that is not the operation',
    edited('location="/GetDoctor"', 'location="/Doctors"'),
    'Operation GetDoctor of Binding TPWebServicesHttpGet has location="/Doctors"; it must be "/GetDoctor".',
  ],

  // Ports
  [
    'a missing port',
    without('<wsdl:port name="TPWebServicesHttpGet"', '</wsdl:port>'),
    'Service TPWebServices has 3 ports',
  ],
  [
    'ports out of order',
    edited('soap:address', 'http:address'),
    'Port TPWebServicesSoap is port 1 and so must have an address for SOAP 1.1',
  ],
  [
    'a SOAP port with the binding of another port',
    edited('binding="tns:TPWebServicesSoap12"', 'binding="tns:TPWebServicesSoap"'),
    'Port TPWebServicesSoap12 names the binding TPWebServicesSoap, which does not exist or belongs to another port',
  ],
  [
    'a port name that is used twice',
    edited('<wsdl:port name="TPWebServicesSoap12"', '<wsdl:port name="TPWebServicesSoap"'),
    'Port TPWebServicesSoap is defined twice.',
  ],
  [
    'ports at different addresses',
    edited('localhost:8080', 'localhost:8081'),
    'Service TPWebServices has ports at different addresses',
  ],
  [
    'an address that is not a URL',
    ownWsdl.replaceAll('http://localhost:8080', 'localhost'),
    'which is not an http or https URL.',
  ],
  [
    'a binding without a port',
    edited('<wsdl:service', `${BINDING('X')} type="tns:TPWebServicesSoap" /><wsdl:service`),
    'Binding TPWebServicesX belongs to no port.',
  ],
  [
    'a portType without a port',
    edited('<wsdl:service', `${PORT_TYPE('X')} /><wsdl:service`),
    'PortType TPWebServicesX belongs to no port.',
  ],
  [
    'a message without an operation',
    edited('<wsdl:portType', '<wsdl:message name="Stray" /><wsdl:portType'),
    'Message Stray belongs to no operation.',
  ],
  [
    'a message that does not exist',
    edited('message="tns:GetDoctorSoapIn"', 'message="tns:GetDoctorIn"'),
    'names the message GetDoctorIn, which is not defined.',
  ],
  [
    'a message of another namespace',
    edited('message="tns:GetDoctorSoapIn"', 'message="s:GetDoctorSoapIn"'),
    'which is not of namespace http://tempuri.org/.',
  ],
  [
    'a prefix that is bound to nothing',
    edited('message="tns:GetDoctorSoapIn"', 'message="x:GetDoctorSoapIn"'),
    'whose prefix is bound to no namespace.',
  ],

  // Types
  [
    'a parameter of another type',
    edited(CENTER, CENTER.replace('int', 'long')),
    'centerid in Fetch_Details has the unsupported type long; a parameter is an int, string or dateTime.',
  ],
  [
    'a boolean parameter',
    edited(CENTER, CENTER.replace('int', 'boolean')),
    'centerid in Fetch_Details has the unsupported type boolean',
  ],
  [
    'a parameter that may be repeated',
    edited(CENTER, CENTER.replace('maxOccurs="1"', 'maxOccurs="unbounded"')),
    'centerid in Fetch_Details must have maxOccurs 1.',
  ],
  [
    'a field of another type',
    edited('name="Changed" type="s:boolean"', 'name="Changed" type="s:decimal"'),
    'Changed in AppointmentChange has the unsupported type decimal',
  ],
  [
    'a field with a type that does not exist',
    edited('type="tns:ArrayOfDoctor"', 'type="tns:Doctors"'),
    'Type DoctorList uses the type Doctors, which is not defined.',
  ],
  [
    'a type that contains itself',
    edited('type="tns:Doctor"', 'type="tns:ArrayOfDoctor"'),
    'Type ArrayOfDoctor contains itself.',
  ],
  [
    'a field that is defined twice',
    edited('name="DoctorName"', 'name="DoctorID"', '<s:complexType name="Doctor"'),
    'Type Doctor: field DoctorID is defined twice.',
  ],
  [
    'a type that is defined twice',
    edited('<s:complexType name="Doctor"', '<s:complexType name="DoctorList"'),
    'Type DoctorList is defined twice.',
  ],
  [
    'another number of occurrences',
    edited('maxOccurs="unbounded"', 'maxOccurs="5"'),
    'Appointment in ArrayOfAppointment has maxOccurs 5; it must be 1 or unbounded.',
  ],
  [
    'two parameters that differ only in case',
    edited('name="Message"', 'name="MOBILENO"', PARAMETERS),
    'Sent_SMS has the parameters Mobileno and MOBILENO, which are the same apart from upper and lower case.',
  ],
  [
    'a string parameter without a maximum length',
    edited('<tp:maxLength>50</tp:maxLength>', ''),
    'RegistrationNumber in Fetch_Details has no maxLength.',
  ],
  [
    'a mark that is neither true nor false',
    edited('<tp:safe>true<', '<tp:safe>yes<'),
    'Element OPAppointmentdetail has safe "yes"; it must be true or false.',
  ],
  [
    'a string with mayBeAbsent instead of minOccurs',
    edited('<tp:maxLength>50<', '<tp:mayBeAbsent>true</tp:mayBeAbsent><tp:maxLength>50<'),
    'RegistrationNumber in Fetch_Details has mayBeAbsent, which only an int or a dateTime of minOccurs 1 can have.',
  ],
  [
    'a result field with mayBeAbsent instead of minOccurs',
    edited('<s:appinfo>', '<s:appinfo><tp:mayBeAbsent>true</tp:mayBeAbsent>', 'name="SlotMinutes"'),
    'SlotMinutes in Doctor has mayBeAbsent, which only a parameter can have.',
  ],
  [
    'a parameter without an example',
    edited('<tp:example>101</tp:example>', ''),
    'DoctorID in Fetch_Details has no example.',
  ],
  [
    'a parameter that does not say whether it is patient data',
    edited('<tp:patientData>true</tp:patientData>', '', 'name="RegistrationNumber"'),
    'RegistrationNumber in Fetch_Details does not say whether it is patientData.',
  ],
  [
    'a result field that does not say whether it is patient data',
    edited('<tp:patientData>false</tp:patientData>', '', 'name="SlotMinutes"'),
    'SlotMinutes in Doctor does not say whether it is patientData.',
  ],
  [
    'patient data that is neither true nor false',
    edited('<tp:patientData>true<', '<tp:patientData>perhaps<'),
    'RegistrationNumber in Fetch_Details has patientData "perhaps"; it must be true or false.',
  ],
  [
    'a record that says whether it is patient data',
    edited(
      '</s:documentation>',
      '</s:documentation><s:appinfo><tp:patientData>false</tp:patientData></s:appinfo>',
      'name="Fetch_DetailsResult"',
    ),
    'Fetch_DetailsResult in Fetch_DetailsResponse has patientData, which the fields of its record have.',
  ],
  [
    'an example of a record',
    edited(
      '</s:documentation>',
      '</s:documentation><s:appinfo><tp:example>OK.</tp:example></s:appinfo>',
      'name="Fetch_DetailsResult"',
    ),
    'Fetch_DetailsResult in Fetch_DetailsResponse has an example, which no record can have.',
  ],
  [
    'a ResultCode that does not exist',
    edited('<tp:resultCodes>OK UnknownCenter<', '<tp:resultCodes>OK UnknownCentre<'),
    'Element GetDoctor can answer UnknownCentre, which is not a ResultCode.',
  ],
  [
    'a maximum length that is not a number',
    edited('<tp:maxLength>50<', '<tp:maxLength>many<'),
    'RegistrationNumber in Fetch_Details has the maxLength "many"',
  ],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'].map(
    (name) =>
      [
        `a parameter called ${name}`,
        edited('name="Message"', `name="${name}"`, PARAMETERS),
        `has the name ${name}, which is not allowed.`,
      ] as const,
  ),
  [
    'a field called __proto__',
    edited('name="Qualification"', 'name="__proto__"'),
    'has the name __proto__, which is not allowed.',
  ],
  [
    'a name that is not an identifier',
    edited('name="Message"', 'name="Mess-age"', PARAMETERS),
    'has the name "Mess-age", which is not an identifier.',
  ],

  // Duplicated, or missing
  [
    'an attribute of another namespace',
    edited('name="DoctorID"', 'tp:x="1" name="DoctorID"'),
    'The attribute x of namespace urn:tpwebservices:contract on element is not supported.',
  ],
  [
    'a body that is given twice',
    edited('<soap:body use="literal" />', '<soap:body use="literal" /><soap:body use="literal" />'),
    'has more than one body.',
  ],
  [
    'an element that is not defined',
    edited('<s:element name="GetDoctorResponse"', '<s:element name="GetDoctorReply"'),
    'Element GetDoctorResponse is not defined.',
  ],
  [
    'an empty response',
    ownWsdl.replace(/(<s:element name="GetDoctorResponse">\s*<s:complexType>)[\s\S]*?(<\/s:complexType>)/, '$1$2'),
    'Element GetDoctorResponse must hold one element.',
  ],
  [
    'an element of a type that is not defined',
    edited('<s:element name="DoctorList" type="tns:DoctorList"', '<s:element name="DoctorList" type="tns:Doctors"'),
    'DoctorList uses the type Doctors, which is not defined.',
  ],
  [
    'a type with two sequences',
    edited('</s:sequence>', '</s:sequence><s:sequence />'),
    'Element Fetch_Details has more than one sequence.',
  ],
  [
    'a maximum length for an int',
    edited(
      'lists it.</s:documentation>',
      'lists it.</s:documentation><s:appinfo><tp:maxLength>9</tp:maxLength></s:appinfo>',
    ),
    'DoctorID in Fetch_Details has a maxLength, which only a string can have.',
  ],
  [
    'a maximum length for a result field',
    edited(
      '</s:documentation>',
      '</s:documentation><s:appinfo><tp:maxLength>9</tp:maxLength></s:appinfo>',
      'name="ResultText"',
    ),
    'ResultText in AppointmentBooking has a maxLength, which only a parameter can have.',
  ],
  [
    'two maximum lengths',
    edited('<tp:maxLength>50</tp:maxLength>', '<tp:maxLength>50</tp:maxLength><tp:maxLength>60</tp:maxLength>'),
    'RegistrationNumber in Fetch_Details has more than one maxLength.',
  ],
  [
    'a parameter that must occur twice',
    edited(CENTER, CENTER.replace('minOccurs="1"', 'minOccurs="2"')),
    'centerid in Fetch_Details has minOccurs 2; it must be 0 or 1.',
  ],
  [
    'two annotations',
    edited(CENTER, `${CENTER}<s:annotation />`),
    'centerid in Fetch_Details has more than one annotation.',
  ],
  [
    'a portType that is not defined',
    edited('type="tns:TPWebServicesHttpGet"', 'type="tns:Get"'),
    'Binding TPWebServicesHttpGet names the portType Get, which is not defined.',
  ],
  ['a WSDL without operations', withoutOperations(ownWsdl), 'PortType TPWebServicesSoap has no operations.'],

  // Faults
  [
    'an operation without a fault',
    withoutFirstFault(ownWsdl),
    'Operation Fetch_Details of portType TPWebServicesSoap must have one fault',
  ],
  [
    'operations with different faults',
    edited(
      '<wsdl:fault name="ServiceFault" message="tns:ServiceFaultMessage" />',
      '<wsdl:fault name="ServiceFault" message="tns:OtherFault" />',
    ).replace(
      '<wsdl:portType',
      '<wsdl:message name="OtherFault"><wsdl:part name="fault" element="tns:DoctorDay" /></wsdl:message>$&',
    ),
    'All operations must have the same fault, but have DoctorDay, ServiceFault.',
  ],
  [
    'a fault element whose name differs from its type',
    edited(
      '<s:element name="ServiceFault" type="tns:ServiceFault"',
      '<s:element name="ServiceFault" type="tns:Doctor"',
    ),
    'Element ServiceFault must have a type of the same name, not Doctor.',
  ],
  [
    'two portTypes for SOAP 1.1 and SOAP 1.2',
    edited('type="tns:TPWebServicesSoap"', 'type="tns:Twelve"', BINDING('Soap12')).replace(
      /<wsdl:portType name="TPWebServicesSoap">[\s\S]*?<\/wsdl:portType>/,
      (portType) => portType + portType.replace('TPWebServicesSoap', 'Twelve'),
    ),
    'SOAP 1.1 and SOAP 1.2 must share a portType, but have TPWebServicesSoap and Twelve.',
  ],
  [
    'a fault that the binding lacks',
    without('<wsdl:fault name="ServiceFault">', '</wsdl:fault>', BINDING('Soap')),
    'Operation Fetch_Details of Binding TPWebServicesSoap has the faults ""; it must have "ServiceFault".',
  ],
  [
    'a fault in the SOAP 1.2 binding, where Axis 1.4 would stop',
    edited(
      '</wsdl:output>',
      '</wsdl:output><wsdl:fault name="ServiceFault"><soap12:fault name="ServiceFault" use="literal" /></wsdl:fault>',
      BINDING('Soap12'),
    ),
    'Operation Fetch_Details of Binding TPWebServicesSoap12 has the faults "ServiceFault"; it must have "".',
  ],
  [
    'a fault with another name in the binding',
    edited('<soap:fault name="ServiceFault"', '<soap:fault name="Fault"'),
    'has name="Fault"; it must be "ServiceFault".',
  ],
  [
    'a fault in a form',
    edited(
      '<wsdl:output message="tns:GetDoctorHttpGetOut" />',
      '<wsdl:output message="tns:GetDoctorHttpGetOut" /><wsdl:fault name="ServiceFault" message="tns:ServiceFaultMessage" />',
    ),
    'Operation GetDoctor of portType TPWebServicesHttpGet has a fault',
  ],
];

describe('readContract', () => {
  it('reads the namespace, service, path, ports and fault of the WSDL', () => {
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

  it('reads an operation with its action, response, result and parameters', () => {
    const { documentation, resultType, parameters, ...names } = ownContract.operations[5] ?? expect.fail();
    expect(documentation).to.match(/^Accepts a text message/);
    expect(names).to.deep.equal({
      name: 'Sent_SMS',
      soapAction: 'http://tempuri.org/Sent_SMS',
      safe: false,
      resultCodes: [
        'OK',
        'Duplicate',
        'InvalidInput',
        'InvalidMobile',
        'UnknownTemplate',
        'TemplateMismatch',
        'UnknownMode',
        'MessageTooLong',
      ],
      responseName: 'Sent_SMSResponse',
      resultName: 'Sent_SMSResult',
    });
    expect(resultType).to.equal(ownContract.types.find(({ name }) => name === 'MessageReceipt'));
    expect(parameters.map(({ name, type, required, maxLength }) => [name, type, required, maxLength])).to.deep.equal([
      ['Mobileno', 'string', false, 30],
      ['Message', 'string', false, 10000],
      ['tempid', 'int', true, undefined],
      ['SMSmode', 'int', true, undefined],
    ]);
  });

  it('treats a parameter of minOccurs 1 as optional if it may still be absent', () => {
    const optional = ownContract.operations.flatMap(({ name, parameters }) =>
      parameters.filter(({ type, required }) => type !== 'string' && !required).map((p) => `${name}.${p.name}`),
    );
    expect(optional).to.deep.equal(['Appointment_Status_Updates.appdate', 'Appointment_Status_Updates.apptime']);
  });

  it('reads which operations change nothing', () => {
    const safe = ownContract.operations.filter((operation) => operation.safe).map(({ name }) => name);
    expect(safe).to.deep.equal(['OPAppointmentdetail', 'Appointment_Status', 'GetDoctor']);
  });

  it('joins documentation over several lines', () => {
    expect(ownContract.operations[0]?.parameters[1]?.documentation).to.equal(
      'Registration number of the patient at the hospital. A patient without one is identified by name and phone. At most 50 characters.',
    );
  });

  it('reads a repeated field of a record type', () => {
    const doctors = ownContract.types.find(({ name }) => name === 'ArrayOfDoctor')?.fields[0];
    expect(doctors).to.include({ name: 'Doctor', repeated: true, required: false });
    expect(doctors?.type).to.equal(ownContract.types.find(({ name }) => name === 'Doctor'));
  });

  it('treats minOccurs and maxOccurs as 1 if they are left out', () => {
    const contract = readContract(edited(CENTER, '<s:element name="centerid" type="s:int">'));
    expect(contract).to.deep.equal(ownContract);
  });

  it('reads a WSDL with other prefixes', () => {
    const other = ownWsdl
      .replaceAll('tns:', 'own:')
      .replace('xmlns:tns=', 'xmlns:own=')
      .replaceAll(/(<\/?|")s:/g, '$1xs:')
      .replace('xmlns:s=', 'xmlns:xs=');
    expect(readContract(other)).to.deep.equal(ownContract);
  });

  for (const [title, wsdl, message] of REFUSED) {
    it(`refuses ${title}`, () => {
      expect(() => readContract(wsdl)).to.throw(message);
    });
  }
});
