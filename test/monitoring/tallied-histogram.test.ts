import { expect } from 'chai';
import { Histogram, Registry } from 'prom-client';
import { TalliedHistogram } from '../../src/monitoring/tallied-histogram.ts';

const BUCKETS = [0.001, 0.01, 0.1];
const SECONDS = [0, 0.001, 0.0011, 0.05, 0.1, 0.2, 7];

/** As workers send them; exemplars are not used. */
const samplesOf = async (registry: Registry) =>
  (await registry.getMetricsAsJSON()).flatMap(({ name, aggregator, values }) =>
    values.map(({ labels, value, ...rest }) => ({ name, aggregator, labels, value, metric: Object.values(rest)[0] })),
  );

describe('A tallied histogram', () => {
  it("produces the same as prom-client's own histogram, as text and among workers", async () => {
    const settings = { name: 'seconds', help: 'Of a test.' };
    const own = new Registry();
    const labels = { operation: 'GetDoctor', transport: 'soap11' };
    const tallied = new TalliedHistogram({ ...settings, buckets: BUCKETS, registry: own });
    const durations = tallied.durationsOf(labels);
    tallied.durationsOf({ operation: 'Sent_SMS', transport: 'soap11' });
    const theirs = new Registry();
    const histogram = new Histogram({
      ...settings,
      labelNames: ['operation', 'transport'],
      buckets: BUCKETS,
      registers: [theirs],
    });
    expect((await own.metrics()).trim()).to.equal((await theirs.metrics()).trim());
    for (const seconds of SECONDS) {
      durations.observe(seconds);
      histogram.labels(labels).observe(seconds);
    }
    expect(await own.metrics()).to.equal(await theirs.metrics());
    expect(await samplesOf(own)).to.deep.equal(await samplesOf(theirs));
  });
});
