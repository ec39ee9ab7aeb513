import { connect } from 'node:net';
import { expect } from 'chai';
import { perSuite } from '../../support/prepared.ts';
import { freePort } from '../../support/process/free-port.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';
import { serviceWithDescriptors, startReady } from '../../support/process/service-process.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { metricValues } from '../doctor/metric-values.ts';

const CALLS = 400;
const REQUEST = 'GET /TPWebServices.asmx/GetDoctor?centerid=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

describe('A service that may open only 64 files', () => {
  const folder = perSuite(temporaryFolder);
  let operations: number;
  const service = perSuite(async (context) => {
    skipOnWindows(context, 'there is no such limit');
    operations = await freePort();
    const settings = { OPERATIONS_PORT: String(operations), RATE_LIMIT: '0' };
    return startReady(folder.path, settings, serviceWithDescriptors(64));
  });

  const logged = (event: string) => service.logLines().filter(({ msg }) => msg === event);
  const operationsPage = async (path: string) => fetch(`http://127.0.0.1:${operations}${path}`);

  /** Opens a connection, which calls once it may. */
  const call = (
    from: string,
    mayCall: Promise<unknown>,
    opened: () => void,
    closed: () => void,
  ): Promise<'answered' | 'cut'> =>
    new Promise((resolve) => {
      const socket = connect({ port: service.port, host: '127.0.0.1', localAddress: from });
      let answer = '';
      socket.setEncoding('latin1').on('data', (text) => {
        answer += text;
      });
      // A reset, after which it closes.
      socket.on('error', () => {});
      socket.on('close', () => {
        closed();
        resolve(answer.startsWith('HTTP/1.1 200') ? 'answered' : 'cut');
      });
      socket.on('connect', opened);
      void mayCall.then(() => socket.write(REQUEST));
    });

  it('says at the start that this does not suffice for MAX_CONNECTIONS', () => {
    const [{ subject, reason } = {}] = logged('a check warns');
    expect(subject).to.equal('files');
    expect(reason).to.match(/^This process has file descriptors for \d+ connections, fewer than MAX_CONNECTIONS=/);
  });

  it('counts and logs every call that it could not accept, and remains ready', async () => {
    const addresses = Array.from({ length: CALLS }, (_, n) => `127.0.1.${(n % 250) + 1}`);
    const allOpen = Promise.withResolvers<void>();
    // On a busy machine, the service may accept a connection only after others were answered and closed, if those have called already.
    const oneCut = Promise.withResolvers<void>();
    let left = CALLS;
    const opened = () => {
      if (--left === 0) allOpen.resolve();
    };
    const mayCall = Promise.all([allOpen.promise, oneCut.promise]);
    const outcomes = await Promise.all(addresses.map((from) => call(from, mayCall, opened, oneCut.resolve)));
    const cut = outcomes.filter((outcome) => outcome === 'cut').length;
    expect(cut).to.be.within(1, CALLS - 1);
    const metrics = metricValues(await (await operationsPage('/metrics')).text());
    expect(metrics.get('tpws_connections_refused')).to.equal(cut);
    expect((await operationsPage('/readyz')).status).to.equal(200);
    expect(await service.stop()).to.equal(0);
    expect(logged('connections refused').map(({ count }) => count)).to.deep.equal([cut]);
  });
});
