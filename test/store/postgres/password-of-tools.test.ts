import { expect } from 'chai';
import { withoutPassword } from '../../../src/store/postgres/postgres-backup.ts';

describe('The command line of pg_dump and pg_restore', () => {
  it('has no password, wherever it is in DATABASE_URL: it is passed in the environment', () => {
    const connection = 'postgres://hospital@db.example.org:5432/tpws?sslmode=verify-full';
    for (const url of [
      'postgres://hospital:p%40ss@db.example.org:5432/tpws?sslmode=verify-full',
      'postgres://hospital@db.example.org:5432/tpws?password=p%40ss&sslmode=verify-full',
      'postgres://hospital:other@db.example.org:5432/tpws?sslmode=verify-full&uselibpqcompat=true&password=p%40ss',
    ]) {
      expect(withoutPassword(url), url).to.deep.equal({ connection, secrets: { PGPASSWORD: 'p@ss' } });
    }
    expect(withoutPassword(connection)).to.deep.equal({ connection, secrets: {} });
  });
});
