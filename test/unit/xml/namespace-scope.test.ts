import { expect } from 'chai';
import fc from 'fast-check';
import { NamespaceScope } from '../../../src/xml/namespace-scope.ts';

describe('NamespaceScope', () => {
  const prefix = fc.constantFrom('', 'a', 'b', 'c', 'soap', 'xsi', ...Array.from({ length: 12 }, (_, n) => `p${n}`));
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ prefix, namespace: fc.string({ minLength: 1, maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }) }) },
  );

  it('returns the innermost declaration of each prefix, however many are or were in scope', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const scope = new NamespaceScope();
        let declared: { prefix: string; namespace: string }[] = [];
        for (const next of steps) {
          if ('share' in next) {
            declared = declared.slice(0, Math.floor(declared.length * next.share));
            scope.endAt(declared.length);
          } else {
            declared.push(next);
            scope.declare(next.prefix, next.namespace);
          }
          expect(scope.count).to.equal(declared.length);
          for (const asked of ['', 'a', 'b', 'soap', 'p3', 'p11', 'unknown']) {
            const innermost = declared.findLast((declaration) => declaration.prefix === asked);
            expect(scope.namespaceOf(asked)).to.equal(innermost?.namespace ?? (asked === '' ? '' : undefined));
          }
        }
      }),
    );
  });
});
