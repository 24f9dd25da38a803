#!/usr/bin/env bash
# Version: mailparser 3.14.2, postal-mime 4.0.0
# What: A bank's mail says Date: Sat, 17 Oct 2026 19:00:00 IST. RFC 5322 still has readers take such a zone of letters, as -0000.
#   One would expect 19:00 in some zone, or no date. mailparser knows EST, and for IST gives the moment at which it reads the
#   mail: new Date(), in `date` and in headers.get('date'), a valid Date like any other, and a different one at each reading. So
#   an old payment looks like one of just now. Only a mail without a Date line has no `date`. postal-mime, whose `date` is ISO
#   text, gives the line's own text. With +0530, or +0530 (IST), both are right.
# Source: github.com/nodemailer/mailparser, issue 305 and the case 'date' in dist/esm/mail-parser.js of the package
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund mailparser@3.14.2 postal-mime@4.0.0
cat > look.mjs <<'JS'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'

const read = async (line) => {
  const mail = `${line}Subject: Credited\r\n\r\n500.00\r\n`
  const start = Date.now()
  const { date, headers } = await simpleParser(mail)
  const end = Date.now()
  const show = (value) => (value >= start && value <= end ? 'now' : value?.toISOString())
  const { date: text } = await PostalMime.parse(mail)
  return `mailparser ${show(date)} ${show(headers.get('date'))}; postal-mime ${text}`
}
const instant = (time) => `mailparser ${time} ${time}; postal-mime ${time}`
const seen = {
  'Date: Sat, 17 Oct 2026 19:00:00 IST\r\n': 'mailparser now now; postal-mime Sat, 17 Oct 2026 19:00:00 IST',
  'Date: Sat, 17 Oct 2026 19:00:00 EST\r\n': instant('2026-10-18T00:00:00.000Z'),
  'Date: Sat, 17 Oct 2026 19:00:00 +0530\r\n': instant('2026-10-17T13:30:00.000Z'),
  'Date: Sat, 17 Oct 2026 19:00:00 +0530 (IST)\r\n': instant('2026-10-17T13:30:00.000Z'),
  '': 'mailparser undefined undefined; postal-mime undefined',
}
let asSeen = true
for (const [line, expected] of Object.entries(seen)) {
  const found = await read(line)
  console.log(`${line.trim() || 'no Date'}: ${found}`)
  asSeen &&= found === expected
}
if (!asSeen) console.log('One of the two reads the date otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node look.mjs
