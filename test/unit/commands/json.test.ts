import { expect } from 'chai';
import { type DoctorHost, doctorCommand } from '../../../src/commands/doctor-command.ts';
import { findingText } from '../../../src/doctor/finding.ts';
import { MACHINE as machine } from '../../support/commands/run-doctor.ts';
import { runHere } from '../../support/commands/run-here.ts';

const records = (output: string) =>
  output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe('tpws doctor --json', () => {
  // Without a port, so that nothing depends on what is free.
  const doctor = (...args: readonly string[]) =>
    runHere<DoctorHost>(doctorCommand, args, { environment: { PORT: 'x', SMS_GATEWAI: 'off' }, machine });

  it('gives programs each finding that a person reads, and the same exit code', async () => {
    const [text, json] = [await doctor(), await doctor('--json')];
    expect(text.code).to.equal(1);
    expect(json.code).to.equal(1);
    expect(records(json.output).map(findingText)).to.deep.equal(text.output.split('\n').slice(0, -1));
    expect(Object.keys(records(json.output)[0])).to.deep.equal(['verdict', 'subject', 'text']);
  });
});
