import { expect } from 'chai';
import { runSteps, type Step, type StepResult, stepTable } from '../../../scripts/ci/run-steps.ts';

type Plan = Omit<Step, 'command'>;

/** Runs the plan on a clock of its own; each step takes as many seconds as `lengths` says, by default one. */
async function schedule(plan: readonly Plan[], lengths: Readonly<Record<string, number>> = {}, failing = '') {
  let now = 0;
  const ends: { readonly at: number; end(): void }[] = [];
  const steps = plan.map((step): Step => ({ command: ['true'], ...step }));
  const running = runSteps(steps, {
    cores: 2,
    clock: () => now,
    run: ({ name }) =>
      new Promise((resolve) => {
        const end = () => resolve({ ok: name !== failing, output: '' });
        ends.push({ at: now + 1000 * (lengths[name] ?? 1), end });
      }),
    onStart: () => {},
    onEnd: () => {},
  });
  let over = false;
  const finish = () => {
    over = true;
  };
  running.then(finish, finish);
  // Any step that could begin when another one ended has begun once the microtasks are through.
  for (; !over; await new Promise((resolve) => setImmediate(resolve))) {
    ends.sort((a, b) => a.at - b.at);
    const first = ends.shift();
    now = first?.at ?? now;
    first?.end();
  }
  const { results, notStarted } = await running;
  return [
    ...results.map(({ name, began, seconds }) => `${name} ${began}-${began + seconds}`),
    ...notStarted.map((name) => `${name} never`),
  ];
}

describe('runSteps', () => {
  it('runs as many in parallel as the cores allow, in the order of the list', async () => {
    const plan: Plan[] = ['a', 'b', 'c'].map((name) => ({ name, cores: 1 }));
    expect(await schedule(plan, { a: 3 })).to.deep.equal(['b 0-1', 'c 1-2', 'a 0-3']);
  });

  it('reserves the machine for a step that needs all of it, even if a small later one would fit', async () => {
    const plan: Plan[] = [
      { name: 'a', cores: 1 },
      { name: 'whole', cores: 2 },
      { name: 'small', cores: 0.5 },
    ];
    expect(await schedule(plan)).to.deep.equal(['a 0-1', 'whole 1-2', 'small 2-3']);
  });

  it('lets others overtake a step that waits for another step', async () => {
    const plan: Plan[] = [
      { name: 'install', cores: 1 },
      { name: 'use', cores: 1, after: ['install'] },
      { name: 'other', cores: 1 },
    ];
    expect(await schedule(plan, { install: 2 })).to.deep.equal(['other 0-1', 'install 0-2', 'use 2-3']);
  });

  it('starts nothing that depends on a failed step, and everything else', async () => {
    const plan: Plan[] = [
      { name: 'wrong', cores: 1 },
      { name: 'dependent', cores: 1, after: ['wrong'] },
      { name: 'other', cores: 1 },
      { name: 'last', cores: 1 },
    ];
    expect(await schedule(plan, { other: 3 }, 'wrong')).to.deep.equal([
      'wrong 0-1',
      'last 1-2',
      'other 0-3',
      'dependent never',
    ]);
  });
});

describe('stepTable', () => {
  it('lists the longest first, marks failures, and shows the total', () => {
    const result = { ok: true, output: '' };
    const results: StepResult[] = [
      { ...result, name: 'lint', began: 0, seconds: 2 },
      { ...result, name: 'tests', began: 2, seconds: 100, ok: false },
    ];
    expect(stepTable(results).split('\n')).to.deep.equal([
      'step             began    took',
      'tests (FAILED)     2 s   100 s',
      'lint               0 s     2 s',
      'all                0 s   102 s',
    ]);
  });
});
