#!/usr/bin/env bash
# Version: nodemailer 10.6.1
# What: One click to leave a mailing list takes two lines (RFC 8058), List-Unsubscribe and List-Unsubscribe-Post. nodemailer's
#   `list` option makes a List- line of any key, and one would expect it to serve both. Each value is taken for an address, though:
#   'unsubscribe-post': 'List-Unsubscribe=One-Click' goes out as <http://List-Unsubscribe=One-Click>, no word of it an error, and
#   a mailbox that looks for the exact text shows no button. Two addresses for `unsubscribe` as an array make two
#   List-Unsubscribe lines; an array within an array makes the one line that the RFC allows. Under `headers` the second line
#   stays as it is.
# Source: github.com/nodemailer/nodemailer, mailer/mail-message (_getListHeaders, _formatListUrl)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund nodemailer@10.6.1
cat > look.mjs <<'JS'
import { createTransport } from 'nodemailer'

const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
const look = async (options) => {
  const mail = { from: 'desk@example.org', to: 'guest@example.org', subject: 'Tickets', text: 'Ready' }
  const { message } = await transport.sendMail({ ...mail, ...options })
  return message.toString().replace(/\r\n /g, ' ').match(/^List-.*(?=\r)/gm)
}
const web = 'https://example.org/leave?guest=1'
const mailbox = 'mailto:leave@example.org'
const post = 'List-Unsubscribe=One-Click'
const seen = [
  [{ list: { unsubscribe: web, 'unsubscribe-post': post } }, `List-Unsubscribe: <${web}>`, `List-Unsubscribe-Post: <http://${post}>`],
  [{ list: { unsubscribe: web }, headers: { 'List-Unsubscribe-Post': post } }, `List-Unsubscribe-Post: ${post}`, `List-Unsubscribe: <${web}>`],
  [{ list: { unsubscribe: [web, mailbox] } }, `List-Unsubscribe: <${web}>`, `List-Unsubscribe: <${mailbox}>`],
  [{ list: { unsubscribe: [[web, mailbox]] } }, `List-Unsubscribe: <${web}>, <${mailbox}>`],
]
let asSeen = true
for (const [options, ...expected] of seen) {
  const lines = await look(options)
  console.log(JSON.stringify(options))
  for (const line of lines) console.log(`  ${line}`)
  asSeen &&= `${lines.sort()}` === `${expected.sort()}`
}
if (!asSeen) console.log('nodemailer writes the lines otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node look.mjs
