import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readClients } from '../../../src/access/load-clients.ts';
import { readTlsFiles } from '../../../src/http/tls-files.ts';
import { chooseGateway } from '../../../src/messages/gateways/choose-gateway.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { needOpenssl, newIssuer, type TestCertificate } from '../../support/http/test-certificates.ts';
import { perSuite } from '../../support/prepared.ts';
import { TEST_NOW } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const NOTHING: Readonly<Record<string, string | Buffer>> = {
  'no bytes': '',
  'white space': ' \t\r\n\u00a0\n',
  'a byte order mark and a line end': '\ufeff\n',
  'a byte order mark of UTF-16': Buffer.from([0xff, 0xfe]),
  'zeros, as after a crash': Buffer.alloc(64),
};

describe('A file that a setting names', () => {
  const folder = perSuite(temporaryFolder);
  const write = (name: string, content: string | Buffer) => {
    const path = join(folder.path, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const clients = (wsPasswordFile: string) =>
    write(
      'clients.json',
      JSON.stringify({ clients: [{ name: 'a', username: 'a', usernameToken: true, wsPasswordFile }] }),
    );
  const answers = { refusals: 'fault', results: 'record' } as const;
  let files: TestCertificate | undefined;
  const tls = () => {
    files ??= newIssuer(folder.path).issue('server', 365);
    return { cert: files.certFile, key: files.keyFile, clientCa: undefined, clientCertRequired: false };
  };

  /** By what names the file: reads it as a start does. */
  const READERS: Readonly<Record<string, (file: string) => unknown>> = {
    DATABASE_URL_FILE: (file) => readConfig({ DATABASE_URL_FILE: file }),
    SMS_PASSWORD_FILE: (file) => readConfig({ SMS_PASSWORD_FILE: file }),
    SMS_CALLBACK_SECRET_FILE: (file) => readConfig({ SMS_CALLBACK_SECRET_FILE: file }),
    CLIENTS_FILE: (file) => readClients(file, { operations: [], answers }),
    wsPasswordFile: (file) => readClients(clients(file), { operations: ['GetDoctor'], answers }),
    TLS_CERT: (file) => readTlsFiles({ ...tls(), cert: file }, TEST_NOW),
    TLS_KEY: (file) => readTlsFiles({ ...tls(), key: file }, TEST_NOW),
    TLS_CLIENT_CA: (file) => readTlsFiles({ ...tls(), clientCa: file }, TEST_NOW),
    SMS_GATEWAY: (file) => chooseGateway(readConfig({ SMS_GATEWAY: `http:${file}` }).sms),
  };

  for (const [name, read] of Object.entries(READERS)) {
    it(`is refused if it holds nothing, and named: ${name}`, async function () {
      if (name.startsWith('TLS')) needOpenssl(this);
      for (const [what, content] of Object.entries(NOTHING)) {
        const file = write('empty.json', content);
        const error = await Promise.try(read, file).then(
          () => expect.fail(`${what} was accepted`),
          (found: Error) => found,
        );
        expect(error.message, what).to.match(new RegExp(`${name}.*: expected a file that is not empty`));
      }
    });
  }

  it('is read without its byte order mark', () => {
    const file = write('url', '\ufeffsqlite:/srv/a.db\r\n');
    expect(readConfig({ DATABASE_URL_FILE: file }).database).to.include({ path: '/srv/a.db' });
  });

  it('may be in UTF-16, as PowerShell writes it', () => {
    const file = write('url16', Buffer.from('\ufeffsqlite:/srv/ä.db\r\n', 'utf16le'));
    expect(readConfig({ DATABASE_URL_FILE: file }).database).to.include({ path: '/srv/ä.db' });
    const clients = JSON.stringify({ clients: [{ name: 'a', networks: ['::1'] }] });
    const listed = readClients(write('clients16.json', Buffer.from(`\ufeff${clients}`, 'utf16le')), {
      operations: ['GetDoctor'],
      answers,
    });
    expect(listed.byName.has('a')).to.equal(true);
  });

  it('is refused if its bytes are no text', () => {
    const file = write('cut', Buffer.from([0xff, 0xfe, 0x41]));
    expect(() => readConfig({ DATABASE_URL_FILE: file })).to.throw('expected a file that is text in UTF-8 or UTF-16');
  });
});
