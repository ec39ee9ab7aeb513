#!/usr/bin/env node
// The program for operators: `npx tpws import doctors.csv` in a clone, `tpws …` where it is on the path. In JavaScript, so that an older Node
// prints a sentence instead of an error about `.ts`: see require-node.js.
import './process/require-node.js';
import { constants, getPriority, setPriority } from 'node:os';

// Lets a service on the same CPU answer its calls first, also while this program is loaded. A rehearsal has callers of its own.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
try {
  if (process.argv[2] !== 'rehearse' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
} catch {
  // A sandbox forbids it.
}

// `| head` closes the pipe once it has read enough: that is not an error, and nothing reads the rest.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

import('./commands/this-process.ts').then(({ runTpws }) => runTpws());
