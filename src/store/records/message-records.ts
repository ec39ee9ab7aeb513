import { type Session, statement } from '../statement.ts';

export interface NewMessage {
  /** E.164. */
  readonly mobile: string;
  readonly text: string;
  readonly tempid: number;
  readonly mode: number;
  readonly encoding: string;
  readonly segments: number;
  readonly status: number;
  readonly now: number;
}

export interface Message {
  readonly id: number;
  readonly mobile: string;
  readonly segments: number;
  readonly encoding: string;
  readonly status: number;
}

const sameMessage = statement((db, v: { mobile: string; text: string; tempid: number; mode: number; since: number }) =>
  db
    .selectFrom('message')
    .select(['id', 'mobile', 'segments', 'encoding', 'status'])
    .where('mobile', '=', v.mobile)
    .where('queued_on', '>', v.since)
    .where('text', '=', v.text)
    .where('tempid', '=', v.tempid)
    .where('mode', '=', v.mode)
    .orderBy('queued_on', 'desc')
    .limit(1),
);

const insertMessage = statement((db, v: NewMessage) =>
  db
    .insertInto('message')
    .values({
      mobile: v.mobile,
      text: v.text,
      tempid: v.tempid,
      mode: v.mode,
      encoding: v.encoding,
      segments: v.segments,
      status: v.status,
      queued_on: v.now,
    })
    .returning('id'),
);

/** The outbox of text messages. */
export class MessageRecords {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  /** The newest message since an instant (ms) with the same number, text, template and mode. */
  async same(values: Parameters<typeof sameMessage>[1]): Promise<Message | undefined> {
    return (await sameMessage(this.#session, values))[0];
  }

  async insert(message: NewMessage): Promise<number> {
    const [row] = await insertMessage(this.#session, message);
    if (row === undefined) throw new Error('the message got no id');
    return row.id;
  }
}
