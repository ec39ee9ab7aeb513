import { expect } from 'chai';
import { expectCallerFault, faultIn, resultCodeOf } from './answers.ts';
import type { Attacked } from './attacked.ts';
import {
  bodyOf,
  encodeForm,
  envelope,
  FORM_TYPE,
  formRequest,
  type Headers,
  NAMESPACE,
  operationElement,
  PATH,
  request,
  type SoapVersionName,
  soapRequest,
} from './requests.ts';

const VERSIONS: readonly SoapVersionName[] = ['1.1', '1.2'];

/** Requests that say one thing and mean another. */
export function byPretence(attacked: Attacked): void {
  const { row, send, standing } = attacked;

  const bookingXml = (version: SoapVersionName) =>
    envelope(version, operationElement('Fetch_Details', bodyOf('Fetch_Details')));

  row('runs nothing if the action differs from the body’s', async () => {
    const before = await standing();
    const ofOthers = [`${NAMESPACE}GetDoctor`, `${NAMESPACE}Appointment_Status`, 'urn:x#GetDoctor'];
    for (const action of [...ofOthers, 'urn:x', 'Fetch_Details']) {
      const soap11 = await send(soapRequest('1.1', bookingXml('1.1'), [['SOAPAction', `"${action}"`]]));
      expectCallerFault(soap11.answer, '1.1', 'ActionMismatch', 500);
    }
    // In SOAP 1.2 it is a hint, which toolkits write in forms of their own.
    for (const action of ofOthers) {
      const type = `application/soap+xml; charset=utf-8; action="${action}"`;
      const soap12 = await send(request('POST', PATH, [['Content-Type', type]], bookingXml('1.2')));
      expectCallerFault(soap12.answer, '1.2', 'ActionMismatch', 500);
    }
    const doubled: Headers = [
      ['SOAPAction', `"${NAMESPACE}GetDoctor"`],
      ['SOAPAction', `"${NAMESPACE}Fetch_Details"`],
    ];
    const { answer } = await send(soapRequest('1.1', bookingXml('1.1'), doubled));
    expectCallerFault(answer, '1.1', 'ActionMismatch', 500);
    expect(await standing(), 'appointments').to.equal(before);
  });

  row('runs nothing in a body with two operations', async () => {
    const before = await standing();
    const booking = operationElement('Fetch_Details', bodyOf('Fetch_Details'));
    const reading = operationElement('GetDoctor', bodyOf('GetDoctor'));
    for (const inBody of [booking + reading, reading + booking, booking + booking]) {
      const { answer } = await send(soapRequest('1.1', envelope('1.1', inBody)));
      expectCallerFault(answer, '1.1', 'UnexpectedElement', 500);
    }
    expect(await standing()).to.equal(before);
  });

  row('runs nothing in a request with two contradictory lengths', async () => {
    const before = await standing();
    const form = encodeForm(bodyOf('Fetch_Details'));
    const head = `POST ${PATH}/Fetch_Details HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${FORM_TYPE[1]}\r\n`;
    for (const framing of [
      `Content-Length: ${form.length}\r\nTransfer-Encoding: chunked\r\n`,
      `Content-Length: ${form.length}\r\nContent-Length: 5\r\n`,
      `Transfer-Encoding: chunked, identity\r\n`,
      `Content-Length: +${form.length}\r\n`,
      `Content-Length : ${form.length}\r\n`,
    ]) {
      const { answer, closed } = await send(`${head}${framing}\r\n${form}`, true);
      expect([framing, answer.status, closed]).to.deep.equal([framing, 400, true]);
    }
    for (const codings of ['gzip, chunked', 'gzip\r\nTransfer-Encoding: chunked']) {
      const chunks = `${form.length.toString(16)}\r\n${form}\r\n0\r\n\r\n`;
      const { answer, closed } = await send(`${head}Transfer-Encoding: ${codings}\r\n\r\n${chunks}`, true);
      expect([codings, answer.status, closed]).to.deep.equal([codings, 501, true]);
    }
    // An HTTP/1.0 proxy does not know chunks, and takes what follows as another request.
    const chunked = `Transfer-Encoding: chunked\r\n\r\n${form.length.toString(16)}\r\n${form}\r\n0\r\n\r\n`;
    const old = await send(head.replace('HTTP/1.1', 'HTTP/1.0') + chunked, true);
    expect([old.answer.status, old.closed]).to.deep.equal([400, true]);
    // A request without a version has no headers: neither Origin nor Host could be checked.
    const oldest = await send(`GET ${PATH}/Fetch_Details?${form}\r\n\r\n`, true);
    expect([oldest.answer.status, oldest.closed]).to.deep.equal([505, true]);
    expect(await standing()).to.equal(before);
  });

  const OBJECT_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'];

  row('treats properties that every object has as unknown operations and parameters', async () => {
    for (const name of OBJECT_NAMES) {
      for (const version of VERSIONS) {
        const asOperation = await send(soapRequest(version, envelope(version, `<${name} xmlns="${NAMESPACE}"/>`)));
        expectCallerFault(asOperation.answer, version, 'UnknownOperation', 500);
        const element = operationElement('GetDoctor', { [name]: '1', centerid: '1' });
        const asParameter = await send(soapRequest(version, envelope(version, element)));
        expectCallerFault(asParameter.answer, version, 'UnexpectedElement', 500);
        const child = `<centerid><${name}>1</${name}></centerid>`;
        const asChild = envelope(version, `<GetDoctor xmlns="${NAMESPACE}">${child}</GetDoctor>`);
        expectCallerFault((await send(soapRequest(version, asChild))).answer, version, 'UnexpectedElement', 500);
      }
      expect((await send(formRequest('GET', name, {}))).answer.status).to.equal(404);
      for (const method of ['GET', 'POST'] as const) {
        const fields = { centerid: '1', [name]: '2', [`${name}[x]`]: '3' };
        const { answer } = await send(formRequest(method, 'GetDoctor', fields));
        expect([name, resultCodeOf(answer)]).to.deep.equal([name, 0]);
      }
      const page = await send(request('GET', `${PATH}?op=${name}`, []));
      expect(page.answer.status).to.equal(404);
    }
  });

  row('ignores headers and attributes named like properties that every object has', async () => {
    const headers: Headers = OBJECT_NAMES.map((name) => [name, 'x']);
    const xml = envelope('1.1', operationElement('GetDoctor', bodyOf('GetDoctor')));
    expect(resultCodeOf((await send(soapRequest('1.1', xml, headers))).answer)).to.equal(0);
    const block = OBJECT_NAMES.map((name) => `<h:${name} xmlns:h="urn:h" ${name}="1">x</h:${name}>`).join('');
    const withHeader = envelope('1.1', operationElement('GetDoctor', bodyOf('GetDoctor')), block);
    expect(resultCodeOf((await send(soapRequest('1.1', withHeader))).answer)).to.equal(0);
    const type = 'text/xml; __proto__=x; constructor=y; charset=utf-8';
    expect(resultCodeOf((await send(request('POST', PATH, [['Content-Type', type]], xml))).answer)).to.equal(0);
  });

  row('refuses an array of 1,000,000,000 members, references, and base64 that is not text', async () => {
    const before = await standing();
    const booking = operationElement('Fetch_Details', bodyOf('Fetch_Details'));
    const encoding = 'xmlns:e="http://schemas.xmlsoap.org/soap/encoding/"';
    const instance =
      'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';
    const changed: readonly (readonly [name: string, xml: string])[] = [
      ['array', booking.replace('<Name>', `<Name ${encoding} e:arrayType="e:string[1000000000]">`)],
      [
        'array of the operation',
        booking.replace('<Fetch_Details ', `<Fetch_Details ${encoding} e:arrayType="e:ur-type[1000000000]" `),
      ],
      ['href', booking.replace(/<Name>.*<\/Name>/, '<Name href="#id1"/>')],
      [
        'href with its target',
        `${booking.replace(/<Name>.*<\/Name>/, '<Name href="#id1"/>')}<multiRef id="id1">Asha</multiRef>`,
      ],
      [
        'base64 of bytes that are not text',
        booking.replace(/<Name>.*<\/Name>/, `<Name ${instance} xsi:type="xsd:base64Binary">/w==</Name>`),
      ],
      ['base64 of an unbound prefix', booking.replace('<Name>', `<Name ${instance} xsi:type="no:base64Binary">`)],
    ];
    for (const [name, xml] of changed) {
      for (const version of VERSIONS) {
        const { answer } = await send(soapRequest(version, envelope(version, xml)));
        expect(faultIn(answer, version).faultCode, name).to.equal(version === '1.1' ? 'Client' : 'Sender');
      }
    }
    expect(await standing()).to.equal(before);
  });

  row('makes no calls to addresses in a message', async () => {
    const before = attacked.contacts();
    const addressing = (namespace: string, attributes: string) =>
      `${['ReplyTo', 'FaultTo', 'From']
        .map(
          (name) =>
            `<w:${name} xmlns:w="${namespace}"${attributes}><w:Address>${attacked.listenerUrl()}</w:Address></w:${name}>`,
        )
        .join('')}<w:To xmlns:w="${namespace}">${attacked.listenerUrl()}</w:To>`;
    for (const namespace of [
      'http://www.w3.org/2005/08/addressing',
      'http://schemas.xmlsoap.org/ws/2004/08/addressing',
    ]) {
      for (const version of VERSIONS) {
        const element = operationElement('GetDoctor', bodyOf('GetDoctor'));
        const plain = await send(soapRequest(version, envelope(version, element, addressing(namespace, ''))));
        expect(resultCodeOf(plain.answer)).to.equal(0);
        const must = addressing(namespace, ' soap:mustUnderstand="1"');
        const understood = await send(soapRequest(version, envelope(version, element, must)));
        expect(faultIn(understood.answer, version).faultCode).to.equal('MustUnderstand');
        const faulty = await send(soapRequest(version, envelope(version, '<x/>', addressing(namespace, ''))));
        expectCallerFault(faulty.answer, version, 'UnexpectedElement', 500);
      }
    }
    expect(attacked.contacts(), 'connections to the listener').to.equal(before);
  });
}
