interface Elsewhere {
  readonly file: string;
  /** Words of the test, or of its suite. */
  readonly test: string;
}

/** The entries whose faults other suites cause. */
export const FOLLOWED_ELSEWHERE: Readonly<Record<string, Elsewhere>> = {
  TPWebServicesReplicaGone: {
    file: 'test/nights/alarms/alarm-cases.ts',
    test: 'TPWebServicesReplicaGone: {',
  },
  TPWebServicesDropsLogLines: {
    file: 'test/unit/log/unread-log.test.ts',
    test: 'A log in a full pipe that nobody reads',
  },
  'The schema is not as its version creates it': {
    file: 'test/unit/commands/tampered-schema.test.ts',
    test: 'A database file whose schema somebody has changed',
  },
  'PostgreSQL cannot be used': {
    file: 'test/databases/store/postgres/unusable-database.test.ts',
    test: 'ends with one sentence, so that its supervisor starts it again',
  },
  'The synchronous standby is missing': {
    file: 'test/databases/store/postgres/failover.test.ts',
    test: 'keep the reads going and open no more connections while the standby is away',
  },
  'New rows get numbers that others have': {
    file: 'test/databases/store/postgres/own-path.test.ts',
    test: 'are reported by the doctor if they are behind the rows',
  },
  'The PostgreSQL primary has failed': {
    file: 'test/databases/store/postgres/failover.test.ts',
    test: 'lose nothing that was acknowledged when the primary is killed',
  },
};
