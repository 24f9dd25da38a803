#!/usr/bin/env bash
# Version: drizzle-orm 0.45.4, better-sqlite3 13.2.0
# What: A statement is prepared once with sql.placeholder() for its values and run for each row, as Drizzle recommends where it
#   matters. One would expect null to be stored as when the same row is inserted without placeholders. It depends on the
#   column: a boolean that nobody has set yet becomes 0, which reads as false; JSON becomes the text "null" (in a blob its four
#   bytes), which `is null` does not find; a time throws a TypeError about getTime; a plain number or text stays null. The
#   column's encoder runs on the placeholder's value, and for a value given directly null is left out before it. An update's
#   set does the same.
# Source: github.com/drizzle-team/drizzle-orm, drizzle-orm/src/sql/sql.ts (fillPlaceholders)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund drizzle-orm@0.45.4 better-sqlite3@13.2.0
cat > look.mjs <<'JS'
import Database from 'better-sqlite3'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const refunds = sqliteTable('refunds', {
  id: text().primaryKey(),
  done: integer({ mode: 'boolean' }),
  answer: text({ mode: 'json' }),
  packed: blob({ mode: 'json' }),
  at: integer({ mode: 'timestamp_ms' }),
  paise: integer(),
})
const sqlite = new Database(':memory:')
sqlite.exec('create table refunds (id text primary key, done integer, answer text, packed blob, at integer, paise integer)')
const db = drizzle({ client: sqlite })
const stored = (id, column) => sqlite.prepare(`select typeof(${column}) || ' ' || coalesce(cast(${column} as text), '') from refunds where id = ?`).pluck().get(id)
const attempt = (work) => {
  try {
    return work()
  } catch (error) {
    return `${error.constructor.name} ${error.message}`
  }
}

const expected = {
  done: 'integer 0',
  answer: 'text null',
  packed: 'blob null',
  at: "TypeError Cannot read properties of null (reading 'getTime')",
  paise: 'null ',
}
let asSeen = true
for (const [column, is] of Object.entries(expected)) {
  const insert = db.insert(refunds).values({ id: sql.placeholder('id'), [column]: sql.placeholder('value') }).prepare()
  const inserted = attempt(() => {
    insert.run({ id: `insert ${column}`, value: null })
    return stored(`insert ${column}`, column)
  })
  db.insert(refunds).values({ id: `update ${column}`, [column]: null }).run()
  const direct = stored(`update ${column}`, column)
  const update = db.update(refunds).set({ [column]: sql.placeholder('value') }).where(eq(refunds.id, `update ${column}`)).prepare()
  const updated = attempt(() => {
    update.run({ value: null })
    return stored(`update ${column}`, column)
  })
  console.log(`${column}: null by placeholder ${inserted}; by an update's ${updated}; given directly ${direct}`)
  asSeen &&= inserted === is && updated === is && direct === 'null '
}
const read = db.select({ done: refunds.done }).from(refunds).where(eq(refunds.id, 'insert done')).get()
console.log(`read back: ${JSON.stringify(read)}`)
asSeen &&= read.done === false
if (!asSeen) console.log('drizzle-orm stores null otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node look.mjs
