import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { perSuite } from '../../support/prepared.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { textAt } from '../../support/xml/parse-xml.ts';
import { exchange, xmlOf } from './answers.ts';
import type { Attacked } from './attacked.ts';
import { startAttackedService } from './attacked-service.ts';
import { byHttp } from './attacks-by-http.ts';
import { byPretence } from './attacks-by-pretence.ts';
import { byReference } from './attacks-by-reference.ts';
import { bySize } from './attacks-by-size.ts';
import { byStructure } from './attacks-by-structure.ts';
import { bodyOf, bookableDay, formRequest } from './requests.ts';

/** Every attack goes over a socket to the same process, so that leftovers of one affect the next. */
describe('The service under attack', function () {
  this.timeout(60_000);
  let contacts = 0;
  const folder = perSuite(temporaryFolder);
  const listener = perSuite(async () => {
    const server = createServer((_request, response) => response.end('<!ENTITY stolen "stolen">'));
    server.on('connection', () => contacts++);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return server;
  });
  const service = perSuite(() => startAttackedService());

  const send: Attacked['send'] = (bytes, untilClosed = false) => exchange(service.port, bytes, { untilClosed });
  const attacked: Attacked = {
    row: (title, run) => it(title, () => service.attack(title, run)),
    send,
    standing: async (day = bookableDay()) => {
      const { answer } = await send(
        formRequest('GET', 'OPAppointmentdetail', bodyOf('OPAppointmentdetail', { appdate: day })),
      );
      return Number(textAt(xmlOf(answer), 'TotalCount'));
    },
    port: () => service.port,
    listenerUrl: () => `http://127.0.0.1:${(listener.address() as AddressInfo).port}/x`,
    contacts: () => contacts,
    folder: () => folder.path,
  };

  describe('by size', () => bySize(attacked));
  describe('by structure', () => byStructure(attacked));
  describe('by XML references', () => byReference(attacked));
  describe('by saying one thing and meaning another', () => byPretence(attacked));
  describe('by HTTP', () => byHttp(attacked));

  describe('afterwards', () => {
    it('has contacted no other host', () => expect(contacts).to.equal(0));

    it('has written only one JSON object per line after its start message', async () => {
      // The service writes its log some lines at a time.
      await new Promise((resolve) => setTimeout(resolve, 500));
      const lines = service.process.output().trimEnd().split('\n');
      const events = lines.slice(lines.findIndex((line) => line.startsWith('{')));
      expect(events.length).to.be.greaterThan(100);
      for (const line of events) {
        expect(JSON.parse(line), line).to.include.keys('level', 'time', 'msg');
        expect(line).not.to.match(/evil|canary|secret-of|script|Asha|9845012345/);
      }
      expect(events.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).to.deep.equal([]);
    });
  });
});
