import { expect } from 'chai';
import fc from 'fast-check';
import { sendableFrom } from '../../src/rules/send-window.ts';
import { SMS_MODES, smsMode } from '../../src/rules/sms-text.ts';
import { minuteOfDay } from '../../src/rules/wall-minute.ts';
import { wallMinuteAt } from '../../src/rules/zone-offset.ts';

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
