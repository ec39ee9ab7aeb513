import { expect } from 'chai';
import type { UsernameToken } from '../../../../src/access/ws-security/read-username-token.ts';
import {
  type TokenCircumstances,
  verifyUsernameToken,
} from '../../../../src/access/ws-security/verify-username-token.ts';
import { ServiceError } from '../../../../src/vocabulary/errors.ts';

const NOW = Date.UTC(2026, 10, 20, 3);
const SKEW = 300_000;

/** printf 2026-11-20T03:00:00Zsecret after the bytes 0 to 15: openssl dgst -sha1 -binary | base64 */
const VECTORS = [
  ['secret', 'Guh3iqD8OcXhZU8mPybz+FbMXvU='],
  ['s3cret é ₹', 'Hv8d3E3rEQ1xt/FbgPIi2imYtGs='],
] as const;

const DIGEST: UsernameToken = {
  username: 'ward',
  passwordType: 'digest',
  password: VECTORS[0][1],
  nonce: Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'),
  created: '2026-11-20T03:00:00Z',
  createdOn: NOW,
  timestamp: { createdOn: undefined, expiresOn: undefined },
};
const TEXT: UsernameToken = {
  ...DIGEST,
  passwordType: 'text',
  password: 'secret',
  nonce: undefined,
  created: undefined,
  createdOn: undefined,
};
type TokenSecrets = Pick<TokenCircumstances, 'isKnown' | 'wsPassword' | 'isPassword'>;
const WARD: TokenSecrets = {
  isKnown: true,
  wsPassword: 'secret',
  isPassword: async (password) => password === 'secret',
};
const NOBODY: TokenSecrets = { isKnown: false, wsPassword: undefined, isPassword: async () => false };

/** The reason for the refusal; undefined if the token is accepted. */
async function refusal(
  token: UsernameToken,
  secrets: TokenSecrets = WARD,
  circumstances: Partial<TokenCircumstances> = {},
): Promise<ServiceError | undefined> {
  try {
    await verifyUsernameToken(token, {
      ...secrets,
      checkDigest: async (isRight) => isRight(),
      secure: true,
      now: NOW,
      takeNonce: async () => true,
      ...circumstances,
    });
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

describe('verifyUsernameToken', () => {
  for (const [password, digest] of VECTORS) {
    it(`accepts the digest of ${password} that another program made, with or without TLS`, async () => {
      for (const secure of [true, false]) {
        const token = { ...DIGEST, password: digest };
        expect(await refusal(token, { ...WARD, wsPassword: password }, { secure })).to.equal(undefined);
      }
    });
  }

  it('accepts a password as text only over TLS', async () => {
    expect(await refusal(TEXT)).to.equal(undefined);
    const error = await refusal(TEXT, WARD, { secure: false });
    expect([error?.reason, error?.securityFault]).to.deep.equal(['ws-text-without-tls', 'InvalidSecurityToken']);
  });

  it('ignores a password that was sent without TLS', async () => {
    let looked = false;
    const isPassword = async () => {
      looked = true;
      return true;
    };
    await refusal(TEXT, { ...WARD, isPassword }, { secure: false });
    expect(looked).to.equal(false);
  });

  it('gives the same answer to every wrong token, and logs the reason', async () => {
    const replayed = { takeNonce: async () => false };
    for (const [token, secrets, circumstances, reason] of [
      [{ ...DIGEST, password: VECTORS[1][1] }, WARD, {}, 'ws-wrong-password'],
      [{ ...DIGEST, nonce: Buffer.alloc(16) }, WARD, {}, 'ws-wrong-password'],
      [{ ...DIGEST, created: '2026-11-20T03:00:00.0Z' }, WARD, {}, 'ws-wrong-password'],
      [DIGEST, { ...WARD, wsPassword: undefined }, {}, 'ws-no-password-for-digests'],
      [DIGEST, NOBODY, {}, 'ws-unknown-user'],
      [{ ...TEXT, password: 'x' }, WARD, {}, 'ws-wrong-password'],
      [TEXT, NOBODY, {}, 'ws-unknown-user'],
      [{ ...DIGEST, createdOn: NOW - SKEW - 1 }, WARD, {}, 'ws-created-stale'],
      [{ ...DIGEST, createdOn: NOW + SKEW + 1 }, WARD, {}, 'ws-created-future'],
      [DIGEST, WARD, replayed, 'ws-nonce-replayed'],
      [{ ...DIGEST, passwordType: 'text', password: 'secret' }, WARD, replayed, 'ws-nonce-replayed'],
      [{ ...TEXT, timestamp: { createdOn: NOW + SKEW + 1, expiresOn: undefined } }, WARD, {}, 'ws-timestamp-future'],
    ] as const) {
      const error = await refusal(token, secrets, circumstances);
      expect([error?.code, error?.securityFault, error?.reason]).to.deep.equal([
        'Unauthorized',
        'FailedAuthentication',
        reason,
      ]);
      expect(error?.message).to.equal('The security token could not be authenticated or authorized.');
    }
  });

  it('allows clocks to differ by the permitted skew', async () => {
    for (const createdOn of [NOW - SKEW, NOW + SKEW]) {
      expect(await refusal({ ...DIGEST, createdOn })).to.equal(undefined);
    }
  });

  it('reports that a message has expired', async () => {
    const late = { ...DIGEST, timestamp: { createdOn: NOW, expiresOn: NOW - SKEW } };
    expect((await refusal(late))?.securityFault).to.equal('MessageExpired');
    const inTime = { ...DIGEST, timestamp: { createdOn: NOW, expiresOn: NOW - SKEW + 1 } };
    expect(await refusal(inTime)).to.equal(undefined);
  });

  it('stores the nonce of a valid token only, as a hash, for longer than the message is valid', async () => {
    const taken: [string, number, number][] = [];
    const takeNonce = async (...values: [string, number, number]) => taken.push(values) > 0;
    await refusal({ ...DIGEST, password: VECTORS[1][1] }, WARD, { takeNonce });
    await refusal(DIGEST, NOBODY, { takeNonce });
    expect(taken).to.deep.equal([]);
    await refusal(DIGEST, WARD, { takeNonce });
    await refusal({ ...DIGEST, username: 'other' }, WARD, { takeNonce });
    expect(taken.map(([, expiresOn, now]) => [expiresOn > NOW + SKEW, now])).to.deep.equal([
      [true, NOW],
      [true, NOW],
    ]);
    expect(new Set(taken.map(([hash]) => hash)).size).to.equal(2);
  });
});
