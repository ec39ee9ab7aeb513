import { expect } from 'chai';
import { rawExchange } from '../../support/http/raw-exchange.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';
import { startedServices } from '../../support/process/started-services.ts';

/** The first 120 per minute are rows of the audit. */
const REFUSALS = 125;

describe("Refusals above the audit's budget", () => {
  const services = startedServices({ RATE_LIMIT: '0' });

  it('are reported as a count when the service stops', async function () {
    skipOnWindows(this, 'it has no SIGTERM');
    const service = await services.ready();
    const foreign =
      'GET /TPWebServices.asmx/GetDoctor?centerid=1 HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n';
    for (let n = 0; n < REFUSALS; n++) expect((await rawExchange(service.port, foreign)).status).to.equal(421);
    const told = () => service.logLines().filter(({ msg }) => msg === 'refusals not audited');
    expect(told()).to.deep.equal([]);
    expect(await service.stop()).to.equal(0);
    expect(told().map(({ code, count }) => [code, count])).to.deep.equal([['MisdirectedRequest', REFUSALS - 120]]);
  });
});
