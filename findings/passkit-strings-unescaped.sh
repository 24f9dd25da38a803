#!/usr/bin/env bash
# Version: passkit-generator 3.6.1, fflate 0.8.2
# What: A wallet pass's words in a second language go through pass.localize('gu', { ... }) into gu.lproj/pass.strings, a file of
#   "key" = "value"; lines in which Apple asks for a backslash before a quote or a backslash. One would expect the library to
#   put it there. passkit-generator writes keys and values as they are: an organiser's name in quotes ends its own string early,
#   and the rest of the line is no longer in the file's form. Neither localize nor getAsBuffer says anything.
# Source: github.com/alexandercerutti/passkit-generator, src/StringsUtils.ts
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund passkit-generator@3.6.1 fflate@0.8.2
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem -days 2 -subj '/CN=A pass' 2>/dev/null
cat > look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { strFromU8, unzipSync } from 'fflate'
import { PKPass } from 'passkit-generator'

const certificate = readFileSync('certificate.pem')
const icon = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const pass = new PKPass(
  { 'icon.png': icon },
  { wwdr: certificate, signerCert: certificate, signerKey: readFileSync('key.pem') },
  { passTypeIdentifier: 'pass.test', teamIdentifier: 'TEST', serialNumber: '1', organizationName: 'Test', description: 'Ticket' },
)
pass.type = 'eventTicket'
pass.localize('gu', { HOST: 'મંડળ "રાસ"', PATH: 'A\\B' })
const strings = strFromU8(unzipSync(pass.getAsBuffer())['gu.lproj/pass.strings'])
console.log(strings)
const isSeen = strings.includes('"HOST" = "મંડળ "રાસ"";') && strings.includes('"PATH" = "A\\B";')
if (!isSeen) console.log('passkit-generator writes quotes otherwise than it did.')
process.exit(isSeen ? 0 : 1)
JS
node look.mjs
