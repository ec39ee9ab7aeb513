import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Gateway } from '../../../src/messages/gateways/gateway.ts';
import { SmppGateway } from '../../../src/messages/gateways/smpp-gateway.ts';
import { installPackages } from '../../clients/interop/install-packages.ts';
import { DEBIAN_PACKAGES } from '../../support/debian-packages.ts';
import { skipTest } from '../../support/skip-test.ts';
import { gatewayDependencies, outgoing } from './gateway-suite.ts';
import { SHORT_TIMES } from './smpp-under-test.ts';

const SERVER = fileURLToPath(new URL('perl/smpp-server.pl', import.meta.url));
const HINDI = `${'नमस्ते '.repeat(9)}नमस 😀 ${'आपकी अपॉइंटमेंट कल है। '.repeat(3)}`;

/** npm `smpp` writes our PDUs and reads those of the SMS center in the tests. Here, an independent program reads them. */
describe('The SMPP gateway and an SMS center in Perl', function () {
  this.timeout(600_000);
  let server: ChildProcess;
  let gateway: Gateway;
  const dependencies = gatewayDependencies();
  const told: Record<string, unknown>[] = [];

  before(async function () {
    const missing = await installPackages(DEBIAN_PACKAGES.perlSmpp);
    if (missing.size > 0) {
      skipTest(this, [...missing].map(([name, reason]) => `${name}: ${reason}`).join(', '));
    }
    server = spawn('perl', [SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface(server.stdout ?? process.stdin);
    const [port] = await once(lines, 'line');
    lines.on('line', (line) => {
      told.push(JSON.parse(line));
      server.emit('told');
    });
    const settings = { systemId: 'hospital', password: 'secret', systemType: '', sender: 'HOSPTL' };
    const address = { host: '127.0.0.1', port: Number(port), tls: false };
    gateway = new SmppGateway({ address, ...settings, times: SHORT_TIMES }, dependencies);
  });
  after(async () => {
    await gateway?.close();
    if (server?.kill()) await once(server, 'exit');
  });

  async function submitsOf(message: Parameters<typeof outgoing>[0], count: number) {
    const { length } = told;
    expect(await gateway.send(outgoing(message))).to.include({ kind: 'submitted' });
    while (told.length < length + count) await once(server, 'told', { signal: AbortSignal.timeout(10_000) });
    return told.slice(length);
  }

  it('agree on every field of a message', async () => {
    const dlt = { header: 'CLINIC', dltTemplateId: '1107160000000000001', principalEntityId: '1101000000000000001' };
    const text = '@£$ Δ_ΦΓ ÄÖÑÜ§¿äöñüà ^{}\\[~]|€';
    const [{ id, ...rest } = {}] = await submitsOf({ id: 65_543, text, expiresOn: Date.now() + 600_500, ...dlt }, 1);
    expect(rest).to.deep.equal({
      source_addr: 'CLINIC',
      source_addr_ton: 5,
      source_addr_npi: 0,
      destination_addr: '919845012345',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      data_coding: 0,
      esm_class: 0,
      registered_delivery: 1,
      validity_period: '000000001000000R',
      header: '',
      text,
      reference: 7,
      principal: dlt.principalEntityId,
      template: dlt.dltTemplateId,
    });
  });

  it('agree on a long message in Hindi with an emoji, and on the receipt of its last segment', async () => {
    const submits = await submitsOf({ id: 0x1ff, text: HINDI }, 3);
    expect(submits.map(({ text }) => text).join('')).to.equal(HINDI);
    expect(submits.map(({ header }) => header)).to.deep.equal(['050003ff0301', '050003ff0302', '050003ff0303']);
    const receiptsOf = (submit: Record<string, unknown> | undefined) =>
      dependencies.receipts.filter(({ hints }) => hints?.references.includes(String(submit?.id)));
    while (receiptsOf(submits.at(-1)).length === 0) await new Promise((resume) => setTimeout(resume, 10));
    expect(submits.map((submit) => receiptsOf(submit).length)).to.deep.equal([0, 0, 1]);
    expect(receiptsOf(submits.at(-1))[0]).to.include({ status: 'delivered', code: 'DELIVRD:000' });
  });

  it('agree on a long message with characters of the extension table at segment borders', async () => {
    const text = `${'a'.repeat(152)}€${'b'.repeat(152)}{`;
    const submits = await submitsOf({ id: 3, text }, 3);
    expect(submits.map((submit) => submit.text)).to.deep.equal(['a'.repeat(152), `€${'b'.repeat(151)}`, 'b{']);
  });
});
