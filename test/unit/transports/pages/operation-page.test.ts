import { expect } from 'chai';
import { escapeHtml } from '../../../../src/transports/pages/html.ts';
import { operationPage } from '../../../../src/transports/pages/operation-page.ts';
import { ownContract } from '../../../wire/contract/own-wsdl.ts';
import { PING, SMALL_CONTRACT } from '../../../wire/contract/small-contract.ts';
import { pageSettings, withoutForm } from './own-pages.ts';

const pageOf = (name: string, settings = pageSettings): string => {
  const operation = ownContract.operations.find((known) => known.name === name);
  if (operation === undefined) throw new Error(name);
  return operationPage(ownContract, operation, settings).html;
};
const controlOf = (name: string, parameter: string): string =>
  new RegExp(`<(?:input|textarea|select)[^>]* name="${parameter}"[^>]*>`).exec(pageOf(name))?.[0] ?? '';

describe('The page of an operation', () => {
  for (const operation of ownContract.operations) {
    it(`${operation.name}: every parameter has a labelled control with a description, filled with its example.`, () => {
      const html = pageOf(operation.name);
      expect(html).to.include(`<form id="call" method="post" action="/TPWebServices.asmx/${operation.name}"`);
      for (const parameter of operation.parameters) {
        const { name, half, documentation, mustHaveValue: required } = parameter;
        const control = controlOf(operation.name, name);
        expect(control).to.include(`id="${name}"`).and.include(`aria-describedby="${name}.kind ${name}.hint"`);
        expect(/ required\b/.test(control)).to.equal(required);
        const label = `<label for="${name}">${name}</label>`;
        expect(html).to.include(label);
        const head = html.slice(html.indexOf(label)).split('\n')[0] ?? '';
        expect(head.includes('<span class="required">required</span>'), name).to.equal(required);
        const hint = half === undefined ? documentation : documentation.split(' Only the ')[0];
        expect(html).to.include(`id="${name}.hint">${escapeHtml(hint ?? '')}`);
      }
      expect([...html.matchAll(/<(?:input|textarea|select)\b/g)]).to.have.length(operation.parameters.length);
    });

    it(`${operation.name}: without the form, a table describes every parameter, and the page says why.`, () => {
      const html = pageOf(operation.name, withoutForm);
      expect(html).to.include('is turned off');
      for (const { name, documentation } of operation.parameters) {
        expect(html).to.include(`<th scope="row">${name}<span class="kind">`).and.include(escapeHtml(documentation));
      }
    });

    it(`${operation.name}: every field of its answer is described.`, () => {
      for (const { name, documentation } of operation.resultType.fields) {
        expect(pageOf(operation.name))
          .to.include(`<th scope="row">${name}<span class="kind">`)
          .and.include(name === 'ResultCode' ? 'Outcome of the call' : escapeHtml(documentation));
      }
    });

    it(`${operation.name}: the page lists the possible ResultCodes, and links to the others and to the errors.`, () => {
      const html = pageOf(operation.name);
      const section = html.slice(html.indexOf('<h2 id="resultcodes">')).split('</table>')[0] ?? '';
      const codes = [...section.matchAll(/<th scope="row">(\d+) (\w+)<\/th>/g)].map(([, , name]) => name);
      expect(codes).to.deep.equal(operation.resultCodes);
      expect(section)
        .to.include('href="/TPWebServices.asmx#resultcodes"')
        .and.include('href="/TPWebServices.asmx#errors"');
    });
  }

  it('The control of what a call would change is empty, so that no click on the button changes the record of the example.', () => {
    expect(controlOf('Appointment_Status_Updates', 'AppointmentID')).to.include('value=""');
    expect(controlOf('Appointment_Status', 'AppointmentID')).to.include('value="1"');
  });

  it('A number has a number control, with the bounds of int.', () => {
    expect(controlOf('GetDoctor', 'centerid')).to.include('type="number" min="-2147483648" max="2147483647" step="1"');
  });

  it('A dateTime whose date alone counts has a date control; one whose time alone counts has a time control.', () => {
    expect(controlOf('Fetch_Details', 'app_date')).to.match(/type="date" value="\d{4}-\d\d-\d\d"/);
    expect(controlOf('Fetch_Details', 'app_time')).to.match(/type="time" value="\d\d:\d\d"/);
    expect(controlOf('OPAppointmentdetail', 'appdate')).to.include('type="date"');
  });

  it('What a rule requires is marked as required, too.', () => {
    for (const [name, parameter] of [
      ['Fetch_Details', 'Name'],
      ['Sent_SMS', 'Mobileno'],
      ['Sent_SMS', 'Message'],
      ['FB_Push_Details', 'ipno'],
    ] as const) {
      expect(controlOf(name, parameter), parameter).to.match(/ required/);
    }
    for (const parameter of ['area', 'email', 'contactnumber'])
      expect(controlOf('Fetch_Details', parameter)).to.not.match(/ required/);
  });

  it('A number whose values have names is selected by them.', () => {
    expect(controlOf('Appointment_Status_Updates', 'type')).to.match(/^<select/);
    expect(pageOf('Appointment_Status_Updates')).to.include('<option value="6">6 Cancel</option>');
    expect(pageOf('Sent_SMS')).to.include('<option value="3">3 one-time password</option>');
    expect(pageOf('GetDoctor')).to.not.include('<select');
  });

  it('It links to every operation, with the numbers that it takes, and marks itself.', () => {
    expect(pageOf('GetDoctor'))
      .to.include('<a href="?op=Appointment_Status" data-ints="AppointmentID centerid">Appointment_Status</a>')
      .and.include('<a href="?op=GetDoctor" data-ints="centerid" aria-current="page">GetDoctor</a>');
  });

  it('Texts run in the direction of their script.', () => {
    expect(controlOf('Fetch_Details', 'Name')).to.include('dir="auto"');
    expect(controlOf('FB_Push_Details', 'needsimprovementcommit')).to.include('dir="auto"');
  });

  it('A long text has more than one line.', () => {
    expect(controlOf('FB_Push_Details', 'needsimprovementcommit')).to.match(/^<textarea/);
    expect(controlOf('FB_Push_Details', 'ipno')).to.match(/^<input type="text"/);
  });

  it('Its form is headed "Try it" and linked from the top; without a form, the parameters are linked.', () => {
    const withForm = pageOf('GetDoctor');
    expect(withForm)
      .to.match(/<li><a[^>]* href="#parameters">Try it<\/a>/)
      .and.include('<h2 id="parameters">Try it</h2>');
    const without = pageOf('GetDoctor', withoutForm);
    expect(without).to.include('<h2 id="parameters">Parameters</h2>').and.not.include('Try it');
  });

  it('If callers must identify themselves, the page says so and has a field for the API key, which no form sends.', () => {
    const secured = pageOf('GetDoctor', { ...pageSettings, secured: true });
    expect(secured).to.include('Only known clients may call');
    const field = /<input[^>]* id="api-key"[^>]*>/.exec(secured)?.[0];
    expect(field).to.include('type="password"').and.include('autocomplete="off"').and.not.include(' name=');
    expect(pageOf('GetDoctor')).to.not.include('api-key"').and.not.include('known clients');
  });

  it('It says whether a call changes data.', () => {
    expect(pageOf('Fetch_Details')).to.include('changes data').and.include('are real');
    expect(pageOf('GetDoctor')).to.include('reads only').and.not.include('are real');
  });

  it('An operation without parameters has a form with a button alone.', () => {
    const { html } = operationPage(SMALL_CONTRACT, PING, pageSettings);
    expect(html).to.include('The operation has no parameters.').and.include('<button class="call">Call Ping</button>');
    expect(html).to.not.match(/<input|<textarea/);
  });
});
