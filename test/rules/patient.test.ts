import { expect } from 'chai';
import { patientKey } from '../../src/rules/patient.ts';

const key = (registrationNumber: string | undefined, name = 'Asha Rao', phone = '+919876543210'): string =>
  patientKey({ registrationNumber, name, phone });

describe('patientKey', () => {
  it('is the registration number, trimmed and in capitals, whatever name and phone', () => {
    expect(key(' tp-1001 ')).to.equal('R:TP-1001');
    expect(key('TP-1001', 'Other', '+1')).to.equal('R:TP-1001');
  });

  it('is name and phone without a registration number', () => {
    for (const absent of [undefined, '', ' \t']) expect(key(absent)).to.equal('N:asha rao|+919876543210');
  });

  it('folds case, white space and composition of the name', () => {
    expect(key('', '  ASHA \t Rao ')).to.equal(key('', 'Asha Rao'));
    expect(key('', 'Rene\u0301')).to.equal(key('', 'Ren\u00e9'));
    expect(key('', 'RENE\u0301')).to.equal(key('', 'ren\u00e9'));
  });

  it('tells other names and phones apart', () => {
    expect(key('', 'Asha Rao')).not.to.equal(key('', 'AshaRao'));
    expect(key('', 'Asha Rao', '+919876543210')).not.to.equal(key('', 'Asha Rao', '+919876543211'));
  });

  it('cannot be made equal to a registration number by a name', () => {
    expect(key('X')).not.to.equal(key('', 'R:X', ''));
  });
});
