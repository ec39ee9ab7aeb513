import { expect } from 'chai';
import { expectCallerFault } from './answers.ts';
import type { Attacked } from './attacked.ts';
import { envelope, FORM_TYPE, NAMESPACE, PATH, request, type SoapVersionName, soapRequest } from './requests.ts';

const VERSIONS: readonly SoapVersionName[] = ['1.1', '1.2'];

/** XML that is small, but still too complex. */
export function byStructure(attacked: Attacked): void {
  const { row, send } = attacked;

  /** Refused as the caller's fault, in either version, whether the size or the structure is too large. */
  async function expectRefused(inBody: string, code: string, status: number): Promise<void> {
    for (const version of VERSIONS) {
      const { answer } = await send(soapRequest(version, envelope(version, inBody)));
      expectCallerFault(answer, version, code, status);
    }
  }

  for (const depth of [17, 1500, 75_000, 1_000_000]) {
    row(`refuses elements nested ${depth} deep`, async () => {
      await expectRefused('<a>'.repeat(depth) + '</a>'.repeat(depth), 'TooLarge', 413);
    });
  }

  for (const count of [5000, 30_000]) {
    row(`refuses ${count} unclosed elements`, async () => {
      const unclosed = '<a>'.repeat(count);
      for (const version of VERSIONS) {
        const { answer } = await send(soapRequest(version, envelope(version, '').replace('</soap:Body>', unclosed)));
        expectCallerFault(answer, version, 'TooLarge', 413);
      }
    });
  }

  for (const count of [33, 5000, 25_000]) {
    row(`refuses ${count} attributes`, async () => {
      const attributes = Array.from({ length: count }, (_, i) => ` a${i}=""`).join('');
      await expectRefused(`<GetDoctor xmlns="${NAMESPACE}"${attributes}/>`, 'TooLarge', 413);
    });
  }

  for (const count of [201, 10_000, 25_000]) {
    row(`refuses ${count} elements`, async () => {
      await expectRefused('<a/>'.repeat(count), 'TooLarge', 413);
    });
  }

  for (const length of [129, 50_000, 100_000]) {
    row(`refuses a name of ${length} characters`, async () => {
      await expectRefused(`<${'n'.repeat(length)}/>`, 'TooLarge', 413);
      await expectRefused(`<a ${'n'.repeat(length)}=""/>`, 'TooLarge', 413);
    });
  }

  for (const [declarations, elements] of [
    [600, 6000],
    [20_000, 20_000],
  ] as const) {
    row(`refuses ${declarations} namespaces on ${elements} elements`, async () => {
      const declared = Array.from({ length: declarations }, (_, i) => ` xmlns:n${i}="u"`).join('');
      await expectRefused(`<a${declared}>${'<n1:b/>'.repeat(elements)}</a>`, 'TooLarge', 413);
    });
  }

  row('refuses as many namespaces as fit on every level', async () => {
    const level = (depth: number): string => {
      if (depth === 12) return '';
      const declared = Array.from({ length: 32 }, (_, i) => ` xmlns:p${depth}-${i}="urn:${depth}:${i}"`).join('');
      return `<a${declared}>${level(depth + 1)}</a>`;
    };
    await expectRefused(level(0), 'UnexpectedElement', 500);
  });

  row('is not slowed by names that collide in a hash', async () => {
    // Equal under the hash that multiplies by 31, which many languages use for strings.
    const colliding = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        Array.from({ length: 12 }, (_unused, bit) => ((i >> bit) & 1 ? 'Aa' : 'BB')).join(''),
      );
    await expectRefused(
      `<GetDoctor xmlns="${NAMESPACE}">${colliding(2000)
        .map((name) => `<${name}/>`)
        .join('')}</GetDoctor>`,
      'TooLarge',
      413,
    );
    const attributes = colliding(32).map((name) => ` ${name}=""`);
    await expectRefused(`<a${attributes.join('')}/>`, 'UnexpectedElement', 500);
    const fields = colliding(2000).map((name) => `${name}=1`);
    const form = await send(request('POST', `${PATH}/GetDoctor`, [FORM_TYPE], fields.join('&')));
    expect(form.answer.status).to.equal(413);
  });
}
