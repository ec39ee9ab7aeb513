import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectCallerFault, resultCodeOf, textOf } from './answers.ts';
import type { Attacked } from './attacked.ts';
import { envelope, NAMESPACE, operationElement, type SoapVersionName, soapRequest } from './requests.ts';

const VERSIONS: readonly SoapVersionName[] = ['1.1', '1.2'];

/** XML that refers to what is not in it. */
export function byReference(attacked: Attacked): void {
  const { row, send } = attacked;

  const SECRET = 'secret-of-the-machine';

  async function expectNoDoctype(doctype: string, reference: string): Promise<void> {
    const before = attacked.contacts();
    for (const version of VERSIONS) {
      const xml =
        doctype + envelope(version, operationElement('GetDoctor', { centerid: '1' }).replace('>1<', `>${reference}<`));
      const { answer } = await send(soapRequest(version, xml));
      expectCallerFault(answer, version, 'Malformed', 400);
      expect(textOf(answer)).not.to.match(/secret-of|stolen|aaaaaaaa/);
    }
    expect(attacked.contacts(), 'connections to the listener').to.equal(before);
  }

  row('refuses a document type declaration', async () => {
    await expectNoDoctype('<!DOCTYPE soap:Envelope>', '1');
    await expectNoDoctype(`<!DOCTYPE soap:Envelope SYSTEM "${attacked.listenerUrl()}">`, '1');
    await expectNoDoctype(`<!DOCTYPE a PUBLIC "-//W3C//DTD XHTML 1.0//EN" "${attacked.listenerUrl()}">`, '1');
  });

  row('reads no file and calls no address for an external entity', async () => {
    const file = join(attacked.folder(), 'secret.txt');
    writeFileSync(file, SECRET);
    await expectNoDoctype(`<!DOCTYPE a [<!ENTITY x SYSTEM "file://${file}">]>`, '&x;');
    await expectNoDoctype(`<!DOCTYPE a [<!ENTITY x SYSTEM "${attacked.listenerUrl()}">]>`, '&x;');
    await expectNoDoctype(`<!DOCTYPE a [<!ENTITY % x SYSTEM "${attacked.listenerUrl()}"> %x;]>`, '1');
  });

  row('includes no file by XInclude and follows no schema location', async () => {
    const file = join(attacked.folder(), 'secret.txt');
    writeFileSync(file, SECRET);
    const include = `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file://${file}" parse="text"/>`;
    const location = ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${NAMESPACE} ${attacked.listenerUrl()}"`;
    const before = attacked.contacts();
    const element = operationElement('GetDoctor', { centerid: '1' });
    const included = await send(soapRequest('1.1', envelope('1.1', element.replace('>1<', `>${include}<`))));
    expectCallerFault(included.answer, '1.1', 'UnexpectedElement', 500);
    expect(textOf(included.answer)).not.to.include(SECRET);
    const located = await send(soapRequest('1.1', envelope('1.1', element, '', location)));
    expect(resultCodeOf(located.answer)).to.equal(0);
    expect(attacked.contacts()).to.equal(before);
  });

  row('does not expand a billion laughs', async () => {
    const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
    await expectNoDoctype(`<!DOCTYPE a [<!ENTITY l0 "aaaaaaaaaa">${entities}]>`, '&l9;');
  });

  row('does not expand entities quadratically', async () => {
    await expectNoDoctype(`<!DOCTYPE a [<!ENTITY l "${'a'.repeat(30_000)}">]>`, '&l;'.repeat(8000));
  });

  row('refuses an undeclared entity', async () => {
    await expectNoDoctype('', '&x;');
  });
}
