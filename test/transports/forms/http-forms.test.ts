import { expect } from 'chai';
import { rawExchange } from '../../support/http/raw-exchange.ts';
import { postRequest } from '../../support/http/soap-request.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';

const PATH = '/TPWebServices.asmx';

describe('The GET and POST forms', () => {
  let service: RunningService;

  before(async () => {
    service = await startService();
  });

  const get = (target: string) => rawExchange(service.port, `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);

  it('Non-ASCII bytes in a request line are refused, because their encoding is unknown.', async () => {
    const answer = await get(`${PATH}/GetDoctor?centerid=2&a=\u0939`);
    expect(answer.status).to.equal(400);
    expect(answer.headers).to.include({ 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  });

  it('A body that is not UTF-8 is refused.', async () => {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await rawExchange(
      service.port,
      postRequest(`${PATH}/GetDoctor`, type, Buffer.from('centerid=2&a=\xe9', 'latin1')),
    );
    expect(answer.status).to.equal(400);
    expect(answer.body.toString()).to.equal('The form is not UTF-8.');
  });

  it('Two successive answers each follow their own Accept header.', async () => {
    const json = await rawExchange(
      service.port,
      `GET ${PATH}/GetDoctor?centerid=2 HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n`,
    );
    const xml = await get(`${PATH}/GetDoctor?centerid=2`);
    expect(json.headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(xml.headers['content-type']).to.equal('text/xml; charset=utf-8');
    for (const { headers } of [json, xml]) expect(headers.vary).to.equal('Accept');
  });
});
