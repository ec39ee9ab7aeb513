#!/usr/bin/env node
// The program for operators: `npx tpws import doctors.csv` in a clone, `tpws …` where it is on the path. In JavaScript, so that an older Node
// prints a sentence instead of an error about `.ts`: see require-node.js.
import './service/require-node.js';
import { constants, getPriority, setPriority } from 'node:os';

// A service on the same CPU answers its calls before a command that reads for long. The others keep SQLite's write lock, for which bookings
// would wait as long as such a command waits for the CPU.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
const readsForLong = ['audit', 'backup', 'export'].includes(process.argv[2] ?? '');
try {
  if (readsForLong && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
} catch {
  // A sandbox forbids it.
}

// `| head` closes the pipe once it has read enough: that is not an error, and nothing reads the rest.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

import('./commands/this-process.ts').then(({ runTpws }) => runTpws());
