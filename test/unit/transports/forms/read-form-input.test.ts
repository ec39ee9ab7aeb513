import { expect } from 'chai';
import { compileFormReader, readForm } from '../../../../src/transports/forms/read-form.ts';
import { ServiceError } from '../../../../src/vocabulary/errors.ts';
import { ownContract } from '../../../wire/contract/own-wsdl.ts';
import { BOOK, PING } from '../../../wire/contract/small-contract.ts';

const readerOf = (name: string) => {
  const operation = ownContract.operations.find((known) => known.name === name);
  if (operation === undefined) throw new Error(name);
  return compileFormReader(operation);
};
const list = readerOf('OPAppointmentdetail');
const feedback = readerOf('FB_Push_Details');

function errorOf(text: string): ServiceError {
  try {
    list(readForm(text));
  } catch (error) {
    expect(error).to.be.instanceOf(ServiceError);
    return error as ServiceError;
  }
  throw new Error(`accepted: ${text}`);
}

describe("An operation's input from a form", () => {
  it('Each parameter gets the value of its type under its name in the contract.', () => {
    const input = list(readForm('CENTERID=+1&appdate=2026-11-23&DoctorId=%09101'));
    expect({ ...input }).to.deep.equal({
      doctorid: 101,
      appdate: { date: { year: 2026, month: 11, day: 23 }, time: undefined, offset: undefined },
      centerid: 1,
    });
  });

  it('Fields may come in any order.', () => {
    expect({ ...list(readForm('x=1&centerid=3&appdate=2026-11-23&y=2&doctorid=4')) }).to.include({
      doctorid: 4,
      centerid: 3,
    });
  });

  it('An input inherits nothing.', () => {
    const input = list(readForm('doctorid=1&appdate=2026-11-23&centerid=1'));
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
      expect(name in input, name).to.equal(false);
  });

  it('An empty text is a value.', () => {
    const input = feedback(readForm('ipno=&roomno=&moblieno=&dept=&needsimprovementcommit='));
    expect(input.ipno).to.equal('');
  });

  it('An empty text for an optional date means no value, but the field must be present.', () => {
    const change = readerOf('Appointment_Status_Updates');
    expect({ ...change(readForm('AppointmentID=1&type=6&appdate=&apptime=+&centerid=1')) }).to.deep.equal({
      AppointmentID: 1,
      type: 6,
      appdate: undefined,
      apptime: undefined,
      centerid: 1,
    });
    expect(() => change(readForm('AppointmentID=1&type=6&appdate=&centerid=1'))).to.throw(
      'Missing parameter: apptime.',
    );
  });

  it('What the contract says a form may omit is absent without it, and then has no value.', () => {
    const book = compileFormReader(BOOK);
    expect({ ...book(readForm('DoctorID=1&app_date=2026-11-23&Name=A')) }).to.include({ Name: 'A', area: undefined });
    expect({ ...book(readForm('DoctorID=1&app_date=2026-11-23&Name=A&area=')) }).to.include({ area: '' });
    expect(() => book(readForm('DoctorID=1&app_date=2026-11-23&area='))).to.throw('Missing parameter: Name.');
  });

  it('An operation without parameters needs no field, and ignores all.', () => {
    for (const form of ['', 'x=1']) expect({ ...compileFormReader(PING)(readForm(form)) }).to.deep.equal({});
  });

  it('White space in a string is kept.', () => {
    const input = feedback(readForm('ipno=+1+&roomno=&moblieno=&dept=&needsimprovementcommit='));
    expect(input.ipno).to.equal(' 1 ');
  });

  it('Unknown parameters are ignored, whatever their names.', () => {
    const input = list(readForm('doctorid=1&appdate=2026-11-23&centerid=1&__proto__=1&constructor=2&x=3&x=4'));
    expect(Object.keys(input)).to.deep.equal(['doctorid', 'appdate', 'centerid']);
  });

  it('The first missing parameter is named.', () => {
    const error = errorOf('centerid=1');
    expect([error.code, error.parameter, error.message]).to.deep.equal([
      'MissingParameter',
      'doctorid',
      'Missing parameter: doctorid.',
    ]);
  });

  it('A parameter given twice is named, even if the case differs.', () => {
    const error = errorOf('doctorid=1&appdate=2026-11-23&centerid=1&CenterID=1');
    expect([error.code, error.parameter]).to.deep.equal(['DuplicateParameter', 'centerid']);
  });

  it('A bad value is named with its parameter.', () => {
    const error = errorOf('doctorid=12abc&appdate=2026-11-23&centerid=1');
    expect([error.code, error.parameter]).to.deep.equal(['InvalidValue', 'doctorid']);
    expect(error.message).to.include('"12abc"');
  });
});
