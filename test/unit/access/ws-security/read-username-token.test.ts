import { expect } from 'chai';
import { readUsernameToken } from '../../../../src/access/ws-security/read-username-token.ts';
import type { HeaderElement } from '../../../../src/access/ws-security/security-header.ts';
import { BASE64_BINARY, PASSWORD_DIGEST, SECURITY_HEADER } from '../../../../src/access/ws-security/security-header.ts';
import { MessageReader } from '../../../../src/transports/soap/message-reader.ts';
import { SOAP_11, SOAP_12 } from '../../../../src/transports/soap/soap-versions.ts';
import { ServiceError } from '../../../../src/vocabulary/errors.ts';
import { envelope } from '../../../support/http/soap-request.ts';
import { NAMESPACE, SMALL_CONTRACT } from '../../../wire/contract/small-contract.ts';
import { digestToken, securityHeader, type TokenParts, textToken, usernameToken } from './security-header.ts';

const reader = new MessageReader(SMALL_CONTRACT);
const read = (xml: string) => reader.read(xml, [SECURITY_HEADER]);
const NONCE = 'AAECAwQFBgcICQoLDA0ODw==';
const CREATED = '2026-11-20T03:00:00Z';
const INSTANT = Date.UTC(2026, 10, 20, 3);
const HEX = BASE64_BINARY.replace('Base64', 'Hex');
const OTHER_TYPE = PASSWORD_DIGEST.replace('oasis-200401', 'oasis-200402');
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
  const withToken = (parts: Partial<TokenParts>) => securityHeader(usernameToken({ ...DIGEST, ...parts }));
  const token = usernameToken(DIGEST);
  const salted = token.replace('</wsse:UsernameToken>', '<s:Salt xmlns:s="urn:x"/></wsse:UsernameToken>');
  const encrypted = '<x:EncryptedData xmlns:x="http://www.w3.org/2001/04/xmlenc#"/>';
  const soon = '<wsu:Timestamp><wsu:Expires>soon</wsu:Expires></wsu:Timestamp>';
  for (const [title, header, fault, reason] of [
    ['two Security headers', securityHeader(token).repeat(2), 'InvalidSecurity', 'ws-security-twice'],
    ['two tokens', securityHeader(token.repeat(2)), 'InvalidSecurity', 'ws-element-twice'],
    ['no token', securityHeader(''), 'InvalidSecurity', 'ws-token-missing'],
    ['text next to the token', securityHeader(`x${token}`), 'InvalidSecurity', 'ws-text'],
    [
      'a certificate',
      securityHeader(`<wsse:BinarySecurityToken/>${token}`),
      'UnsupportedSecurityToken',
      'ws-unsupported',
    ],
    ['a signature', securityHeader(token + signature), 'UnsupportedAlgorithm', 'ws-unsupported'],
    ['encrypted data', securityHeader(encrypted), 'UnsupportedAlgorithm', 'ws-unsupported'],
    ['a token in another namespace', securityHeader('<UsernameToken/>'), 'UnsupportedSecurityToken', 'ws-unsupported'],
    ['two timestamps', securityHeader('<wsu:Timestamp/>'.repeat(2)), 'InvalidSecurity', 'ws-element-twice'],
    ['a timestamp that is not a date', securityHeader(soon + token), 'InvalidSecurity', 'ws-date'],
    ['no user', withToken({ username: undefined }), 'InvalidSecurityToken', 'ws-username-missing'],
    ['an empty user', withToken({ username: '' }), 'InvalidSecurityToken', 'ws-username-missing'],
    ['no password', withToken({ password: undefined }), 'InvalidSecurityToken', 'ws-password-missing'],
    ['another Type', withToken({ type: 'urn:x' }), 'UnsupportedSecurityToken', 'ws-password-type'],
    ['a Type like ours', withToken({ type: OTHER_TYPE }), 'UnsupportedSecurityToken', 'ws-password-type'],
    ['no nonce', withToken({ nonce: undefined }), 'InvalidSecurityToken', 'ws-nonce-missing'],
    ['no time', withToken({ created: undefined }), 'InvalidSecurityToken', 'ws-created-missing'],
    ['an invalid time', withToken({ created: '20/11/2026' }), 'InvalidSecurity', 'ws-date'],
    [
      'a time outside the supported range',
      withToken({ created: '300000-11-20T03:00:00Z' }),
      'InvalidSecurity',
      'ws-date',
    ],
    ['a nonce in hexadecimal', withToken({ encoding: HEX }), 'InvalidSecurityToken', 'ws-nonce-encoding'],
    ['a nonce that is not base64', withToken({ nonce: 'not base64!!' }), 'InvalidSecurityToken', 'ws-nonce-form'],
    ['a nonce of 7 bytes', withToken({ nonce: base64(7) }), 'InvalidSecurityToken', 'ws-nonce-form'],
    ['a nonce of 65 bytes', withToken({ nonce: base64(65) }), 'InvalidSecurityToken', 'ws-nonce-form'],
    ['a digest of another length', withToken({ password: base64(32) }), 'InvalidSecurityToken', 'ws-digest-form'],
    ['an element inside a value', withToken({ username: 'a<b xmlns="urn:x"/>' }), 'InvalidSecurity', 'ws-element'],
    ['key derivation', securityHeader(salted), 'InvalidSecurityToken', 'ws-element'],
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
});
