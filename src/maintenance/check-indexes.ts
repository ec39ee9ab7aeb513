import type Database from 'better-sqlite3';

/** How to sum up the entries of each index in SQL, and which rows have one. */
const INDEXES = `SELECT name, tbl_name AS "table", coalesce(substr(sql, nullif(instr(sql, ' WHERE '), 0)), ' WHERE TRUE') AS condition,
  (SELECT 'sum(fingerprint(rowid, ' || group_concat('"' || name || '"') || '))' FROM pragma_index_info(entry.name)) AS entries
  FROM sqlite_schema AS entry WHERE type = 'index'`;

type Index = Readonly<Record<'name' | 'table' | 'condition' | 'entries', string>>;

/** FNV-1a of the values as text. It has 21 bits, so that the sum for billions of rows is exact. */
function fingerprint(...values: readonly unknown[]): number {
  const text = values.join();
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 11;
}

/**
 * Answers `ok`, as SQLite's own checks do, if the entries of each index are those of its table, or else which one's are not. Reads each of
 * them once, from beginning to end. SQLite's integrity_check looks up every row in every index, for hours if they do not fit into memory.
 */
export function checkIndexes(database: Database.Database): string {
  database.function('fingerprint', { varargs: true }, fingerprint);
  const byTable = Map.groupBy(database.prepare<[], Index>(INDEXES).all(), ({ table }) => table);
  for (const [table, indexes] of byTable) {
    const read = (what: string, how: string) =>
      database.prepare<[], unknown[]>(`SELECT ${what} FROM "${table}" ${how}`).raw().get() ?? [];
    const expected = read(indexes.map((one) => `${one.entries} FILTER (${one.condition})`).join(), 'NOT INDEXED');
    const wrong = indexes.find(
      ({ name, condition, entries }, n) => read(entries, `INDEXED BY "${name}" ${condition}`)[0] !== expected[n],
    );
    if (wrong !== undefined) return `${wrong.name} does not match its table`;
  }
  return 'ok';
}
