import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DEPLOYED_NODE_OPTIONS } from '../support/process/deployed-node-options.ts';
import { root } from './source-files.ts';

/** Finds Node's options in each command that starts the service. */
const STARTS: readonly (readonly [file: string, command: RegExp, count: number])[] = [
  ['deploy/windows/tpwebservices.xml', /<arguments>(.*)".*\\src\\start\.js"<\/arguments>/g, 1],
  // When the image is built, for its compiled code, and when it runs.
  ['Dockerfile', /\bnode"?,? ((?:"?--[\w=-]+"?,? )+)"?src\/start\.js/g, 2],
];

describe('The deployments', () => {
  it('label the image as package.json describes the service', () => {
    const { name, description, version, license } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    const labels = readFileSync(new URL('Dockerfile', root), 'utf8').matchAll(
      /^LABEL org\.opencontainers\.image\.(\w+)="(.*)"$/gm,
    );
    const expected = { title: name, description, version, licenses: license };
    expect(Object.fromEntries([...labels].map(([, label, value]) => [label, value]))).to.deep.equal(expected);
  });

  it('unpack the package of this version: docs/operators/installing.md', () => {
    const { name, version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    expect(readFileSync(new URL('docs/operators/installing.md', root), 'utf8')).to.include(` ${name}-${version}.tgz `);
  });

  for (const [file, command, count] of STARTS) {
    it(`start Node as deploy/systemd does: ${file}`, () => {
      const text = readFileSync(new URL(file, root), 'utf8');
      const options = [...text.matchAll(command)].map(([, between = '']) => between.match(/--[\w=-]+/g));
      expect(options).to.deep.equal(Array(count).fill(DEPLOYED_NODE_OPTIONS));
    });
  }
});
