import { MAX_PDU_LENGTH, PDU_HEADER_LENGTH } from './pdu.ts';

/**
 * Splits a stream of octets into PDUs: pass in each chunk that arrives, and get the frames that are complete by then. Throws RangeError for
 * a length that no PDU can have, after which the stream can no longer be interpreted.
 */
export function createPduFrames(): (chunk: Buffer) => readonly Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const frames: Buffer[] = [];
    while (rest.length >= 4) {
      const length = rest.readUInt32BE(0);
      if (length < PDU_HEADER_LENGTH || length > MAX_PDU_LENGTH)
        throw new RangeError('There is no PDU of this length.');
      if (rest.length < length) break;
      frames.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    return frames;
  };
}
