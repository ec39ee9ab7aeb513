import { randomBytes, randomUUID } from 'node:crypto';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from '../vocabulary/machine.ts';

// Of a host with several addresses, Node gives up each but the last one after a quarter or half of a second. A packet that is lost is sent
// again after one second, and then after two; our own limits, of 5 s and more, leave time for the next address.
setDefaultAutoSelectFamilyAttemptTimeout(3500);

export const thisMachine: Machine = {
  clock: Date.now,
  stopwatch: () => performance.now(),
  pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
  random: Math.random,
  newId: () => randomUUID(),
  environment: process.env,
  processKey: randomBytes(32),
};
