import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** What Node says of a request that it cannot parse, with what was received last, and how much of it had been parsed. */
export type BrokenError = Partial<NodeJS.ErrnoException> & {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

/**
 * The GET that a packet consists of, with the bytes beyond ASCII in its address percent-encoded: Node refuses them, but curl, PHP, Tcl, Lua
 * and others send them. Undefined unless the packet is one whole GET without a body, of which nothing was executed.
 */
export function encodedGet({ code, rawPacket, bytesParsed }: BrokenError): string | undefined {
  const text = code === 'HPE_INVALID_URL' ? (rawPacket?.toString('latin1') ?? '') : '';
  const isOne = /^GET \/[^\r\n]*$/.test(text.slice(0, bytesParsed)) && text.indexOf('\r\n\r\n') === text.length - 4;
  const hasMore = /\n(?:content-length|transfer-encoding|upgrade):/i.test(text);
  const line = text.slice(0, text.indexOf('\r\n'));
  const encoded = line.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  return isOne && !hasMore && encoded !== line ? encoded + text.slice(line.length) : undefined;
}

/** What a server reads a request from in the place of the one on a socket that it could not; `close` ends the socket behind the answer. */
export function streamInstead(socket: Socket, request: string, close: () => void): Duplex {
  const stream = new Duplex({
    read: () => {},
    write: (chunk, _encoding, done) => void socket.write(chunk, done),
    final: (done) => done(void close()),
    destroy: (error, done) => {
      if (!socket.writableEnded) socket.destroy();
      done(error);
    },
  });
  const { remoteAddress, remotePort, encrypted, authorized } = socket as Socket & Partial<TLSSocket>;
  const getPeerX509Certificate = socket instanceof TLSSocket ? () => socket.getPeerX509Certificate() : undefined;
  Object.assign(stream, { remoteAddress, remotePort, encrypted, authorized, getPeerX509Certificate });
  socket.once('close', () => stream.destroy());
  stream.push(Buffer.from(request, 'latin1'));
  return stream;
}
