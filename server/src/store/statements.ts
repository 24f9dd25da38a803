import type Database from 'better-sqlite3'

/** More than the queries of all flows; only lists of varying length make more texts than that. */
const KEPT = 300

/**
 * Makes a database compile each SQL text once. Drizzle asks anew for every query, and compiling took two fifths of a
 * sale's time. Safe because every query is read to its end before the next begins: better-sqlite3 is synchronous.
 */
export function keepStatements(sqlite: Database.Database): void {
  const compile = sqlite.prepare.bind(sqlite)
  const kept = new Map<string, Database.Statement>()
  const prepare = (source: string): Database.Statement => {
    const known = kept.get(source)
    if (known) return known.reader ? known.raw(false) : known
    const statement = compile(source)
    const [oldest] = kept.keys()
    if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(source, statement)
    return statement
  }
  sqlite.prepare = prepare as typeof sqlite.prepare
}
