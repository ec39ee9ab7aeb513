import { expect } from 'chai';
import { readUsernameToken } from '../../../src/access/ws-security/read-username-token.ts';
import type { HeaderElement } from '../../../src/access/ws-security/security-header.ts';
import { BASE64_BINARY, PASSWORD_DIGEST, SECURITY_HEADER } from '../../../src/access/ws-security/security-header.ts';
import { MessageReader } from '../../../src/transports/soap/message-reader.ts';
import { SOAP_11, SOAP_12 } from '../../../src/transports/soap/soap-versions.ts';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { NAMESPACE, SMALL_CONTRACT } from '../../contract/small-contract.ts';
import { envelope } from '../../support/http/soap-request.ts';
import { digestToken, securityHeader, textToken, usernameToken } from './security-header.ts';

const reader = new MessageReader(SMALL_CONTRACT);
const read = (xml: string) => reader.read(xml, [SECURITY_HEADER]);
const NONCE = 'AAECAwQFBgcICQoLDA0ODw==';
const CREATED = '2026-11-20T03:00:00Z';
const INSTANT = Date.UTC(2026, 10, 20, 3);
const DIGEST = digestToken('ward 3', 'secret', NONCE, CREATED);

/** The Security headers of a message, as the message reader passes them on. */
function headersOf(header: string, version = SOAP_11): readonly HeaderElement[] {
  const { headers, problem } = read(
    envelope(version, `<GetDoctor xmlns="${NAMESPACE}"><centerid>1</centerid></GetDoctor>`, header),
  );
  if (problem !== undefined) throw problem;
  return headers;
}

const tokenOf = (header: string) => readUsernameToken(headersOf(header));

function errorOf(header: string): ServiceError {
  try {
    tokenOf(header);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error(`accepted: ${header}`);
}

describe('readUsernameToken', () => {
  it('reads a digest with nonce and time, in both SOAP versions', () => {
    for (const version of [SOAP_11, SOAP_12]) {
      const header = securityHeader(usernameToken(DIGEST), 'soap:mustUnderstand="1"');
      expect(readUsernameToken(headersOf(header, version))).to.deep.equal({
        username: 'ward 3',
        passwordType: 'digest',
        password: DIGEST.password,
        nonce: Buffer.from(NONCE, 'base64'),
        created: CREATED,
        createdOn: INSTANT,
        timestamp: { createdOn: undefined, expiresOn: undefined },
      });
    }
  });

  it('reads a password as text, even without a Type, exactly as it is', () => {
    for (const type of [undefined, textToken('', '').type]) {
      const token = tokenOf(securityHeader(usernameToken({ username: 'a', password: ' p&amp;w ', type })));
      expect([token.passwordType, token.password, token.nonce, token.created]).to.deep.equal([
        'text',
        ' p&w ',
        undefined,
        undefined,
      ]);
    }
  });

  it('reads values that contain comments, CDATA and references', () => {
    const token = tokenOf(
      securityHeader(
        usernameToken({
          ...DIGEST,
          username: 'wa<!-- x -->rd<![CDATA[ ]]>&#x33;',
          nonce: ` AAECAwQF<!-- x -->BgcI\nCQoL<![CDATA[DA0ODw==]]> `,
          created: `\n<!-- x -->2026-11-20T<![CDATA[03:00]]>:00Z `,
        }),
      ),
    );
    expect(token.username).to.equal('ward 3');
    expect(token.nonce?.toString('base64')).to.equal(NONCE);
    expect(token.created).to.equal(CREATED);
  });

  it('reads times with any offset and with fractions, and a time without an offset as UTC', () => {
    for (const [text, ms] of [
      ['2026-11-20T08:30:00+05:30', INSTANT],
      ['2026-11-20T03:00:00.1259Z', INSTANT + 125],
      ['2026-11-20T03:00:00', INSTANT],
    ] as const) {
      expect(tokenOf(securityHeader(usernameToken({ ...DIGEST, created: text }))).createdOn, text).to.equal(ms);
    }
  });

  it('reads the Timestamp next to the token', () => {
    const timestamp = `<wsu:Timestamp wsu:Id="x"><wsu:Created>${CREATED}</wsu:Created><wsu:Expires>2026-11-20T03:05:00Z</wsu:Expires></wsu:Timestamp>`;
    expect(tokenOf(securityHeader(timestamp + usernameToken(DIGEST))).timestamp).to.deep.equal({
      createdOn: INSTANT,
      expiresOn: INSTANT + 300_000,
    });
  });

  const base64 = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64');
  const signature = '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>';
  for (const [title, header, fault, reason] of [
    ['two Security headers', securityHeader(usernameToken(DIGEST)).repeat(2), 'InvalidSecurity', 'ws-security-twice'],
    ['two tokens', securityHeader(usernameToken(DIGEST).repeat(2)), 'InvalidSecurity', 'ws-element-twice'],
    ['no token', securityHeader(''), 'InvalidSecurity', 'ws-token-missing'],
    ['text next to the token', securityHeader(`x${usernameToken(DIGEST)}`), 'InvalidSecurity', 'ws-text'],
    [
      'a certificate',
      securityHeader(`<wsse:BinarySecurityToken/>${usernameToken(DIGEST)}`),
      'UnsupportedSecurityToken',
      'ws-unsupported',
    ],
    ['a signature', securityHeader(usernameToken(DIGEST) + signature), 'UnsupportedAlgorithm', 'ws-unsupported'],
    [
      'encrypted data',
      securityHeader('<x:EncryptedData xmlns:x="http://www.w3.org/2001/04/xmlenc#"/>'),
      'UnsupportedAlgorithm',
      'ws-unsupported',
    ],
    ['a token in another namespace', securityHeader('<UsernameToken/>'), 'UnsupportedSecurityToken', 'ws-unsupported'],
    ['two timestamps', securityHeader('<wsu:Timestamp/>'.repeat(2)), 'InvalidSecurity', 'ws-element-twice'],
    [
      'a timestamp that is not a date',
      securityHeader(`<wsu:Timestamp><wsu:Expires>soon</wsu:Expires></wsu:Timestamp>${usernameToken(DIGEST)}`),
      'InvalidSecurity',
      'ws-date',
    ],
    [
      'no user',
      securityHeader(usernameToken({ ...DIGEST, username: undefined })),
      'InvalidSecurityToken',
      'ws-username-missing',
    ],
    [
      'an empty user',
      securityHeader(usernameToken({ ...DIGEST, username: '' })),
      'InvalidSecurityToken',
      'ws-username-missing',
    ],
    [
      'no password',
      securityHeader(usernameToken({ ...DIGEST, password: undefined })),
      'InvalidSecurityToken',
      'ws-password-missing',
    ],
    [
      'another Type',
      securityHeader(usernameToken({ ...DIGEST, type: 'urn:x' })),
      'UnsupportedSecurityToken',
      'ws-password-type',
    ],
    [
      'no nonce',
      securityHeader(usernameToken({ ...DIGEST, nonce: undefined })),
      'InvalidSecurityToken',
      'ws-nonce-missing',
    ],
    [
      'no time',
      securityHeader(usernameToken({ ...DIGEST, created: undefined })),
      'InvalidSecurityToken',
      'ws-created-missing',
    ],
    [
      'an invalid time',
      securityHeader(usernameToken({ ...DIGEST, created: '20/11/2026' })),
      'InvalidSecurity',
      'ws-date',
    ],
    [
      'a time outside the supported range',
      securityHeader(usernameToken({ ...DIGEST, created: '300000-11-20T03:00:00Z' })),
      'InvalidSecurity',
      'ws-date',
    ],
    [
      'a nonce in hexadecimal',
      securityHeader(usernameToken({ ...DIGEST, encoding: BASE64_BINARY.replace('Base64', 'Hex') })),
      'InvalidSecurityToken',
      'ws-nonce-encoding',
    ],
    [
      'a nonce that is not base64',
      securityHeader(usernameToken({ ...DIGEST, nonce: 'not base64!!' })),
      'InvalidSecurityToken',
      'ws-nonce-form',
    ],
    [
      'a nonce of 7 bytes',
      securityHeader(usernameToken({ ...DIGEST, nonce: base64(7) })),
      'InvalidSecurityToken',
      'ws-nonce-form',
    ],
    [
      'a nonce of 65 bytes',
      securityHeader(usernameToken({ ...DIGEST, nonce: base64(65) })),
      'InvalidSecurityToken',
      'ws-nonce-form',
    ],
    [
      'a digest of another length',
      securityHeader(usernameToken({ ...DIGEST, password: base64(32) })),
      'InvalidSecurityToken',
      'ws-digest-form',
    ],
    [
      'an element inside a value',
      securityHeader(usernameToken({ ...DIGEST, username: 'a<b xmlns="urn:x"/>' })),
      'InvalidSecurity',
      'ws-element',
    ],
    [
      'key derivation',
      securityHeader(
        usernameToken(DIGEST).replace('</wsse:UsernameToken>', '<s:Salt xmlns:s="urn:x"/></wsse:UsernameToken>'),
      ),
      'InvalidSecurityToken',
      'ws-element',
    ],
  ] as const) {
    it(`refuses ${title}`, () => {
      const error = errorOf(header);
      expect([error.code, error.securityFault, error.reason]).to.deep.equal(['Unauthorized', fault, reason]);
      expect(error.message).to.not.include(DIGEST.password);
    });
  }

  it('accepts nonces of 8 to 64 bytes', () => {
    for (const bytes of [8, 64]) {
      const { nonce } = tokenOf(securityHeader(usernameToken({ ...DIGEST, nonce: base64(bytes) })));
      expect(nonce?.length).to.equal(bytes);
    }
  });

  it('recognizes the type of the password only by its URI', () => {
    const type = PASSWORD_DIGEST.replace('oasis-200401', 'oasis-200402');
    expect(errorOf(securityHeader(usernameToken({ ...DIGEST, type }))).reason).to.equal('ws-password-type');
  });
});
