import { expect } from 'chai';
import { findings, repositoryFiles } from '../../../scripts/checks/check-secrets.ts';
import { findSecrets } from '../../../scripts/checks/find-secrets.ts';

/** Assembled here, so that this file contains none of them. */
const join = (...parts: readonly string[]): string => parts.join('');

const FOUND: readonly (readonly [what: string, text: string])[] = [
  ['a private key', join('-----BEGIN ', 'PRIVATE KEY-----')],
  ['a private key', join('-----BEGIN RSA ', 'PRIVATE KEY-----')],
  ['a token', join('key = AKIA', 'ABCDEFGHIJKLMNOP')],
  ['a token', join('ghp', '_', 'a'.repeat(36))],
  ['a token', join('xoxb', '-123456789012')],
  ['a token', join('eyJ', 'a'.repeat(12), '.eyJ', 'a'.repeat(12))],
  ['a password in a URL', join('postgres://app:', 'Tr0ub4dor@db/hospital')],
  ['a password in a URL', join('https://:', 'token@host/')],
  ['a mail address', join('asha.rao', '@gmail.com')],
  ['a mail address', join('asha', '@example.org.in')],
  ['a phone number', join('98', '86012345')],
  ['a phone number', join('+91 98', '860 12345')],
  ['a phone number', join('09', '886012345')],
  ['a phone number', join('+44 20 ', '7123 4567')],
  ['an Aadhaar number', join('2345 ', '6789 0123')],
  ['a PAN', join('ABCPK', '1234F')],
  ['a text that looks like a secret', join('k9Qz3vT7', 'mX1pL5wR8nB2yC6d')],
  ['a text that looks like a secret', join('3f7a9c1e5b2d8064', 'e9a1c7f35d0b2846')],
];

const HARMLESS: readonly string[] = [
  'patients@hospital.example, name@example.org',
  '9845012345, +91 98450-12345, 9876543210, +442079460958',
  'postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  'http://schemas.xmlsoap.org/soap/envelope/ and org/2001/XMLSchema-instance',
  '00000000-0000-4000-8000-000000000001',
  'createUsernameTokenCheckWithNonces2026',
  'AppointmentStatusUpdatesResponse and 1763607000000 and 2026-11-20T10:15:00',
  '-----BEGIN CERTIFICATE-----',
];

describe('The search for secrets and personal data', () => {
  for (const [what, text] of FOUND) {
    it(`finds ${what}: ${text.slice(0, 4)}…`, () => {
      expect(findSecrets(`first\n"${text}"\n`)).to.deep.equal([{ line: 2, what }]);
    });
  }

  it('finds databases, whatever their name', () => {
    for (const beginning of ['SQLite format 3\0', 'PGDMP']) {
      expect(findSecrets(`${beginning}9845012345`)).to.deep.equal([{ line: 1, what: 'a database' }]);
    }
  });

  for (const text of HARMLESS) {
    it(`ignores ${text}`, () => expect(findSecrets(text)).to.deep.equal([]));
  }

  it('finds nothing in the repository', () => {
    expect(repositoryFiles()).to.include.members([
      'package.json',
      'src/main.ts',
      'test/unit/scripts/check-secrets.test.ts',
    ]);
    expect(findings().map(({ path, line, what }) => `${path}:${line}: ${what}`)).to.deep.equal([]);
  });
});
