import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../support/process/temporary-folder.ts';
import { textAt } from '../support/xml/parse-xml.ts';
import { exchange, xmlOf } from './answers.ts';
import type { Attacked } from './attacked.ts';
import { type AttackedService, startAttackedService } from './attacked-service.ts';
import { byHttp } from './attacks-by-http.ts';
import { byPretence } from './attacks-by-pretence.ts';
import { byReference } from './attacks-by-reference.ts';
import { bySize } from './attacks-by-size.ts';
import { byStructure } from './attacks-by-structure.ts';
import { bodyOf, bookableDay, formRequest } from './requests.ts';

/** Every attack goes over a socket to the same process, so that leftovers of one affect the next. */
describe('The service under attack', function () {
  this.timeout(60_000);
  let service: AttackedService;
  let listener: Server;
  let contacts = 0;
  let folder: TemporaryFolder;

  before(async () => {
    folder = temporaryFolder();
    listener = createServer((_request, response) => {
      contacts++;
      response.end('<!ENTITY stolen "stolen">');
    }).listen(0, '127.0.0.1');
    listener.on('connection', () => contacts++);
    await once(listener, 'listening');
    service = await startAttackedService();
  });

  after(async () => {
    await service?.stop();
    listener.close();
    folder.remove();
  });

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
    it('has contacted no other host', () => {
      expect(contacts).to.equal(0);
    });

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
