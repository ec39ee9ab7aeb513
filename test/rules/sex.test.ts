import { expect } from 'chai';
import { canonicalSex } from '../../src/rules/sex.ts';
import { ResultCode } from '../../src/vocabulary/result-codes.ts';
import { refusalOf } from './refusal-of.ts';

describe('canonicalSex', () => {
  for (const [sex, texts] of Object.entries({
    M: ['M', 'm', 'Male', 'MALE', ' male '],
    F: ['F', 'f', 'Female', 'FEMALE'],
    O: ['O', 'Other', 'others', 'Transgender', 'Trans', 'TG', 'Third Gender', 'third-gender', 'T', 'A', 'N', 'X', 'x'],
    U: ['U', 'Unknown', '', '  ', 'NA', 'n/a', '-', undefined],
  })) {
    for (const text of texts) {
      it(`reads ${text === undefined ? 'an absent one' : JSON.stringify(text)} as ${sex}`, () => {
        expect(canonicalSex(text)).to.equal(sex);
      });
    }
  }

  for (const text of ['Q', 'man', 'MF', 'constructor', '1']) {
    it(`refuses ${text} by name`, () => {
      const refusal = refusalOf(() => canonicalSex(text));
      expect(refusal).to.include({ resultCode: ResultCode.InvalidInput, parameter: 'Sex' });
      expect(refusal.message).to.equal(`Parameter Sex: "${text}" is not recognized; expected M, F, O or U.`);
    });
  }
});
