import { expect } from 'chai';
import { type Given, HOUR, MINUTE, openHospital, present, withHospital } from '../../support/database/hospital.ts';
import { perTest } from '../../support/prepared.ts';
import { TEST_NOW } from '../../support/process/start-service.ts';

const MESSAGE: Given = { Mobileno: '9845012345', Message: 'Your appointment is at 10:15.', tempid: 0, SMSmode: 1 };

describe('Sent_SMS', () => {
  const hospital = perTest(() => openHospital());

  const send = (given: Given = {}) => hospital.ok('Sent_SMS', { ...MESSAGE, ...given });
  const refused = (given: Given, code: number) => hospital.refused('Sent_SMS', { ...MESSAGE, ...given }, code);

  const rowOf = (SMSID: unknown) => hospital.store.read(({ messageList }) => messageList.show({ id: Number(SMSID) }));

  it('answers every field', async () => {
    expect(present(await send())).to.deep.equal({
      ResultCode: 0,
      ResultText: 'The message is queued.',
      SMSID: 1,
      Mobileno: '+919845012345',
      Segments: 1,
      Encoding: 'GSM-7',
      Status: 1,
      StatusText: 'Queued',
    });
  });

  for (const Mobileno of ['09845012345', '+91 98450 12345', '0091-98450-12345']) {
    it(`reads ${Mobileno} as +919845012345`, async () => {
      expect(await send({ Mobileno })).to.include({ Mobileno: '+919845012345' });
    });
  }

  for (const Mobileno of ['', undefined, '12345', '080 2345 6789', 'call me']) {
    it(`refuses Mobileno ${JSON.stringify(Mobileno)}, and names the parameter`, async () => {
      expect((await refused({ Mobileno }, 30)).ResultText).to.contain('Mobileno');
    });
  }

  for (const Message of ['', '  ', undefined]) {
    it(`refuses Message ${JSON.stringify(Message)}, and names the parameter`, async () => {
      expect((await refused({ Message }, 10)).ResultText).to.contain('Message');
    });
  }

  for (const [what, Message, Encoding, Segments] of [
    ['765 letters', 'a'.repeat(765), 'GSM-7', 5],
    ['335 letters of Devanagari', 'अ'.repeat(335), 'UCS-2', 5],
  ] as const) {
    it(`counts ${what} as ${Segments} of ${Encoding}`, async () => {
      expect(await send({ Message })).to.include({ Encoding, Segments });
    });
  }

  for (const [what, Message] of [
    ['766 letters', 'a'.repeat(766)],
    ['336 letters of Devanagari', 'अ'.repeat(336)],
  ] as const) {
    it(`refuses ${what} as more than 5 segments, and names the parameter`, async () => {
      expect((await refused({ Message }, 34)).ResultText).to.match(/Message.*more than 5 segments.*5/);
    });
  }

  for (const tempid of [1, -1, 2147483647]) {
    it(`refuses tempid ${tempid} if no template exists, and names the parameter`, async () => {
      expect((await refused({ tempid }, 31)).ResultText).to.match(/tempid.*-?\d/);
    });
  }

  it('stores nothing of a refused call', async () => {
    await refused({ tempid: 7 }, 31);
    expect(await send()).to.include({ ResultCode: 0, SMSID: 1 });
  });

  describe('repeated', () => {
    it('is the same message for 60 seconds', async () => {
      const { ResultCode: _, ResultText: __, ...first } = present(await send());
      hospital.clock.now += 59_999;
      const { ResultCode, ResultText, ...again } = present(await send());
      expect(again).to.deep.equal(first);
      expect(ResultCode).to.equal(1);
      expect(ResultText).to.equal('The same message was queued a moment ago.');
    });

    it('does not report a message written to a file as Submitted', async () => {
      await send();
      const now = hospital.clock.now;
      const gateway = 'file ./data/sms.jsonl';
      await hospital.store.write(async ({ outbox }) => {
        await outbox.claim({ holder: 'one', now, leasedUntil: now + MINUTE, limit: 1 });
        await outbox.record({ kind: 'submitted', id: 1, gateway, reference: undefined }, 'one', now);
      });
      expect(await send()).to.include({ ResultCode: 1, Status: 3, StatusText: 'Written to a file' });
    });

    for (const [what, status] of [
      ['expired', 6],
      ['was rejected', 7],
      ['is dead', 8],
      ['failed', 5],
      ['was cancelled', undefined],
    ] as const) {
      it(`is queued anew if the earlier one ${what}`, async () => {
        await send();
        const { now } = hospital.clock;
        await hospital.store.write(async ({ outbox, messages, messageList }) => {
          if (status === undefined) return messageList.cancel({ id: 1, now });
          await outbox.claim({ holder: 'one', now, leasedUntil: now + MINUTE, limit: 1 });
          if (status !== 5) return outbox.record({ kind: 'ended', id: 1, status, code: null }, 'one', now);
          return messages.receive({ messageId: 1, reference: undefined, status: 'failed', code: undefined }, now);
        });
        expect(await send()).to.include({ ResultCode: 0, SMSID: 2 });
      });
    }

    it('is a new message after 60 seconds', async () => {
      await send();
      hospital.clock.now += 60_000;
      expect(await send()).to.include({ ResultCode: 0, SMSID: 2 });
    });

    it('is a new message after the clock was set back', async () => {
      await send();
      hospital.clock.now -= HOUR;
      expect(await send()).to.include({ ResultCode: 0, SMSID: 2 });
    });

    it('is the same message with another spelling of the number, and with mode 0 instead of 1', async () => {
      await send();
      expect(await send({ Mobileno: '+919845012345', SMSmode: 0 })).to.include({ ResultCode: 1, SMSID: 1 });
    });

    for (const given of [{ Mobileno: '9845012346' }, { Message: 'your appointment is at 10:15.' }, { SMSmode: 3 }]) {
      it(`is a new message with ${JSON.stringify(given)}`, async () => {
        await send();
        expect(await send(given)).to.include({ ResultCode: 0, SMSID: 2 });
      });
    }

    it('is a new message of another client, which learns nothing of the first', async () => {
      const sentBy = async (name: string) => (await hospital.call('Sent_SMS', MESSAGE, undefined, { name })).record;
      expect(await sentBy('app')).to.include({ ResultCode: 0, SMSID: 1 });
      expect(await sentBy('campaign')).to.include({ ResultCode: 0, SMSID: 2 });
      expect(await sentBy('app')).to.include({ ResultCode: 1, SMSID: 1 });
      expect(await sentBy('campaign')).to.include({ ResultCode: 1, SMSID: 2 });
    });

    it('is queued once if sent twenty times at the same moment', async () => {
      const records = await Promise.all(Array.from({ length: 20 }, () => send()));
      expect(records.filter(({ ResultCode }) => ResultCode === 0)).to.have.length(1);
      expect(new Set(records.map(({ SMSID }) => SMSID))).to.deep.equal(new Set([1]));
    });
  });

  it('gives the outbox everything it needs, and notifies it once', async () => {
    await send({ SMSmode: 3 });
    await send({ SMSmode: 3 });
    const { now } = hospital.clock;
    const times = { due_on: now, expires_on: now + 10 * MINUTE };
    const origin = { header: null, dlt_template_id: null, correlation_id: 'test', client: 'anonymous 192.0.2.1' };
    expect(await rowOf(1)).to.include({ status: 1, priority: 1, attempts: 0, ...times, ...origin });
    expect(hospital.queued()).to.equal(1);
  });

  it('never expires in the other modes', async () => {
    for (const SMSmode of [0, 1, 2, 4]) {
      const { SMSID } = await send({ SMSmode, Message: `mode ${SMSmode}` });
      expect(await rowOf(SMSID)).to.include({ priority: SMSmode === 2 ? -1 : 0, expires_on: null });
    }
  });

  describe('promotional', () => {
    it('is held until 10:00 if it arrives earlier, and says so', async () => {
      const { ResultText, SMSID } = await send({ SMSmode: 2 });
      expect(ResultText).to.equal(
        'The message is queued and held until 10:00 on Friday 20 November 2026, because promotional messages are sent only from 10:00 to 21:00.',
      );
      expect(await rowOf(SMSID)).to.include({ due_on: TEST_NOW + 90 * MINUTE, priority: -1 });
    });

    it('is due at once from 10:00 on, but after all others', async () => {
      hospital.clock.now += 90 * MINUTE;
      const { ResultText, SMSID } = await send({ SMSmode: 2 });
      expect(ResultText).to.equal('The message is queued.');
      expect(await rowOf(SMSID)).to.include({ due_on: hospital.clock.now, priority: -1 });
    });

    it('is held until the next day from 21:00 on', async () => {
      hospital.clock.now += 12 * HOUR + 30 * MINUTE;
      expect((await send({ SMSmode: 2 })).ResultText).to.contain('held until 10:00 on Saturday 21 November 2026');
    });

    it('is held according to the configured time zone', async () => {
      await withHospital({ timeZone: 'America/New_York' }, async (inNewYork) => {
        const { ResultText } = await inNewYork.ok('Sent_SMS', { ...MESSAGE, SMSmode: 2 });
        expect(ResultText).to.contain('held until 10:00 on Friday 20 November 2026');
        const row = await inNewYork.store.read(({ messageList }) => messageList.show({ id: 1 }));
        expect(row?.due_on).to.equal(Date.UTC(2026, 10, 20, 15));
      });
    });
  });

  describe('beyond a limit', () => {
    const limited = perTest(() => openHospital({ messagesPerSecond: 1 }));
    let count = 0;
    beforeEach(() => {
      count = 0;
    });
    /** The ResultCode of a message to another number than that of the message before. */
    const queue = async (name: string, given: Given = {}) => {
      const Mobileno = `98450${String(10_000 + count++)}`;
      const { record } = await limited.call('Sent_SMS', { ...MESSAGE, Mobileno, ...given }, undefined, { name });
      return record.ResultCode;
    };
    const queueMany = async (times: number, name: string, given: Given = {}) => {
      for (let n = 0; n < times; n++) expect(await queue(name, given), `message ${n}`).to.equal(0);
    };

    it('of a number: ten in ten minutes, whoever sends them, but a repeated one is still a Duplicate', async () => {
      for (let n = 0; n < 10; n++) await send({ Message: `Text ${n}` });
      expect((await refused({ Message: 'Text' }, 35)).ResultText).to.equal(
        'Parameter Mobileno: this number was sent 10 messages within the last 10 minutes; expected no more.',
      );
      expect(await send({ Message: 'Text 9' })).to.include({ ResultCode: 1 });
      await send({ Mobileno: '9845012346' });
      hospital.clock.now += 10 * MINUTE;
      await send({ Message: 'Text' });
    });

    it('of a number, not counting those that were queued before the clock was set back', async () => {
      for (let n = 0; n < 10; n++) await send({ Message: `Text ${n}` });
      hospital.clock.now -= 24 * 60 * MINUTE;
      await send({ Message: 'Text' });
    });

    it('of a client: those that are sent within a minute may wait, while others may send', async () => {
      await queueMany(60, 'greedy');
      expect(await queue('greedy')).to.equal(35);
      expect(await queue('other')).to.equal(0);
      await limited.store.write(({ messageList }) => messageList.cancel({ id: 1, now: limited.clock.now }));
      expect(await queue('greedy')).to.equal(0);
    });

    for (const [kind, SMSmode, most, sameRoom] of [
      ['service and flash messages', 1, 60, [1, 4]],
      ['promotional messages', 2, 600, [2]],
      ['one-time passwords', 3, 5, [3]],
    ] as const) {
      it(`of ${kind} of a client: ${most} seconds of them may wait, and leave room for its others`, async () => {
        await queueMany(most, 'greedy', { SMSmode });
        for (const other of [1, 2, 3, 4]) {
          const expected = sameRoom.some((mode) => mode === other) ? 35 : 0;
          expect(await queue('greedy', { SMSmode: other }), `mode ${other}`).to.equal(expected);
        }
      });
    }

    it('of one-time passwords: those that are sent within ten seconds, at most half of them of one client', async () => {
      await queueMany(5, 'greedy', { SMSmode: 3 });
      expect(await queue('greedy', { SMSmode: 3 })).to.equal(35);
      expect(await queue('greedy', { SMSmode: 1 })).to.equal(0);
      await queueMany(5, 'other', { SMSmode: 3 });
      expect(await queue('third', { SMSmode: 3 })).to.equal(35);
      expect(await queue('third', { SMSmode: 1 })).to.equal(0);
    });
  });

  describe('by template', () => {
    const template = {
      tempid: 5,
      dltTemplateId: '1107160000000000001',
      principalEntityId: '1101000000000000001',
      header: 'HOSPTL',
      category: 'Service Implicit',
      text: 'Dear {#var#},\r\nyour visit is at {#var#}.',
      active: 1,
    };
    const TEXT = 'Dear Asha,\r\nyour visit is at 10:15.';
    const put = (values: Partial<typeof template> = {}) =>
      hospital.store.write(({ referenceTables }) =>
        referenceTables.put('message_template', { ...template, ...values }),
      );
    beforeEach(() => put());

    it("accepts a text that matches, and stores the template's current ids and LF as line ends", async () => {
      const { SMSID } = await send({ tempid: 5, Message: TEXT });
      await put({ header: 'OTHER', dltTemplateId: '2' });
      expect(await rowOf(SMSID)).to.include({
        template_id: 5,
        text: 'Dear Asha,\nyour visit is at 10:15.',
        header: 'HOSPTL',
        dlt_template_id: '1107160000000000001',
        principal_entity_id: '1101000000000000001',
      });
    });

    it('refuses a text with a variable in it, of a template or of none', async () => {
      for (const variable of ['{#var#}', '{#numeric#}', '{#cbn#}', '{#Name#}']) {
        for (const tempid of [0, 5]) {
          const { ResultText } = await refused({ tempid, Message: `Dear ${variable},\nyour visit is at 10:15.` }, 32);
          expect(ResultText).to.equal(`Parameter Message: there is a ${variable} at character 6; expected its value.`);
        }
      }
    });

    it('refuses a text that does not match, and reports the position', async () => {
      expect((await refused({ tempid: 5, Message: 'Dear Asha,\nyour visit was' }, 32)).ResultText).to.equal(
        'Parameter Message: character 23 "w" does not fit template 5; expected "is at ".',
      );
      expect((await refused({ tempid: 5, Message: 'Hello Asha' }, 32)).ResultText).to.equal(
        'Parameter Message: character 1 "H" does not fit template 5; expected "Dear ".',
      );
    });

    it('accepts values of typed variables, and refuses one that its variable does not allow', async () => {
      await put({ text: 'OTP {#numeric#} for {#alphanumeric#}' });
      await send({ tempid: 5, Message: `OTP 123456 for ${'a'.repeat(40)}` });
      expect((await refused({ tempid: 5, Message: 'OTP 12A456 for Asha' }, 32)).ResultText).to.equal(
        'Parameter Message: character 7 "A" does not fit template 5; {#numeric#} stands for 1 to 40 digits, and must be followed by " for ".',
      );
    });

    it('refuses an inactive template like an unknown one', async () => {
      await put({ active: 0 });
      expect((await refused({ tempid: 5, Message: TEXT }, 31)).ResultText).to.equal(
        'Parameter tempid: there is no active template 5.',
      );
    });

    it('refuses a message without a template only if one is required', async () => {
      await send({ tempid: 0 });
      const strict = await openHospital({ templateRequired: true });
      try {
        const { ResultText } = await strict.refused('Sent_SMS', { ...MESSAGE, tempid: 0 }, 31);
        expect(ResultText).to.match(/tempid.*expected a template number/);
      } finally {
        await strict.close();
      }
    });
  });
});
