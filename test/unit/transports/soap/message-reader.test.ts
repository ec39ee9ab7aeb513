import { expect } from 'chai';
import type { OperationInput } from '../../../../src/contract/contract.ts';
import { MessageReader, type SoapMessage } from '../../../../src/transports/soap/message-reader.ts';
import { SOAP_11, SOAP_12, type SoapVersion } from '../../../../src/transports/soap/soap-versions.ts';
import { ServiceError } from '../../../../src/vocabulary/errors.ts';
import { BOOK, GET_DOCTOR, NAMESPACE, PING, SMALL_CONTRACT } from '../../../wire/contract/small-contract.ts';

const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';
const ENC = 'xmlns:enc="http://schemas.xmlsoap.org/soap/encoding/"';
const VERSIONS = [SOAP_11, SOAP_12];

const reader = new MessageReader(SMALL_CONTRACT);
const readAny = (xml: string): SoapMessage => reader.read(xml);

/** A message that has no problem. */
function read(xml: string): SoapMessage & { readonly input: OperationInput } {
  const message = readAny(xml);
  if (message.problem !== undefined) throw message.problem;
  return message as SoapMessage & { readonly input: OperationInput };
}

const envelope = (content: string, version: SoapVersion = SOAP_11, attributes = ''): string =>
  `<e:Envelope xmlns:e="${version.envelopeNamespace}" ${XSI} ${attributes}>${content}</e:Envelope>`;
const inBody = (content: string, version?: SoapVersion): string => envelope(`<e:Body>${content}</e:Body>`, version);
const getDoctor = (content: string, attributes = ''): string =>
  `<GetDoctor xmlns="${NAMESPACE}" ${attributes}>${content}</GetDoctor>`;
const book = (content: string): string => `<Book xmlns="${NAMESPACE}">${content}</Book>`;

const GOOD = getDoctor('<centerid>1</centerid>');
const REST = '<DoctorID>1</DoctorID><app_date>2027-01-18T00:00:00</app_date>';

/** The name and area of a booking, as read. */
const stringsOf = (content: string): unknown[] => {
  const { input } = read(inBody(book(REST + content)));
  return [input.Name, input.area];
};

function errorOf(xml: string): ServiceError {
  const { problem } = readAny(xml);
  if (problem instanceof ServiceError) return problem;
  throw new Error(`Accepted: ${xml}`, { cause: problem });
}

function expectError(xml: string, code: string, message = ''): void {
  const error = errorOf(xml);
  expect(error.code, `${xml}\n${error.message}`).to.equal(code);
  expect(error.message).to.include(message);
}

describe('MessageReader', () => {
  it('reads a request of either version, and reports the version', () => {
    for (const version of VERSIONS) {
      const message = read(inBody(GOOD, version));
      expect(message.version).to.equal(version);
      expect(message.operation).to.equal(GET_DOCTOR);
      expect({ ...message.input }).to.deep.equal({ centerid: 1 });
      expect(message.headers).to.deep.equal([]);
    }
  });
  it('reads values by their types, in any order, with any prefixes', () => {
    const xml = inBody(
      `<t:Book xmlns:t="${NAMESPACE}">\n<t:area>x</t:area><Name xmlns="${NAMESPACE}"/>` +
        `<t:app_date>2027-01-18T10:15:00</t:app_date> <t:DoctorID> 7 </t:DoctorID></t:Book>`,
    );
    const { operation, input } = read(`<?xml version="1.0" encoding="utf-8"?>\n${xml}\n<!-- end -->`);
    expect(operation).to.equal(BOOK);
    expect(Object.keys(input)).to.deep.equal(['DoctorID', 'app_date', 'Name', 'area']);
    expect(input.DoctorID).to.equal(7);
    expect(input.app_date).to.deep.include({ date: { year: 2027, month: 1, day: 18 } });
    expect([input.Name, input.area]).to.deep.equal(['', 'x']);
  });
  it('returns an input that inherits nothing', () => {
    const { input } = read(inBody(GOOD));
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
      expect(name in input, name).to.equal(false);
  });
  it('keeps strings unchanged', () => {
    const text = `  a\n\t'"]] > \u{1f600}\u0939\u0085 `;
    expect(stringsOf(`<Name>${text}</Name><area><![CDATA[<?xml ?>&]]>&#13;<!-- x --> &lt;</area>`)).to.deep.equal([
      text,
      '<?xml ?>&\r <',
    ]);
  });
  it('carries nothing over from one message to the next', () => {
    errorOf(inBody(book('<Name>x</Name><Name>y</Name>')));
    errorOf(envelope(`<e:Header><h:H xmlns:h="u" e:mustUnderstand="1"/></e:Header><e:Body>${GOOD}</e:Body>`));
    expect(stringsOf('')).to.deep.equal([undefined, undefined]);
  });

  describe('the Envelope', () => {
    it('must be of a known version; otherwise nothing is reported about the message', () => {
      const message = readAny(`<Envelope xmlns="urn:soap"><Body>${GOOD}</Body></Envelope>`);
      const error = message.problem as ServiceError;
      expect(error.code).to.equal('VersionMismatch');
      expect(error.message).to.include('"urn:soap"');
      expect([message.version, message.operation, message.input]).to.deep.equal([undefined, undefined, undefined]);
      expectError(`<Envelope><Body>${GOOD}</Body></Envelope>`, 'VersionMismatch');
    });
    it('must be well-formed to its end before its version is judged', () => {
      expectError('<Envelope xmlns="urn:soap"><a></Envelope>', 'Malformed');
      expectError('<Envelope xmlns="urn:soap"/><a/>', 'Malformed');
    });
    it('must contain a Body', () => {
      for (const version of VERSIONS) {
        expectError(envelope('', version), 'Malformed', 'no SOAP 1.');
        expectError(envelope('<e:Header/>', version), 'Malformed', 'Body');
        expectError(envelope(`<Body>${GOOD}</Body>`, version), 'Malformed', 'Body');
      }
      const other = `<o:Body xmlns:o="${SOAP_12.envelopeNamespace}">${GOOD}</o:Body>`;
      expectError(envelope(other), 'Malformed', 'Body');
    });
    it('may contain only one Body and one Header, with the Header first', () => {
      for (const version of VERSIONS) {
        const body = `<e:Body>${GOOD}</e:Body>`;
        const before = ['<e:Header/><e:Header/>', '<x:a xmlns:x="u"/>', body];
        for (const content of [...before.map((first) => first + body), `${body}<e:Header/>`, `${body}<a/>`]) {
          expectError(envelope(content, version), 'UnexpectedElement', `in the ${version.title} Envelope`);
        }
      }
    });
    it('may contain qualified elements after the Body', () => {
      const content = `<e:Body>${GOOD}</e:Body><x:a xmlns:x="u"><b/></x:a>`;
      for (const version of VERSIONS) expect(read(envelope(content, version)).operation).to.equal(GET_DOCTOR);
    });
    it('may contain no text except white space, like Body and operation, but in the Header', () => {
      const body = `<e:Body>${GOOD}</e:Body>`;
      const inBodies = ['x', `x${GOOD}`, `${GOOD}&#160;`, getDoctor('x<centerid>1</centerid>')].map((text) =>
        inBody(text),
      );
      for (const xml of [envelope(`x${body}`), envelope(`${body}x`), ...inBodies]) {
        expectError(xml, 'UnexpectedElement', 'Text "');
      }
      expect(
        read(envelope(`\n<e:Header>x</e:Header>\t<e:Body>\r\n${GOOD} <!-- x --></e:Body>&#32;`)).operation,
      ).to.equal(GET_DOCTOR);
    });
  });

  describe('headers', () => {
    const withHeader = (header: string, version: SoapVersion = SOAP_11, body = GOOD): string =>
      envelope(`<e:Header>${header}</e:Header><e:Body>${body}</e:Body>`, version);
    const must = (value: string, more = ''): string =>
      `<h:Token xmlns:h="urn:h" e:mustUnderstand="${value}" ${more}><h:x>y</h:x></h:Token>`;

    it('that need not be understood are skipped', () => {
      for (const version of VERSIONS) {
        const others = ['<h:x xmlns:h="u">t<y/></h:x>', '<h:x xmlns:h="u" mustUnderstand="1"/>'];
        for (const header of [...others, must('0'), must('false'), must(' 0 ')]) {
          expect(read(withHeader(header, version)).operation).to.equal(GET_DOCTOR);
        }
      }
    });
    it('that must be understood are named', () => {
      for (const version of VERSIONS) {
        for (const value of ['1', 'true', ' 1\n']) {
          const error = errorOf(withHeader(`<h:a xmlns:h="u"/>${must(value)}${must('1')}`, version));
          expect(error.code).to.equal('MustUnderstand');
          expect(error.message).to.include('Token ("urn:h")');
          const name = { namespace: 'urn:h', localName: 'Token' };
          expect(error.notUnderstood).to.deep.equal([name, name]);
        }
      }
    });
    it('that are for other nodes are skipped', () => {
      const role12 = 'http://www.w3.org/2003/05/soap-envelope/role';
      const ours = {
        soap11: ['', 'http://schemas.xmlsoap.org/soap/actor/next'],
        soap12: ['', `${role12}/next`, ` ${role12}/ultimateReceiver `],
      };
      for (const version of VERSIONS) {
        for (const role of ours[version.name]) {
          expectError(withHeader(must('1', `e:${version.roleAttribute}="${role}"`), version), 'MustUnderstand');
        }
        for (const role of ['urn:other', `${role12}/none`]) {
          const xml = withHeader(must('1', `e:${version.roleAttribute}="${role}"`), version);
          expect(read(xml).operation).to.equal(GET_DOCTOR);
        }
      }
      expectError(withHeader(must('1', 'e:role="urn:other"'), SOAP_11), 'MustUnderstand');
      expectError(withHeader(must('1', 'e:actor="urn:other"'), SOAP_12), 'MustUnderstand');
    });
    it('have mustUnderstand as the specification says', () => {
      for (const value of ['2', '', 'yes', 'TRUE', '1 0'])
        expectError(withHeader(must(value)), 'Malformed', 'mustUnderstand');
    });
    it('that are not understood take precedence over problems in the Body, but not over malformed XML', () => {
      expectError(withHeader(must('1'), SOAP_11, getDoctor('')), 'MustUnderstand');
      expectError(withHeader(must('1'), SOAP_11, '<Nothing/>'), 'MustUnderstand');
      expectError(withHeader(must('1')).slice(0, -1), 'Malformed');
      expectError(withHeader(must('1'), SOAP_11, '<a/>'.repeat(200)), 'TooLarge');
    });
  });

  describe('headers that a component handles', () => {
    const understanding = (xml: string) => reader.read(xml, [{ namespace: 'urn:h', localName: 'Token' }]);
    const headersOf = (header: string, version: SoapVersion = SOAP_11): SoapMessage['headers'] => {
      const { headers, problem } = understanding(
        envelope(`<e:Header>${header}</e:Header><e:Body>${GOOD}</e:Body>`, version),
      );
      if (problem !== undefined) throw problem;
      return headers;
    };
    const token = (attributes = '', content = '') => `<h:Token xmlns:h="urn:h" ${attributes}>${content}</h:Token>`;

    it('are passed on unchanged, whether they must be understood or not', () => {
      for (const version of VERSIONS) {
        const must = `e:mustUnderstand="1" e:${version.roleAttribute}="${version.ourRoles[1]}"`;
        const [plain, other] = headersOf(
          token('a="1"', ' x<!-- y --><h:b>&amp;<![CDATA[<]]></h:b>') + token(must),
          version,
        );
        expect(plain).to.deep.equal({
          namespace: 'urn:h',
          localName: 'Token',
          attributes: [{ namespace: '', localName: 'a', value: '1' }],
          children: [{ namespace: 'urn:h', localName: 'b', attributes: [], children: [], text: '&<' }],
          text: ' x',
        });
        expect(other?.attributes.map(({ localName }) => localName)).to.deep.equal([
          'mustUnderstand',
          version.roleAttribute,
        ]);
      }
    });
    it('are not passed on if they are for other nodes, or absent', () => {
      for (const version of VERSIONS) {
        expect(headersOf(token(`e:${version.roleAttribute}="urn:other"`), version)).to.deep.equal([]);
        expect(headersOf('', version)).to.deep.equal([]);
        expect(headersOf('<Token xmlns="urn:other"/><h:token xmlns:h="urn:h"/>', version)).to.deep.equal([]);
      }
    });
    it('leave the other headers to be checked', () => {
      expect(() => headersOf(`${token()}<h:x xmlns:h="urn:h" e:mustUnderstand="1"/>`)).to.throw('x ("urn:h")');
    });
    it('are subject to the limits of the rest of the message', () => {
      expect(() => headersOf(token('', '<a>'.repeat(14) + '</a>'.repeat(14)))).to.throw('levels deep');
      expect(() => headersOf(token('', '<a/>'.repeat(200)))).to.throw('elements');
    });
    it('are known before the rest of the message is judged', () => {
      const body = `<e:Body><Nothing xmlns="${NAMESPACE}"/></e:Body>`;
      const { headers, problem } = understanding(envelope(`<e:Header>${token()}</e:Header>${body}`));
      expect(String(problem)).to.include('Nothing');
      expect(headers).to.have.length(1);
    });
  });

  describe('the operation', () => {
    it('is known to the caller even if the message is refused', () => {
      const { version, operation, input, problem } = readAny(inBody(getDoctor('<x>'), SOAP_12));
      expect([version, operation, input]).to.deep.equal([SOAP_12, GET_DOCTOR, undefined]);
      expect(problem).to.be.instanceOf(ServiceError);
    });
    it('may have no attributes that refer elsewhere or declare another type', () => {
      for (const attribute of ['href="#1"', `${ENC} enc:arrayType="xsd:int[1000000000]"`]) {
        expectError(inBody(getDoctor('<centerid>1</centerid>', attribute)), 'UnexpectedElement', 'Attribute');
      }
      for (const attribute of [
        'id="1"',
        'xsi:type="GetDoctor"',
        'xsi:type="xsd:int"',
        'xsi:type="other:x"',
        'xsi:nil="false"',
        `${ENC} enc:root="1"`,
        'xmlns:o="u" o:id="1" o:encodingStyle="u"',
        'e:mustUnderstand="1"',
        'e:encodingStyle="urn:other"',
      ]) {
        expect(read(inBody(getDoctor('<centerid>1</centerid>', attribute))).operation).to.equal(GET_DOCTOR);
      }
    });
  });

  describe('an operation that is nil', () => {
    it('has no parameters', () => {
      for (const nil of ['xsi:nil="true"', 'xsi:nil=" 1 "']) {
        expectError(inBody(getDoctor('', nil)), 'MissingParameter', 'Missing parameter: centerid.');
        const message = read(inBody(`<Ping xmlns="${NAMESPACE}" ${nil}> </Ping>`));
        expect([message.operation, { ...message.input }]).to.deep.equal([PING, {}]);
      }
    });
    it('says so with a boolean', () => {
      const nil = inBody(getDoctor('<centerid>1</centerid>', 'xsi:nil="maybe"'));
      expectError(nil, 'InvalidValue', 'Element GetDoctor has xsi:nil "maybe"; expected true or false.');
    });
  });

  describe('an operation without parameters', () => {
    it('is read from an empty element', () => {
      for (const ping of [
        '<Ping xmlns="NS"/>',
        '<Ping xmlns="NS"></Ping>',
        '<p:Ping xmlns:p="NS"> <!-- x -->\n</p:Ping>',
      ]) {
        for (const version of VERSIONS) {
          const { operation, input } = read(inBody(ping.replace('NS', NAMESPACE), version));
          expect([operation, { ...input }]).to.deep.equal([PING, {}]);
        }
      }
    });
    it('accepts none', () => {
      const message = 'Element x is not expected in Ping, which has no parameters.';
      expectError(inBody(`<Ping xmlns="${NAMESPACE}"><x/></Ping>`), 'UnexpectedElement', message);
    });
  });

  describe('parameters', () => {
    it('are all listed if one of them is unknown', () => {
      const names = 'expected one of DoctorID, app_date, Name, area.';
      expectError(inBody(book(`${REST}<phone/>`)), 'UnexpectedElement', names);
    });
    it('must be given only once', () => {
      const error = errorOf(inBody(getDoctor('<centerid>1</centerid><centerid>1</centerid>')));
      expect([error.code, error.parameter]).to.deep.equal(['DuplicateParameter', 'centerid']);
      expectError(inBody(book(`${REST}<Name xsi:nil="1"/><Name>x</Name>`)), 'DuplicateParameter');
    });
    it('may contain only text', () => {
      for (const content of ['<b/>', '1<b/>', '<b>1</b>', '<centerid>1</centerid>']) {
        const inParameter = inBody(getDoctor(`<centerid>${content}</centerid>`));
        expectError(inParameter, 'UnexpectedElement', 'in parameter centerid; expected text only');
      }
    });
    it('may have any xsi:type, which is ignored', () => {
      for (const type of ['', ...'xsd:int xsd:string xsd:long int other:int :int xsd: xsd:base64Binary'.split(' ')]) {
        const xml = inBody(getDoctor(`<centerid xsi:type="${type}">1</centerid>`));
        expect(read(xml).input.centerid, type).to.equal(1);
        expectError(xml.replace('>1<', '>MQ==<'), 'InvalidValue', '"MQ==" is not an int');
      }
      for (const type of ['xsd:long', 'xsd:string', 'xsd:hexBinary', 'q:x', '']) {
        expect(stringsOf(`<Name xsi:type="${type}">NDI=</Name>`)).to.deep.equal(['NDI=', undefined]);
      }
    });
    it('that are strings are decoded if their xsi:type is base64Binary, in any spelling of its QName', () => {
      const inBase64 = Buffer.from('  Åsa \u{1f3e5} आशा\n').toString('base64');
      const soapEncoding = 'http://schemas.xmlsoap.org/soap/encoding/';
      for (const [schema, type] of [
        ...[2001, 1999].map((year) => [`http://www.w3.org/${year}/XMLSchema`, 'base64Binary']),
        ...['base64', 'base64Binary'].map((type) => [soapEncoding, type]),
        ['http://www.w3.org/2003/05/soap-encoding', 'base64Binary'],
      ]) {
        const attributes = `xmlns:q="${schema}" xmlns:i="http://www.w3.org/1999/XMLSchema-instance"`;
        for (const prefix of ['xsi', 'i']) {
          const name = `<Name ${attributes} ${prefix}:type=" q:${type} ">${inBase64}</Name><area>${inBase64}</area>`;
          expect(stringsOf(name)).to.deep.equal(['  Åsa \u{1f3e5} आशा\n', inBase64]);
        }
      }
      const typed = (content: string): string => `<Name xsi:type="xsd:base64Binary">${content}</Name>`;
      expect(stringsOf(typed('<![CDATA[w4]]>Vz\r\nYQ=='))).to.deep.equal(['Åsa', undefined]);
      expect(stringsOf(typed(''))).to.deep.equal(['', undefined]);
      expect(stringsOf('<Name xsi:nil="1" xsi:type="xsd:base64Binary"/>')).to.deep.equal([undefined, undefined]);
    });
    it('that are strings and base64Binary must contain strict base64 of characters that XML allows, in UTF-8', () => {
      const noBase64 = ['QXNoYQ', 'QXNoYR==', 'QXNo*YQ==', 'QXN_YQ==', 'Åsa', 'xXNh'];
      for (const content of [...noBase64, 'AA==']) {
        const problem = content === 'AA==' ? 'contains U+0000' : 'is not the base64 of a text in UTF-8';
        const error = errorOf(inBody(book(`${REST}<Name xsi:type="xsd:base64Binary">${content}</Name>`)));
        expect([error.code, error.parameter], content).to.deep.equal(['InvalidValue', 'Name']);
        expect(error.message).to.include(problem);
      }
      const foreign = inBody(book(`${REST}<Name xsi:type="other:base64Binary">QXNoYQ==</Name>`));
      expectError(foreign, 'InvalidValue', 'Parameter Name has xsi:type "other:base64Binary", whose prefix');
    });
    it('are absent if nil', () => {
      for (const nil of [
        'xsi:nil="true"',
        'xsi:nil=" 1 "',
        'xmlns:i="http://www.w3.org/1999/XMLSchema-instance" i:null="1"',
      ]) {
        expect(stringsOf(`<Name ${nil}/><area ${nil}></area>`)).to.deep.equal([undefined, undefined]);
        expectError(inBody(getDoctor(`<centerid ${nil}/>`)), 'MissingParameter', 'Missing parameter: centerid.');
        expectError(inBody(getDoctor(`<centerid ${nil}>1</centerid>`)), 'InvalidValue', 'centerid is nil');
      }
      expect(stringsOf('<Name xsi:nil="false">x</Name><area xsi:nil="0"/>')).to.deep.equal(['x', '']);
      for (const value of ['yes', '', 'TRUE', '2']) {
        expectError(inBody(book(`${REST}<Name xsi:nil="${value}"/>`)), 'InvalidValue', `xsi:nil "${value}"`);
      }
    });
    it('may not have attributes that refer elsewhere, but may have any others', () => {
      for (const attribute of [
        'href="#1"',
        `${ENC} enc:arrayType="xsd:int[9]"`,
        'xmlns:q="http://www.w3.org/2003/05/soap-encoding" q:ref="1"',
      ]) {
        expectError(inBody(getDoctor(`<centerid ${attribute}>1</centerid>`)), 'UnexpectedElement', 'Attribute');
      }
      const { input } = read(
        inBody(getDoctor('<centerid id="1" type="xsd:int" xmlns:o="u" o:id="1" xml:lang="en">1</centerid>')),
      );
      expect(input.centerid).to.equal(1);
    });
  });

  describe('with several problems', () => {
    it('reports the first in the message', () => {
      expectError(inBody(book('<x/><DoctorID>y</DoctorID>')), 'UnexpectedElement', 'Element x');
      expectError(inBody(book('<DoctorID>y</DoctorID><x/>')), 'InvalidValue', 'DoctorID');
      expectError(inBody(book('<Name>1</Name><Name>2</Name>')), 'DuplicateParameter', 'Name');
    });
    it('reports malformed or oversized XML before any other', () => {
      const wrong = inBody(getDoctor('<x/><centerid>y</centerid>'));
      expectError(wrong.replace('</e:Envelope>', ''), 'Malformed');
      expectError(`${wrong}<!DOCTYPE a>`, 'Malformed');
      expectError(inBody(getDoctor('<x/>'.repeat(200))), 'TooLarge');
    });
  });
});
