#!/usr/bin/env bash
# Version: postal-mime 4.0.0, mailparser 3.14.2
# What: A bank sends one statement twice, in base64 and, as its lines are short, in 7bit. One would expect the same attachment, byte
#   by byte, so that a hash shows that it was read before. mailparser gives that. postal-mime's content is the file in base64
#   only: from 7bit, 8bit and quoted-printable it makes LF of the file's CRLF and adds an LF at the end, in binary types and in
#   a mail attached as well, though the newline before a boundary belongs to the boundary (RFC 2046). A CRLF that
#   quoted-printable spells out, =0D=0A, stays.
# Source: github.com/postalsys/postal-mime, src/pass-through-decoder.ts and src/qp-decoder.ts
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund postal-mime@4.0.0 mailparser@3.14.2
cat > look.mjs <<'JS'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'

const file = 'Date,Amount\r\n17/10/2026,500.00'
const mail = 'Subject: Credited\r\n\r\n500.00'
const withLf = (text) => `${text.replaceAll('\r\n', '\n')}\n`
const cases = ['text/csv', 'application/octet-stream'].flatMap((type) => [
  [type, 'base64', Buffer.from(file).toString('base64'), file, file],
  [type, '7bit', file, file, withLf(file)],
  [type, '8bit', file, file, withLf(file)],
  [type, 'quoted-printable', file, file, withLf(file)],
  [type, 'quoted-printable', file.replace('\r\n', '=0D=0A'), file, `${file}\n`],
])
const write = (type, encoding, text) =>
  [
    'Content-Type: multipart/mixed; boundary=cut',
    '',
    '--cut',
    `Content-Type: ${type}`,
    'Content-Disposition: attachment; filename=statement',
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    text,
    '--cut--',
    '',
  ].join('\r\n')
let asSeen = true
for (const [type, encoding, text, whole, expected] of [...cases, ['message/rfc822', '7bit', mail, mail, withLf(mail)]]) {
  const source = write(type, encoding, text)
  const { attachments: [byPostalMime] } = await PostalMime.parse(source)
  const { attachments: [byMailparser] } = await simpleParser(source)
  const [found, other] = [byPostalMime, byMailparser].map(({ content }) => Buffer.from(content).toString())
  console.log(`${type}, ${encoding}: postal-mime ${JSON.stringify(found)}, mailparser ${JSON.stringify(other)}`)
  asSeen &&= found === expected && other === whole
}
if (!asSeen) console.log('One of the two gives the file otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node look.mjs
