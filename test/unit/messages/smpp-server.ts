/**
 * An SMS center for tests: an SMPP 3.4 server in a process of its own, made with the server side of npm `smpp`.
 *
 * `startSmppServer` in smpp-server-process.ts starts it, with `SmppServerOptions` as JSON, and calls the methods of `control` by messages
 * between the processes. It listens on 127.0.0.1, on a free port unless one is given, and ends with the process that started it.
 */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
// @ts-expect-error The library has no types.
import smpp from 'smpp';

/** Any name and password are accepted unless they are given. */
export interface SmppServerOptions {
  readonly systemId?: string;
  readonly password?: string;
  readonly port?: number;
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** What the server does from now on. `times` counts down; then it accepts submissions again. */
export interface Behaviour {
  /** The status of the next submissions, 0 to accept them. */
  status: number;
  /** The next submissions: answered, never answered, or the connection dropped instead, after the message was accepted. */
  answer: 'answer' | 'silent' | 'drop';
  /** The number of submissions to which `status` and `answer` apply; -1 for all. */
  times: number;
  /** The number of submissions that are accepted as usual before `times` begins to count. */
  after: number;
  /** Milliseconds before a submission is answered. */
  answerDelay: number;
  /** The status of every bind, 0 to accept those with the right name and password. */
  bindStatus: number;
  /** Submissions per second; more are throttled. 0 for no limit. */
  perSecond: number;
  /** Whether enquire_link is answered. */
  enquireLink: boolean;
  /** The form of the ids in submit_sm_resp. */
  ids: 'decimal' | 'hexadecimal';
  /** Receipts for messages that request one; undefined to send none unasked. */
  receipts: ReceiptBehaviour | null;
}

export interface ReceiptBehaviour {
  stat: string;
  err?: string;
  /** TLVs, the text form, or both. */
  form: 'tlv' | 'text' | 'both';
  ids?: 'decimal' | 'hexadecimal';
  /** Fields in which it differs from what the protocol requires. */
  peculiar?: Readonly<Record<string, string | number>>;
  /** Milliseconds; below 0: before the answer to the submission. */
  delay?: number;
}

/** One submit_sm that was accepted. */
export interface ReceivedSubmit {
  readonly id: string;
  readonly from: string;
  readonly fromTon: number;
  readonly fromNpi: number;
  readonly to: string;
  readonly toTon: number;
  readonly toNpi: number;
  readonly text: string;
  readonly dataCoding: number;
  readonly esmClass: number;
  readonly priority: number;
  readonly validityPeriod: string;
  readonly registeredDelivery: number;
  readonly userMessageReference: number | undefined;
  readonly principalEntityId: string | undefined;
  readonly templateId: string | undefined;
  /** The octets of short_message with its header, 0 if the text was sent as message_payload. */
  readonly length: number;
  readonly concatenation: { readonly reference: number; readonly total: number; readonly number: number } | undefined;
}

/** A message assembled from its segments, whatever their order. */
export interface ReceivedMessage {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly ids: readonly string[];
  readonly flash: boolean;
  readonly parts: readonly ReceivedSubmit[];
}

interface Pdu {
  readonly command: string;
  readonly command_status: number;
  readonly sequence_number: number;
  response(fields?: Record<string, unknown>): Pdu;
  // biome-ignore lint/suspicious/noExplicitAny: the fields of every command, as received.
  readonly [field: string]: any;
}

interface Session {
  readonly socket: Socket;
  on(event: 'pdu', listener: (pdu: Pdu) => void): void;
  on(event: 'close', listener: () => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  send(pdu: Pdu): boolean;
  deliver_sm(fields: Record<string, unknown>): boolean;
  destroy(): void;
  close(): void;
}

const options: SmppServerOptions = JSON.parse(process.argv[2] ?? '{}');

smpp.addTLV('dlt_pe_id', { id: 0x1400, type: smpp.types.tlv.string });
smpp.addTLV('dlt_template_id', { id: 0x1401, type: smpp.types.tlv.string });
// As received: the library's own parser turns it into a Date.
for (const name of ['submit_sm', 'deliver_sm']) {
  const { id, params } = smpp.commands[name];
  smpp.addCommand(name, { id, params: { ...params, validity_period: { type: smpp.types.cstring } } });
}

const wellBehaved = (): Behaviour => ({
  status: 0,
  answer: 'answer',
  times: -1,
  after: 0,
  answerDelay: 0,
  bindStatus: 0,
  perSecond: 0,
  enquireLink: true,
  ids: 'decimal',
  receipts: null,
});
const noCounts = () => ({
  connections: 0,
  /** The number bound at this moment. */
  bound: bound.size,
  binds: 0,
  bindsRefused: 0,
  unbinds: 0,
  enquireLinks: 0,
  /** submit_sm, accepted or not. */
  submits: 0,
  /** deliver_sm_resp with status 0. */
  deliverResps: 0,
  deliverRefusals: 0,
  genericNacks: 0,
  throttled: 0,
});
type ServerCounts = ReturnType<typeof noCounts>;

const sessions = new Set<Session>();
const bound = new Set<Session>();
let behaviour = wellBehaved();
let counts = noCounts();
let submits: ReceivedSubmit[] = [];
let messages: ReceivedMessage[] = [];
let halves = new Map<string, ReceivedSubmit[]>();
// High enough that the decimal and hexadecimal forms contain letters and differ in length.
let lastId = 0xabcde0;
let waiting: (() => void)[] = [];
/** When submissions of the last second were accepted. */
let lately: number[] = [];

function changed(): void {
  const told = waiting;
  waiting = [];
  for (const tell of told) tell();
}

const idText = (id: number, form: 'decimal' | 'hexadecimal'): string =>
  form === 'decimal' ? String(id) : id.toString(16).toUpperCase();

const idNumber = (id: string): number => (behaviour.ids === 'decimal' ? Number(id) : Number.parseInt(id, 16));

function listener(session: Session): void {
  session.socket.setNoDelay(true);
  sessions.add(session);
  counts.connections++;
  session.on('error', () => session.destroy());
  session.on('close', () => {
    sessions.delete(session);
    bound.delete(session);
    counts.bound = bound.size;
    changed();
  });
  session.on('pdu', (pdu) => {
    answer(session, pdu);
    changed();
  });
}

function answer(session: Session, pdu: Pdu): void {
  switch (pdu.command) {
    case 'bind_transceiver':
    case 'bind_transmitter':
    case 'bind_receiver':
      bind(session, pdu);
      return;
    case 'enquire_link':
      counts.enquireLinks++;
      if (behaviour.enquireLink) session.send(pdu.response());
      return;
    case 'unbind':
      counts.unbinds++;
      session.send(pdu.response());
      session.close();
      return;
    case 'submit_sm':
      submit(session, pdu);
      return;
    case 'deliver_sm_resp':
      counts[pdu.command_status === 0 ? 'deliverResps' : 'deliverRefusals']++;
      return;
    case 'generic_nack':
      counts.genericNacks++;
      return;
    default:
      if (pdu.command === 'unknown') session.send(pdu.response());
  }
}

function bind(session: Session, pdu: Pdu): void {
  const { systemId = pdu.system_id, password = pdu.password } = options;
  let status = behaviour.bindStatus;
  if (pdu.system_id !== systemId) status ||= smpp.ESME_RINVSYSID;
  if (pdu.password !== password) status ||= smpp.ESME_RINVPASWD;
  if (status === 0) {
    counts.binds++;
    bound.add(session);
    counts.bound = bound.size;
  } else counts.bindsRefused++;
  session.send(pdu.response(status === 0 ? { system_id: 'test-smsc' } : { command_status: status }));
}

function submit(session: Session, pdu: Pdu): void {
  counts.submits++;
  if (!bound.has(session)) return void session.send(pdu.response({ command_status: smpp.ESME_RINVBNDSTS }));
  let { status, answer: how } = behaviour;
  if (behaviour.after > 0) {
    behaviour.after--;
    [status, how] = [0, 'answer'];
  } else if (behaviour.times === 0) [status, how] = [0, 'answer'];
  else if (behaviour.times > 0) behaviour.times--;
  const now = performance.now();
  lately = lately.filter((at) => at > now - 1000);
  if (behaviour.perSecond > 0 && lately.length >= behaviour.perSecond) {
    counts.throttled++;
    status = smpp.ESME_RTHROTTLED;
  } else lately.push(now);
  if (status !== 0)
    return void later(behaviour.answerDelay, () => session.send(pdu.response({ command_status: status })));

  const id = ++lastId;
  const { receipts } = behaviour;
  keep(pdu, idText(id, behaviour.ids));
  if (how === 'drop') {
    session.destroy();
    return;
  }
  const wanted = receipts !== null && (pdu.registered_delivery & 0x03) !== 0;
  const { delay = 0 } = receipts ?? {};
  if (wanted && delay < 0) deliver(id, pdu, receipts);
  if (how === 'answer') {
    const response = pdu.response({ message_id: idText(id, behaviour.ids) });
    later(behaviour.answerDelay, () => session.send(response));
  }
  if (wanted && delay >= 0) later(behaviour.answerDelay + delay, () => deliver(id, pdu, receipts));
}

/** Immediately for 0, so that answers keep their order. */
function later(delay: number, work: () => void): void {
  if (delay <= 0) work();
  else setTimeout(work, delay);
}

function keep(pdu: Pdu, id: string): void {
  const payload = pdu.message_payload;
  const { message, udh }: { message: string; udh?: readonly Buffer[] } = payload ?? pdu.short_message;
  const short = udh?.find((element) => element[0] === 0x00);
  const long = udh?.find((element) => element[0] === 0x08);
  const concatenation = short
    ? { reference: short.readUInt8(2), total: short.readUInt8(3), number: short.readUInt8(4) }
    : long && { reference: long.readUInt16BE(2), total: long.readUInt8(4), number: long.readUInt8(5) };
  const headers = (udh ?? []).reduce((sum, element) => sum + element.length, udh ? 1 : 0);
  const octets = (pdu.data_coding & 0x0c) === 0x08 ? message.length * 2 : smpp.encodings.ASCII.encode(message).length;
  const received: ReceivedSubmit = {
    id,
    from: pdu.source_addr,
    fromTon: pdu.source_addr_ton,
    fromNpi: pdu.source_addr_npi,
    to: pdu.destination_addr,
    toTon: pdu.dest_addr_ton,
    toNpi: pdu.dest_addr_npi,
    text: message,
    dataCoding: pdu.data_coding,
    esmClass: pdu.esm_class,
    priority: pdu.priority_flag,
    validityPeriod: pdu.validity_period,
    registeredDelivery: pdu.registered_delivery,
    userMessageReference: pdu.user_message_reference,
    principalEntityId: pdu.dlt_pe_id,
    templateId: pdu.dlt_template_id,
    length: payload === undefined ? headers + octets : 0,
    concatenation,
  };
  submits.push(received);
  if (concatenation === undefined) {
    finish([received]);
    return;
  }
  const key = `${received.from} ${received.to} ${concatenation.reference} ${concatenation.total}`;
  const parts = [...(halves.get(key) ?? []), received];
  const numbers = new Set(parts.map((part) => part.concatenation?.number));
  if (numbers.size < concatenation.total) return void halves.set(key, parts);
  halves.delete(key);
  const inOrder = new Map(parts.map((part) => [part.concatenation?.number ?? 0, part]));
  finish([...inOrder.entries()].sort(([a], [b]) => a - b).map(([, part]) => part));
}

function finish(parts: readonly ReceivedSubmit[]): void {
  const [first] = parts;
  if (first === undefined) return;
  messages.push({
    from: first.from,
    to: first.to,
    text: parts.map(({ text }) => text).join(''),
    ids: parts.map(({ id }) => id),
    flash: (first.dataCoding & 0xd3) === 0x10 || (first.dataCoding & 0xf3) === 0xf0,
    parts,
  });
}

const STATES: Readonly<Record<string, number>> = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
};

function deliver(id: number, pdu: Pick<Pdu, string>, receipt: ReceiptBehaviour): void {
  const { stat, err = '000', form, ids = behaviour.ids, peculiar } = receipt;
  const named = idText(id, ids);
  const text =
    `id:${named} sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:${stat} err:${err} ` +
    'text:Dear patient, your';
  const [session] = bound;
  session?.deliver_sm({
    source_addr_ton: 1,
    source_addr_npi: 1,
    source_addr: pdu.destination_addr,
    destination_addr: pdu.source_addr,
    esm_class: 0x04,
    data_coding: 0,
    short_message: form === 'tlv' ? '' : Buffer.from(text, 'latin1'),
    ...(form !== 'text' && {
      receipted_message_id: named,
      message_state: STATES[stat] ?? 7,
      // Returned as the protocol requires for receipts: 4.6.1.
      ...(pdu.user_message_reference !== undefined && { user_message_reference: pdu.user_message_reference }),
    }),
    ...peculiar,
  });
}

const { tls, port = 0 } = options;
const server = smpp.createServer(tls ? { key: readFileSync(tls.key), cert: readFileSync(tls.cert) } : {}, listener);

/** At most 5 seconds. */
async function waitFor(reached: () => boolean): Promise<void> {
  const until = performance.now() + 5000;
  while (!reached() && performance.now() < until) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, until - performance.now());
      waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

const control = {
  /** Messages received in full, in order; waits until there are that many. */
  messages: async (atLeast = 0) => {
    await waitFor(() => messages.length >= atLeast);
    return messages;
  },
  /** Every submit_sm that was accepted, one per segment. */
  submits: async () => submits,
  /** Waits until each named count is at least the given number. */
  counts: async (atLeast: Partial<ServerCounts> = {}) => {
    const wanted = Object.entries(atLeast) as [keyof ServerCounts, number][];
    await waitFor(() => wanted.every(([name, least]) => counts[name] >= least));
    return counts;
  },
  /** Everything not named stays the same. */
  behave: async (part: Partial<Behaviour>) => {
    behaviour = { ...behaviour, ...part };
  },
  /** Sends a receipt for an accepted submit_sm now, in the form of `receipts` unless another is given. */
  sendReceipt: async (receipt: { id: string; stat: string; err?: string; form?: 'tlv' | 'text' | 'both' }) => {
    const submitted = submits.find(({ id }) => id === receipt.id);
    if (submitted === undefined) throw new Error(`no submission ${receipt.id}`);
    const form = behaviour.receipts ?? { stat: 'DELIVRD', form: 'both' };
    const addresses = {
      destination_addr: submitted.to,
      source_addr: submitted.from,
      user_message_reference: submitted.userMessageReference,
    };
    deliver(idNumber(submitted.id), addresses, { ...form, ...receipt });
  },
  /** Sends a message from a mobile phone to every bound client. */
  sendIncoming: async ({ from, to, text }: { from: string; to: string; text: string }) => {
    const fields = { source_addr: from, destination_addr: to, esm_class: 0, short_message: text };
    for (const session of bound) session.deliver_sm(fields);
  },
  /** Writes these bytes to every bound client. */
  sendRaw: async (hex: string) => {
    for (const session of bound) session.socket.write(Buffer.from(hex, 'hex'));
  },
  /** Breaks every connection. */
  drop: async () => {
    for (const session of sessions) session.destroy();
  },
  /** Forgets messages, submits and counts, and behaves well again. */
  reset: async () => {
    [behaviour, counts, submits, messages, halves] = [wellBehaved(), noCounts(), [], [], new Map()];
  },
};
export type SmppServerControl = typeof control;

process.on(
  'message',
  async ({ call, method, args }: { call: number; method: keyof SmppServerControl; args: never[] }) => {
    const work = control[method] as (...values: never[]) => Promise<unknown>;
    const result = await work(...args).catch((error: unknown) => ({ error: String(error) }));
    process.send?.({ call, result });
  },
);
process.on('disconnect', () => process.exit(0));
server.listen(port, '127.0.0.1', () => process.send?.({ port: server.address().port, methods: Object.keys(control) }));
