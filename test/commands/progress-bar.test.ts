import { expect } from 'chai';
import { progressBar } from '../../src/commands/progress-bar.ts';

describe('The progress bar', () => {
  function draw(isTTY: boolean | undefined, times: readonly number[]): string {
    let text = '';
    let now = 0;
    const bar = progressBar({ isTTY, write: (more) => (text += more) }, () => now);
    const progress = bar.part('Writing');
    for (const [index, time] of times.entries()) {
      now = time;
      progress((index + 1) / times.length);
    }
    bar.clear();
    return text;
  }

  it('is drawn on a terminal once work takes long, and removed at the end', () => {
    const text = draw(true, [0, 400, 401]);
    expect(text).to.equal(
      `\rWriting [${'#'.repeat(20)}${' '.repeat(10)}]\u001b[K\rWriting [${'#'.repeat(30)}]\u001b[K\r\u001b[K`,
    );
  });

  it('is not drawn for short work', () => {
    expect(draw(true, [0, 1, 2])).to.equal('');
  });

  it('is not drawn if the output is not a terminal', () => {
    expect(draw(false, [0, 400, 800])).to.equal('');
    expect(draw(undefined, [0, 400, 800])).to.equal('');
  });
});
