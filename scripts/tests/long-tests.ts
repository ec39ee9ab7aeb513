/** Tests that `npm test` leaves out because they take most of the time, and what they are about. `npm run ci -- tests` runs everything. */
export const LONG_TESTS: readonly { readonly what: string; readonly files: readonly string[] }[] = [
  { what: 'attacks and load', files: ['test/faults/**'] },
  { what: 'random requests and histories', files: ['test/fuzz/fuzz.test.ts', 'test/model/**'] },
  { what: 'programs of the guides and a hospital that moves', files: ['test/guides/**'] },
  {
    what: 'services and commands as processes of their own',
    files: [
      'test/main.test.ts',
      'test/commands/tpws.test.ts',
      'test/commands/hash-secret.test.ts',
      'test/commands/smoke.test.ts',
      'test/commands/import-beside-service.test.ts',
      'test/commands/rehearse/rehearse-command.test.ts',
      'test/commands/rehearse/resets.test.ts',
    ],
  },
];
