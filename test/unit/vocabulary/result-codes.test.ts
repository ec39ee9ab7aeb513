import { expect } from 'chai';
import { isRefusal, REFUSALS, RESULT_CODES, ResultCode } from '../../../src/vocabulary/result-codes.ts';

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
  it('keep their numbers and statuses', () => {
    expect(
      Object.entries(RESULT_CODES).map(([name, { number, status }]) => `${number} ${name} ${status}`),
    ).to.deep.equal([
      '0 OK 200',
      '1 Duplicate 200',
      '10 InvalidInput 422',
      '11 UnknownCenter 404',
      '12 UnknownDoctor 404',
      '13 DoctorNotAvailable 409',
      '14 SlotTaken 409',
      '15 PastTime 422',
      '16 BeyondHorizon 422',
      '17 PatientOverlap 409',
      '20 AppointmentNotFound 404',
      '21 MoveNotAllowed 409',
      '22 UnknownType 422',
      '30 InvalidMobile 422',
      '31 UnknownTemplate 404',
      '32 TemplateMismatch 422',
      '33 UnknownMode 422',
      '34 MessageTooLong 422',
      '35 TooManyMessages 429',
    ]);
  });
});
