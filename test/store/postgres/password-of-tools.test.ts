import { expect } from 'chai';
import { withoutPassword } from '../../../src/store/postgres/postgres-backup.ts';

describe('What pg_dump and pg_restore are called with', () => {
  it('has no password, wherever DATABASE_URL has it: that goes by the environment', () => {
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
