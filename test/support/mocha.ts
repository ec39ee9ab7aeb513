/** Runs mocha on the files that follow, instead of all tests, and cleans up after them: Node's parameters. */
export const MOCHA = ['node_modules/mocha/bin/mocha.js', '--config', 'test/support/mocharc.json'] as const;
