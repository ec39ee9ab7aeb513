import { expect } from 'chai';
import supertest from 'supertest';
import { createApp } from '../../src/http/app.ts';
import { ownContract } from '../contract/own-wsdl.ts';
import { appDependencies } from '../support/http/app-dependencies.ts';
import { TEST_NOW } from '../support/process/start-service.ts';

const LIST = { ResultCode: 0, ResultText: 'OK.', Doctors: { Doctor: [] } };
const appAt = (publicUrl: string | undefined) =>
  createApp(
    appDependencies({
      publicUrl,
      clock: () => TEST_NOW,
      invoke: async () => ({ record: LIST, refused: false, parameter: undefined }),
    }),
  );
const CALL = `${ownContract.path}/GetDoctor?centerid=2`;

describe('A service below a path', () => {
  for (const [address, status] of [
    [`/his/desk${CALL}`, 200],
    [`/HIS/Desk${CALL}`, 200],
    [CALL, 200],
    ['/his/desk/openapi.json', 200],
    [`/his/deskX${CALL}`, 404],
    [`/other${CALL}`, 404],
    [`/his/desk/his/desk${CALL}`, 404],
  ] as const) {
    it(`answers ${status} at ${address}`, async () => {
      const answer = await supertest(await appAt('https://his.example.org/his/desk')).get(address);
      expect(answer.status).to.equal(status);
    });
  }

  for (const address of ['/', '/his/desk', '/his/desk/', '/his/desk?a=b']) {
    it(`redirects from ${address} to the service page below the path`, async () => {
      const answer = await supertest(await appAt('https://his.example.org/his/desk')).get(address);
      expect([answer.status, answer.headers.location]).to.deep.equal([302, `/his/desk${ownContract.path}`]);
    });
  }

  it('answers below no path unless PUBLIC_URL has one', async () => {
    for (const publicUrl of [undefined, 'https://his.example.org']) {
      expect((await supertest(await appAt(publicUrl)).get(`/his${CALL}`)).status).to.equal(404);
    }
  });
});
