// @ts-expect-error The library has no types.
import smpp from 'smpp';

export type PduFields = Readonly<Record<string, string | number | Buffer>>;

/** A protocol data unit as it was received. Texts are octets, which the reader interprets. */
export interface Pdu {
  /** Such as `deliver_sm`; `unknown` for an id that is not in the protocol. */
  readonly command: string;
  readonly command_id: number;
  readonly command_status: number;
  readonly sequence_number: number;
  /** The response to it: with status 0, or with another one and nothing else. To a request that is not in the protocol, a generic_nack. */
  response(fields?: { readonly command_status: number }): Octets;
  /** Further fields, absent if the sender omitted them. */
  readonly [field: string]: unknown;
}

interface Octets {
  toBuffer(): Buffer;
}

/** The parts of npm `smpp` that are used: its tables and the wire format of a PDU. Its sessions are not used; see `smpp-connection.ts`. */
interface SmppLibrary {
  readonly PDU: {
    new (command: string, fields: Readonly<Record<string, unknown>>): Octets;
    readonly prototype: object;
  };
  readonly types: Readonly<Record<string, unknown>> & { readonly tlv: Readonly<Record<string, unknown>> };
  readonly commands: Readonly<Record<string, Command>>;
  readonly errors: Readonly<Record<string, number>>;
  addCommand(name: string, command: Command): void;
  addTLV(name: string, tlv: { id: number; type: unknown }): void;
}

interface Command {
  readonly id: number;
  readonly params: Readonly<Record<string, { readonly type: unknown }>>;
}

const library: SmppLibrary = smpp;

// The library would decode data_coding 0 as GSM-7, which turns `_` and `@` in a receipt's text into other characters, and would decode
// times as Dates.
for (const name of ['deliver_sm', 'submit_sm']) {
  const { id, params } = library.commands[name] ?? { id: 0, params: {} };
  const plain = Object.entries(params).map(([key, { type }]) => [key, { type }]);
  library.addCommand(name, { id, params: Object.fromEntries(plain) });
}
// The library would read an id without its NUL beyond the end of the TLV.
library.addTLV('receipted_message_id', { id: 0x001e, type: library.types.tlv.buffer });
library.addTLV('message_payload', { id: 0x0424, type: library.types.tlv.buffer });
// Source: the DLT specifications of Indian operators, which agree on these two tags of the vendor-specific range.
library.addTLV('dlt_principal_entity_id', { id: 0x1400, type: library.types.tlv.string });
library.addTLV('dlt_template_id', { id: 0x1401, type: library.types.tlv.string });

/** Maximum length in octets of a PDU that is read. */
const MAX_PDU_LENGTH = 16_384;
/** Length in octets of the header with which each PDU begins. */
const HEADER_LENGTH = 16;
const RESPONSE_BIT = 0x80000000;

export const isResponse = (pdu: Pick<Pdu, 'command_id'>): boolean => pdu.command_id >= RESPONSE_BIT;

/** The octets of a request. */
export function encodePdu(command: string, sequence: number, fields: PduFields = {}): Buffer {
  return new library.PDU(command, { ...fields, sequence_number: sequence }).toBuffer();
}

/**
 * Reads a complete frame. If its lengths are inconsistent, what comes before that is read: a wrong TLV makes no receipt unreadable. The
 * library documents no way to read a frame outside its sessions; this is what its constructor does with one.
 */
export function decodePdu(frame: Buffer): Pdu {
  const pdu = Object.create(library.PDU.prototype);
  try {
    pdu.fromBuffer(frame);
  } catch {
    // What follows has no meaning.
  }
  return pdu;
}

const STATUS_NAMES = new Map(Object.entries(library.errors).map(([name, status]) => [status, name]));

/**
 * Such as `ESME_RTHROTTLED`. If the protocol leaves the status to vendors, its number, such as `0x401`, without leading zeros, because
 * `harmlessCode` rejects long numbers.
 */
export const statusName = (status: number): string =>
  STATUS_NAMES.get(status) ?? `0x${status.toString(16).toUpperCase()}`;

/** The status with this name in the protocol. Throws RangeError for any other name. */
export function statusOf(name: string): number {
  const status = library.errors[name];
  if (status === undefined) throw new RangeError(`SMPP has no status ${name}.`);
  return status;
}

/** Splits a stream of octets into PDUs. */
export class PduFrames {
  #rest: Buffer = Buffer.alloc(0);

  /**
   * The frames that are complete once a chunk has arrived. Throws RangeError for a length that no PDU can have, after which the stream can no
   * longer be interpreted.
   */
  take(chunk: Buffer): readonly Buffer[] {
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Buffer[] = [];
    while (rest.length >= 4) {
      const length = rest.readUInt32BE(0);
      if (length < HEADER_LENGTH || length > MAX_PDU_LENGTH) throw new RangeError('There is no PDU of this length.');
      if (rest.length < length) break;
      frames.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    this.#rest = rest;
    return frames;
  }
}
