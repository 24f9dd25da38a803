import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type Database from 'better-sqlite3'

const JOURNAL = fileURLToPath(new URL('../migrations/meta/_journal.json', import.meta.url))

/** Compares a database file with this version's schema; `empty` before the first start. */
export type SchemaAge = 'empty' | 'older' | 'same' | 'later'

export function schemaAge(sqlite: Database.Database): SchemaAge {
  if (!sqlite.prepare("select 1 from sqlite_master where name = '__drizzle_migrations'").get()) return 'empty'
  const made = sqlite.prepare('select max(created_at) from __drizzle_migrations').pluck().get() as number | null
  if (made === null) return 'empty'
  const { entries } = JSON.parse(readFileSync(JOURNAL, 'utf8')) as { entries: { when: number }[] }
  const ours = Math.max(...entries.map(({ when }) => when))
  return made === ours ? 'same' : made < ours ? 'older' : 'later'
}
