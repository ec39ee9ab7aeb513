import { expect } from 'chai';
import { rawExchange } from '../../../support/http/raw-exchange.ts';
import { fetchDetails, LIST_DAY, SOAP_11, SOAP_12, soapRequest } from '../../../support/http/soap-request.ts';
import { type RunningService, startService } from '../../../support/process/start-service.ts';

describe('Two services in one process', () => {
  let services: readonly RunningService[];
  beforeEach(async () => {
    services = await Promise.all([startService(), startService()]);
  });
  afterEach(() => Promise.all(services.map((service) => service.close())));

  for (const version of [SOAP_11, SOAP_12]) {
    it(`answer the calls of ${version.name} from their own databases`, async () => {
      const [first, second] = services as [RunningService, RunningService];
      const booked = await rawExchange(first.port, soapRequest(version, fetchDetails()));
      expect(booked.body.toString()).to.include('<ResultCode>0</ResultCode>');
      const list = async ({ port }: RunningService) =>
        String((await rawExchange(port, soapRequest(version, LIST_DAY))).body);
      expect(await list(first)).to.include('Ravi Kumar');
      expect(await list(second)).to.not.include('Ravi Kumar');
    });
  }
});
