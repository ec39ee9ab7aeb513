/** Tests that `npm test` leaves out because they take most of the time, and what they are about. `npm run ci -- tests` runs everything. */
export const LONG_TESTS: readonly { readonly what: string; readonly files: readonly string[] }[] = [
  { what: 'attacks and load', files: ['test/databases/faults/**'] },
  { what: 'random requests and histories', files: ['test/nights/fuzz/fuzz.test.ts', 'test/wire/model/**'] },
  { what: 'programs of the guides and a hospital that moves', files: ['test/clients/guides/**'] },
  {
    what: 'services and commands as processes of their own',
    files: [
      'test/unit/main.test.ts',
      'test/unit/commands/tpws.test.ts',
      'test/unit/commands/completion.test.ts',
      'test/unit/commands/hash-secret.test.ts',
      'test/unit/commands/smoke.test.ts',
      'test/unit/commands/import-beside-service.test.ts',
      'test/unit/commands/rehearse/rehearse-command.test.ts',
      'test/unit/commands/rehearse/resets.test.ts',
    ],
  },
];
