import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import express from 'express';
import type { HttpServer } from '../../../src/http/http-server.ts';
import { listenHere } from '../../support/http/listen-here.ts';
import { needOpenssl, newIssuer } from '../../support/http/test-certificates.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

describe('Key updates of a TLS connection', function () {
  this.timeout(20_000);
  const folder = temporaryFolder();
  const programs: ChildProcess[] = [];
  let server: HttpServer;

  before(async function () {
    needOpenssl(this);
    const { cert, key } = newIssuer(folder.path).issue('server');
    const app = express();
    app.use((_request, response) => void response.end('x'));
    server = await listenHere(app, {}, 0, { cert, key } as never);
  });
  afterEach(() => {
    for (const program of programs.splice(0)) program.kill();
  });
  after(async () => {
    await server?.close();
    folder.remove();
  });

  /** A connection of a real client that has had an answer. */
  const open = async (): Promise<ChildProcess> => {
    const program = spawn('openssl', [
      's_client',
      '-connect',
      `127.0.0.1:${server.port}`,
      '-tls1_3',
      '-quiet',
      '-no_ign_eof',
    ]);
    programs.push(program);
    program.stdin.on('error', () => {});
    program.stdin.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(program.stdout, 'data');
    return program;
  };
  /** The program takes a command only if it reads nothing else with it, so some are lost. */
  const updateKeys = async ({ stdin }: ChildProcess) => {
    if (stdin?.writable) stdin.write('k\n');
    await new Promise((resolve) => setTimeout(resolve, 2));
  };

  it('are accepted as often as any program needs them', async () => {
    const program = await open();
    for (let n = 0; n < 10; n++) await updateKeys(program);
    program.stdin?.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(program.stdout as NodeJS.ReadableStream, 'data');
  });

  it('without end cut their connection, those of other connections theirs, and a neighbour goes on', async () => {
    const hostile = [await open(), await open()];
    const neighbour = await open();
    const isOpen = ({ exitCode }: ChildProcess) => exitCode === null;
    for (let n = 0; n < 1000 && hostile.some(isOpen); n++) await Promise.all(hostile.map(updateKeys));
    expect([...hostile, neighbour].map(isOpen)).to.deep.equal([false, false, true]);
    neighbour.stdin?.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(neighbour.stdout as NodeJS.ReadableStream, 'data');
  });
});
