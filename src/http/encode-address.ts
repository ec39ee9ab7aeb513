import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** What Node says of a request that it cannot parse, with what was received last, and how much of it had been parsed. */
export type BrokenError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number };

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

/** Lets a server read a request in the place of the one that it could not, as the last of its connection, which `close` ends. */
export function readInstead(server: Server, socket: Socket, request: string, close: (socket: Socket) => void): void {
  if (!socket.writable) return void socket.destroy();
  const connection = new Duplex({
    read: () => {},
    write: (chunk, _encoding, done) => void socket.write(chunk, done),
    final: (done) => done(void close(socket)),
    destroy: (error, done) => {
      if (!socket.writableEnded) socket.destroy();
      done(error);
    },
  });
  const { remoteAddress, remotePort, encrypted, authorized } = socket as Socket & Partial<TLSSocket>;
  const getPeerX509Certificate = socket instanceof TLSSocket ? () => socket.getPeerX509Certificate() : undefined;
  Object.assign(connection, { remoteAddress, remotePort, encrypted, authorized, getPeerX509Certificate });
  socket.once('close', () => connection.destroy());
  // Over HTTP/1.0, the client's own `keep-alive` would win.
  const last = request.replace(/\r\nconnection:[^\r\n]*/gi, '').replace('\r\n', '\r\nConnection: close\r\n');
  connection.push(Buffer.from(last, 'latin1'));
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', connection);
}
