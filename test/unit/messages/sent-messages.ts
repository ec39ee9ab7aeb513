import { expect } from 'chai';
import { callOver } from '../../support/http/four-transports.ts';
import { outboxRows } from './outbox-file.ts';

/** The milliseconds that a status may take to return. */
const LIMIT = 15_000;

/** Resolves with the SMSID. */
export async function sendSms(
  { endpoint }: { readonly endpoint: string },
  Message: string,
  { Mobileno = '9845054321', SMSmode = 1 } = {},
): Promise<number> {
  const answer = await callOver('httpPost', endpoint, 'Sent_SMS', { Mobileno, Message, tempid: 0, SMSmode });
  expect(answer.status, answer.text).to.equal(200);
  return Number(answer.record.SMSID);
}

/** Resolves with the code of a message in a database file when it has a status, and with it a code if one is given. */
export async function reaches(database: string, id: number, status: number, code?: string): Promise<string | null> {
  const late = Date.now() + LIMIT;
  for (;;) {
    const now = outboxRows(database).find((row) => row.id === id);
    if (now?.status === status && (code === undefined || now.last_code === code)) return now.last_code;
    if (Date.now() > late) expect.fail(`message ${id} is ${JSON.stringify(now)}, not of status ${status}`);
    await new Promise((resume) => setTimeout(resume, 50));
  }
}
