#!/usr/bin/env node
// The program for operators: `npx tpws import doctors.csv` in a clone, `tpws …` where it is on the path. In JavaScript, so that an older Node
// prints a sentence instead of an error about `.ts`: see require-node.js.
import './service/require-node.js';

// `| head` closes the pipe once it has read enough: that is not an error, and nothing reads the rest.
process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`Standard output cannot be written: ${error.message}\n`);
  process.exit(1);
});

import('./commands/this-process.ts').then(({ runTpws }) => runTpws());
