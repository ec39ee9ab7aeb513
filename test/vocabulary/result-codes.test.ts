import { expect } from 'chai';
import { isRefusal, REFUSALS, RESULT_CODES, ResultCode } from '../../src/vocabulary/result-codes.ts';

describe('ResultCodes', () => {
  it('have one number each, in ascending order', () => {
    const numbers = Object.values(ResultCode);
    expect(numbers).to.deep.equal([...new Set(numbers)].sort((a, b) => a - b));
  });

  it('tell refusals from successes by number and by status', () => {
    for (const [name, { number, status }] of Object.entries(RESULT_CODES)) {
      expect(isRefusal(number), name).to.equal(name in REFUSALS);
      expect(status, name).to.be.oneOf(isRefusal(number) ? [404, 409, 422, 429] : [200]);
    }
  });

  // Client programs compare these.
  it('keep their numbers', () => {
    expect(ResultCode).to.include({
      OK: 0,
      Duplicate: 1,
      InvalidInput: 10,
      UnknownCenter: 11,
      UnknownDoctor: 12,
      DoctorNotAvailable: 13,
      SlotTaken: 14,
      PastTime: 15,
      BeyondHorizon: 16,
      PatientOverlap: 17,
      AppointmentNotFound: 20,
      MoveNotAllowed: 21,
      UnknownType: 22,
      InvalidMobile: 30,
      UnknownTemplate: 31,
      TemplateMismatch: 32,
      UnknownMode: 33,
      MessageTooLong: 34,
      TooManyMessages: 35,
    });
  });
});
