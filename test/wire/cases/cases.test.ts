import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect } from 'chai';
import { withNamespace } from '../../../src/contract/rewrite-wsdl.ts';
import { ERROR_CODES } from '../../../src/vocabulary/errors.ts';
import { ownContract, ownWsdl } from '../contract/own-wsdl.ts';
import { schemaOf } from '../contract/schema-of.ts';
import { CASE_TRANSPORTS } from './expand-case.ts';
import { type ExchangeCase, readCases } from './read-case.ts';
import { type Answered, checkAnswer, payloadOf, sendCase } from './run-case.ts';
import { usualCallOf } from './usual-call.ts';
import { validateAll } from './validate-all.ts';
import { writeXmlTree } from './xml-tree.ts';

const folder = new URL('.', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.case'))
  .sort();
const casesByFile = new Map(files.map((path) => [path, casesIn(path)]));
const cases = [...casesByFile.values()].flat();

function casesIn(path: string): readonly ExchangeCase[] {
  try {
    return readCases(readFileSync(new URL(path, folder), 'utf8'));
  } catch (error) {
    throw new Error(`test/wire/cases/${path}: ${(error as Error).message}`);
  }
}

describe('Exchanges over the wire', () => {
  /** Payloads by namespace, then by the file that they came from. */
  const payloads = new Map<string, Map<string, string>>();

  function keepPayload(path: string, answered: Answered): void {
    const payload = payloadOf(answered);
    if (payload === undefined) return;
    const namespace = /^\{(.*)\}/.exec(payload.name)?.[1] ?? '';
    const ofNamespace = payloads.get(namespace) ?? new Map<string, string>();
    payloads.set(namespace, ofNamespace);
    ofNamespace.set(`${ofNamespace.size}-${basename(path)}.xml`, writeXmlTree(payload));
  }

  for (const [group, paths] of Map.groupBy(files, dirname)) {
    describe(group, () => {
      for (const path of paths) {
        for (const exchangeCase of casesByFile.get(path) ?? []) {
          it(exchangeCase.title, async () => {
            const answers = await sendCase(exchangeCase);
            for (const answered of answers) {
              checkAnswer(answered);
              keepPayload(path, answered);
            }
          });
        }
      }
    });
  }

  it('Every operation succeeds over every transport in some file.', () => {
    for (const { name } of ownContract.operations) {
      const found = casesByFile.get(`success/${name}.case`) ?? [];
      expect(found.map(({ transport }) => transport).sort(), name).to.deep.equal(CASE_TRANSPORTS.toSorted());
      expect(found.every(({ exchanges }) => exchanges.at(-1)?.answer.status === 200)).to.equal(true);
    }
  });

  it('The usual call of an operation sends every parameter.', () => {
    for (const { name, parameters } of ownContract.operations) {
      expect([...usualCallOf(name).parameters.keys()], name).to.deep.equal(parameters.map((each) => each.name));
    }
  });

  it('Every error code that a caller can cause is answered in some file.', () => {
    const answers = cases.flatMap(({ exchanges }) => exchanges.map(({ answer }) => answer.body ?? ''));
    const headless = ['MustUnderstand', 'VersionMismatch', 'MethodNotAllowed', 'NotFound', 'MisdirectedRequest'];
    // No single exchange causes them.
    const broken = ['Internal', 'Unavailable', 'TooManyRequests'];
    const missing = Object.keys(ERROR_CODES).filter(
      (code) =>
        !headless.includes(code) &&
        !broken.includes(code) &&
        !answers.some((body) => body.includes(`<Code>${code}</Code>`)),
    );
    expect(missing).to.deep.equal([]);
  });

  it('No two cases have the same title.', () => {
    const titles = cases.map(({ title }) => title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).to.deep.equal([]);
  });

  // A suite's own tests run before those of the suites in it, and this one needs what they have collected.
  describe('all of them', () => {
    it('Every record and every fault detail in an answer is valid against the types of the contract.', async () => {
      expect(payloads.size).to.be.greaterThan(0);
      for (const [namespace, documents] of payloads) {
        expect(await validateAll(schemaOf(withNamespace(ownWsdl, namespace)), documents)).to.deep.equal([]);
      }
    });
  });
});
