import { expect } from 'chai';
import { createLog, type Log, type LogFields, type LogLevel, loggedError } from '../../../src/log/log.ts';

/** A log and the lines that it has written. */
function recording(level: LogLevel = 'debug'): { log: Log; lines: string[] } {
  const lines: string[] = [];
  return { log: createLog(level, { write: (line: string) => void lines.push(line) }), lines };
}

const read = (line: string | undefined): Record<string, unknown> => JSON.parse(line ?? '{}');

describe('The log', () => {
  it('An event is one line of JSON with its name, its time and its fields.', () => {
    const { log, lines } = recording();
    log.info('call', { operation: 'GetDoctor', resultCode: 0, milliseconds: 3 });
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(/^\{.*\}\n$/);
    const line = read(lines[0]);
    expect(line).to.include({ msg: 'call', operation: 'GetDoctor', resultCode: 0, milliseconds: 3 });
    expect(line.time).to.match(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
  });

  it('A field that is not on the list is not written.', () => {
    const { log, lines } = recording();
    log.info('call', { operation: 'GetDoctor', Name: 'Ravi', query: 'a=1', request: { url: '/x' } } as LogFields);
    expect(read(lines[0])).to.have.all.keys('level', 'time', 'msg', 'operation');
  });

  it('Line ends and control characters in a field do not break the line.', () => {
    const { log, lines } = recording();
    log.warn('stop', { reason: 'a\r\n{"level":50}\u001b[2J\u2028' });
    expect(lines).to.have.length(1);
    expect(lines[0]?.slice(0, -1)).to.satisfy((line: string) =>
      ['\r', '\n', '\u001b'].every((char) => !line.includes(char)),
    );
  });

  it('Events below the configured level are not written.', () => {
    const { log, lines } = recording('warn');
    log.info('call');
    log.debug('call');
    log.error('call failed');
    expect(lines.map((line) => read(line).msg)).to.deep.equal(['call failed']);
  });

  it('It says whether events of level debug are written.', () => {
    expect(
      (['error', 'warn', 'info', 'debug'] as const).map((level) => recording(level).log.writesDebug),
    ).to.deep.equal([false, false, false, true]);
  });

  it("An error's class, code and frames are written, but not its message.", () => {
    const { log, lines } = recording();
    const cause = new RangeError('Ravi Kumar');
    log.error('call failed', { error: Object.assign(new TypeError('9845012345', { cause }), { code: 'ERR_X' }) });
    const error = read(lines[0]).error as Record<string, unknown>;
    expect(error).to.include({ class: 'TypeError', code: 'ERR_X' });
    expect(error.cause).to.include({ class: 'RangeError' });
    expect((error.frames as string[]).every((frame) => frame.startsWith('at '))).to.equal(true);
    expect(lines[0]).to.not.match(/Ravi|9845012345/);
  });

  it('Lines of a message that look like frames are not written.', () => {
    const error = new Error('Ravi\n    at Kumar');
    expect(loggedError(error).frames.join()).to.not.include('Kumar');
  });

  it('A code that is free text is not written.', () => {
    expect(loggedError(Object.assign(new Error(), { code: 'Ravi Kumar' }))).to.not.have.property('code');
  });

  it('The constraint that refused a row is written, because its name is the schema’s.', () => {
    const error = Object.assign(new Error('Ravi Kumar'), { code: '23505', constraint: 'appointment_key' });
    expect(loggedError(error))
      .to.include({ code: '23505', constraint: 'appointment_key' })
      .and.not.have.property('message');
  });

  it('A thrown value that is not an error is identified only by its type.', () => {
    expect(loggedError('Ravi Kumar')).to.deep.equal({ class: 'string', frames: [] });
    expect(loggedError({ Name: 'Ravi' })).to.deep.equal({ class: 'object', frames: [] });
  });

  it('A cyclic chain of causes is cut off.', () => {
    const error = new Error('a');
    error.cause = error;
    expect(JSON.stringify(loggedError(error)).length).to.be.lessThan(20_000);
  });
});
