import { expect } from 'chai';
import { judgeAudit } from '../../../scripts/checks/judge-audit.ts';

describe('The verdict on a dependency audit', () => {
  it('passes if no package is vulnerable', () => {
    expect(judgeAudit('{"auditReportVersion":2,"vulnerabilities":{}}')).to.deep.equal({
      isFine: true,
      text: 'No package that is installed has a known vulnerability.',
    });
  });

  it('fails if a package is vulnerable, whatever the severity, and names it', () => {
    const vulnerabilities = { 'left-pad': { severity: 'low', range: '<1.3.0' } };
    expect(judgeAudit(JSON.stringify({ vulnerabilities }))).to.deep.equal({
      isFine: false,
      text: '1 packages have known vulnerabilities:\n  left-pad <1.3.0: low',
    });
  });

  for (const [where, report, why] of [
    [
      'the registry has no such address',
      '{"message":"405 Method Not Allowed - POST https://host.example/x","statusCode":405,"error":{"summary":"","detail":""}}',
      '405 Method Not Allowed',
    ],
    ['nobody answers', '{"error":{"code":"ENOTFOUND","summary":""}}', 'ENOTFOUND'],
    ['the report says nothing about it', '{}', 'no answer'],
  ] as const) {
    it(`says plainly that nothing was checked if ${where}`, () => {
      expect(judgeAudit(report)).to.deep.equal({
        isFine: true,
        text: `NOT CHECKED: the package registry answers no audit (${why}).`,
      });
    });
  }

  it('says so if there is no report, too', () => {
    expect(judgeAudit('')).to.deep.equal({ isFine: true, text: 'NOT CHECKED: npm gave no report.' });
  });
});
