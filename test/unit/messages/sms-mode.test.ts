import { expect } from 'chai';
import fc from 'fast-check';
import { SMS_MODES, sendableFrom, smsMode } from '../../../src/messages/sms-mode.ts';
import { ResultCode } from '../../../src/vocabulary/result-codes.ts';
import { wallMinuteAt } from '../../../src/vocabulary/time-zone.ts';
import { minuteOfDay } from '../../../src/vocabulary/wall-minute.ts';
import { refusalOf } from '../appointments/refusal-of.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** 18 January 2027, 00:00 in Kolkata, which is 5:30 ahead. */
const MIDNIGHT = Date.UTC(2027, 0, 17, 18, 30);
const promotion = (now: number, zone = 'Asia/Kolkata') => sendableFrom(smsMode(2), now, zone);

describe('The window for promotional messages', () => {
  for (const [at, wait] of [
    [0, 10 * HOUR],
    [9 * HOUR + 59 * MINUTE + 59_999, 1],
    [10 * HOUR, 0],
    [10 * HOUR + 1, 0],
    [21 * HOUR - 1, 0],
    [21 * HOUR, 13 * HOUR],
    [24 * HOUR - 1, 10 * HOUR + 1],
  ] as const) {
    it(`makes a message ${at / HOUR} hours after midnight wait for ${wait} ms`, () => {
      expect(promotion(MIDNIGHT + at) - MIDNIGHT - at).to.equal(wait);
    });
  }

  it('follows the time zone', () => {
    expect(promotion(Date.UTC(2027, 0, 18, 14, 59), 'America/New_York')).to.equal(Date.UTC(2027, 0, 18, 15));
  });

  it('opens at 10:00 local time on days on which the clocks change', () => {
    // 14 March 2027, 02:00 to 03:00, and 7 November 2027, 02:00 to 01:00.
    expect(promotion(Date.UTC(2027, 2, 14, 6), 'America/New_York')).to.equal(Date.UTC(2027, 2, 14, 14));
    expect(promotion(Date.UTC(2027, 10, 7, 4), 'America/New_York')).to.equal(Date.UTC(2027, 10, 7, 15));
  });

  it('applies to no other mode', () => {
    for (const mode of SMS_MODES.filter(({ name }) => name !== 'promotional')) {
      for (let hour = 0; hour < 24; hour++) {
        const now = MIDNIGHT + hour * HOUR;
        expect(sendableFrom(mode, now, 'Asia/Kolkata')).to.equal(now);
      }
    }
  });

  it('makes a message wait only while it is closed, and no longer than necessary', () => {
    const zone = fc.constantFrom('Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe', 'UTC', 'Africa/Casablanca');
    const instant = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2030, 0, 1) });
    fc.assert(
      fc.property(instant, zone, (now, name) => {
        const from = promotion(now, name);
        const minute = minuteOfDay(wallMinuteAt(now, name));
        if (minute >= 600 && minute < 1260) expect(from).to.equal(now);
        else {
          expect(minuteOfDay(wallMinuteAt(from, name))).to.equal(600);
          expect(minuteOfDay(wallMinuteAt(from - 1, name))).to.equal(599);
          expect(from - now).to.be.within(1, 14 * HOUR);
        }
      }),
    );
  });
});

describe('smsMode', () => {
  it('treats 0 as 1', () => {
    expect(smsMode(0)).to.equal(smsMode(1));
    expect(smsMode(1)).to.include({ mode: 1, name: 'service', flash: false });
  });

  it('restricts promotional messages to 10:00-21:00', () => {
    expect(smsMode(2)).to.deep.include({ mode: 2, name: 'promotional', window: { from: 600, to: 1260 } });
  });

  it('gives OTPs priority and lets them expire after 10 minutes', () => {
    expect(smsMode(3)).to.include({ mode: 3, name: 'otp', expiresAfterMinutes: 10 });
    const others = SMS_MODES.filter(({ mode }) => mode !== 3).map(({ priority }) => priority);
    expect(smsMode(3).priority).to.be.above(Math.max(...others));
  });

  it('gives promotional messages the lowest priority, by day too', () => {
    const others = SMS_MODES.filter(({ mode }) => mode !== 2).map(({ priority }) => priority);
    expect(smsMode(2).priority).to.be.below(Math.min(...others));
  });

  it('sends mode 4 as flash', () => expect(smsMode(4)).to.include({ mode: 4, name: 'flash', flash: true }));

  for (const value of [-1, 5, 2147483647]) {
    it(`refuses ${value}`, () => {
      expect(refusalOf(() => smsMode(value))).to.include({ resultCode: ResultCode.UnknownMode, parameter: 'SMSmode' });
    });
  }
});
