import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { plainAddress, subscriberNetwork } from '../vocabulary/ip-address.ts';
import { Connection, type Handling, type Owner } from './connection.ts';
import type { ConnectionLimits, Network } from './connection-limits.ts';
import { CONNECT } from './unusual-requests.ts';

/** One in this many connections, rounded up, is the most that one network may have; as many, rounded down, are for networks without any. */
const ONE_IN = 10;
/** How often connections are checked: a limit can be exceeded by this much. */
const CHECKING_INTERVAL_MS = 1000;
/** The minimum number of times that a connection is checked within the time that an answer, or silence, may take. */
const CHECKS = 20;

/**
 * Pieces of bodies of one network after which its other bodies wait for the next turn of the event loop. Node parses all that it has read of
 * a connection at once, at 2 µs or more for each chunk, however small. A body of the largest size has as many if its chunks have 64 bytes.
 */
const PIECES_OF_NETWORK = 1024;
/** The same for all networks together. It is more than one network can reach, because 64 KiB contain at most 10,922 chunks. */
const PIECES_PER_TURN = 16_384;

const known = new WeakMap<object, Connection>();

/** The connection that a socket belongs to; undefined if no server here has accepted it. */
export const connectionOf = (socket: object): Connection | undefined => known.get(socket);

/** The two sockets of a TLS connection have only their ends in common. */
const endsOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;

/**
 * The connections of a server. Closes those beyond the limits before any of their bytes are read. A few callers cannot take all connections,
 * because none gets more than its share, and the last ones are reserved for networks that have none. What one network costs is counted for
 * it: once a turn of the event loop has parsed too many pieces of its bodies, its others are not read, and its requests in chunks refused.
 */
export class Connections implements Owner {
  readonly limits: ConnectionLimits;
  readonly handling: Handling;
  /** From now on, each answer is the last of its connection. */
  isClosing = false;
  /** Who issues the certificates of clients. Connections that were accepted under others end with their next answer. */
  issuers: unknown;
  /** How many were closed because there were too many. */
  refused = 0;
  readonly #server: Server;
  /** What the server emits when HTTP begins. */
  readonly #begins: 'connection' | 'secureConnection';
  /** By their ends. */
  readonly #open = new Map<string, Connection>();
  /** Those with connections; each connection of a proxy has one of its own. */
  readonly #networks = new Map<string, Network>();
  /** Pieces that were parsed in this turn. */
  #pieces = 0;
  #turn = 0;
  #held: Socket[] = [];

  constructor(server: Server, isTls: boolean, limits: ConnectionLimits, handling: Handling) {
    this.#server = server;
    this.#begins = isTls ? 'secureConnection' : 'connection';
    this.limits = limits;
    this.handling = handling;
    server.maxConnections = limits.most;
    server.on('drop', () => this.refused++);
    server.prependListener('connection', (socket: Socket) => this.#accept(socket));
    if (isTls) server.prependListener('secureConnection', (socket: Socket) => this.#secure(socket));
    server.on(this.#begins, (socket: Socket | Duplex) => known.get(socket)?.begin(socket));
    server.on('keylog', (_line: Buffer, socket: Socket) => this.#open.get(endsOf(socket))?.countSecret());
    server.on('request', (request, response) =>
      (request as IncomingMessage & { peer: Connection }).peer.receive(response),
    );
    server.on('clientError', (error, socket) => known.get(socket)?.break(error));
    server.on('tlsClientError', (error, socket) => this.#open.get(endsOf(socket))?.break(error));
    // Without a listener, Node would end the connection, and what was executed before would never be answered.
    server.on('connect', ({ socket }) => known.get(socket)?.break({ code: CONNECT }));
    const periodMs = Math.min(limits.answerMs / CHECKS, limits.quietMs / CHECKS, CHECKING_INTERVAL_MS);
    const checking = setInterval(() => {
      for (const connection of this.#open.values()) connection.check(periodMs);
    }, periodMs);
    checking.unref();
    server.once('close', () => clearInterval(checking));
  }

  get size(): number {
    return this.#open.size;
  }

  /** Cuts those that have not requested anything: browsers open connections early, and Node does not count them as idle. */
  cutSilent(): void {
    for (const { hasRequested, socket } of this.#open.values()) if (!hasRequested) socket.destroy();
  }

  /** Lets the server read a stream as if it were the socket of a connection. */
  read(stream: Duplex, connection: Connection): void {
    known.set(stream, connection);
    this.#server.emit(this.#begins, stream);
  }

  #accept(socket: Socket): void {
    hear(socket);
    if (known.has(socket)) return;
    // It was reset before it was accepted: it has no address to be limited and recorded by, and nobody can read its answers.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    const { isProxy, most } = this.limits;
    const ends = endsOf(socket);
    const proxied = isProxy(socket.remoteAddress);
    const name = proxied ? ends : subscriberNetwork(plainAddress(socket.remoteAddress));
    const network = this.#networks.get(name) ?? { isProxy: proxied, connections: 0, pieces: 0, turn: 0 };
    const { connections } = network;
    const isOver = connections >= Math.ceil(most / ONE_IN);
    if (isOver || (connections > 0 && this.size >= most - Math.floor(most / ONE_IN))) {
      this.refused++;
      return void socket.destroy();
    }
    this.#networks.set(name, network);
    network.connections++;
    const connection = new Connection(this, socket, network);
    known.set(socket, connection);
    this.#open.set(ends, connection);
    socket.once('close', () => {
      connection.forgetBody();
      // A client may have opened another from the same port.
      if (this.#open.get(ends) === connection) this.#open.delete(ends);
      if (--network.connections === 0) this.#networks.delete(name);
    });
  }

  #secure(socket: Socket): void {
    hear(socket);
    // As without TLS: see httpAllowHalfOpen. As an option of the server, it would keep a client that leaves during the handshake.
    socket.allowHalfOpen = true;
    if (known.has(socket)) return;
    const connection = this.#open.get(endsOf(socket));
    if (connection === undefined) socket.destroy();
    else known.set(socket, connection);
  }

  /** Whether a network, or all together, have sent so much in this turn that it may not begin another body in chunks. */
  isFlooded({ pieces, turn }: Network): boolean {
    return (turn === this.#turn && pieces >= PIECES_OF_NETWORK) || this.#pieces >= PIECES_PER_TURN;
  }

  /** To be called for each piece of a body that is parsed. */
  takePiece(network: Network): void {
    if (this.#pieces++ === 0) setImmediate(() => this.#endTurn());
    network.pieces = network.turn === this.#turn ? network.pieces + 1 : 1;
    network.turn = this.#turn;
    const isOver = network.pieces === PIECES_OF_NETWORK;
    const areAllOver = this.#pieces === PIECES_PER_TURN;
    if (!isOver && !areAllOver) return;
    for (const connection of this.#open.values()) {
      if (connection.isReceiving && (areAllOver || connection.network === network)) {
        this.#held.push(connection.socket.pause());
      }
    }
  }

  #endTurn(): void {
    this.#pieces = 0;
    this.#turn++;
    for (const socket of this.#held.splice(0)) socket.resume();
  }
}

/** An error that nobody hears ends the process, and Node takes its own listener away before some events. */
const hear = (socket: Socket): void => void socket.on('error', () => {});
