import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from '../vocabulary/machine.ts';

export const thisMachine: Machine = {
  clock: Date.now,
  stopwatch: () => performance.now(),
  pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
  random: Math.random,
  newId: () => randomUUID(),
  processKey: randomBytes(32),
};
