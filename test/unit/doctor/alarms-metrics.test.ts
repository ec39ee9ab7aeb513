import { expect } from 'chai';
import { rulesText } from '../../nights/alarms/rules-file.ts';
import { freePort } from '../../support/process/free-port.ts';
import { startedServices } from '../../support/process/started-services.ts';

describe('The metrics that the alarms use', () => {
  const services = startedServices();

  it('are all exported by a service', async () => {
    const port = await freePort();
    await services.ready({ OPERATIONS_PORT: String(port) });
    const exported = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const named = [...new Set(rulesText().match(/\b(?:tpws|nodejs)_\w+/g))];
    expect(named).to.have.length.above(8);
    const missing = named.filter((name) => !exported.includes(`# TYPE ${name.replace(/_bucket$/, '')} `));
    expect(missing).to.deep.equal([]);
  });
});
