#!/usr/bin/env bash
# Version: hono 4.13.19 (accepts and language), accept-language-parser 1.5.0, negotiator 1.1.0, @formatjs/intl-localematcher 0.10.1
# What: A site in en, gu and hi reads Accept-Language. A phone set to English (India) that also has Gujarati sends
#   en-IN,gu;q=0.9. One would expect English: RFC 4647 looks for en where there is no en-IN. Hono's accepts() and
#   accept-language-parser's pick() compare whole tags, pass over en-IN and answer in Gujarati. To a phone in Gujarati that
#   sends gu-IN alone, accepts() answers in English and pick() with null. Hono's own languageDetector, negotiator and formatjs
#   find the language; pick() does with loose: true. So two helpers of one framework give one phone two languages.
# Source: github.com/honojs/hono, src/helper/accepts/accepts.ts and src/middleware/language; RFC 4647, section 3.4
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund hono@4.13.19 accept-language-parser@1.5.0 negotiator@1.1.0 @formatjs/intl-localematcher@0.10.1
cat > look.mjs <<'JS'
import { match } from '@formatjs/intl-localematcher'
import parser from 'accept-language-parser'
import { Hono } from 'hono'
import { accepts } from 'hono/accepts'
import { languageDetector } from 'hono/language'
import Negotiator from 'negotiator'
const site = ['en', 'gu', 'hi']
const app = new Hono()
app.use(languageDetector({ supportedLanguages: site, fallbackLanguage: 'en' }))
app.get('/', (c) => c.text(`accepts ${accepts(c, { header: 'Accept-Language', supports: site, default: 'en' })}, languageDetector ${c.get('language')}`))
for (const sent of ['en-IN,gu;q=0.9', 'gu-IN', 'hi-IN,en;q=0.5', 'gu-IN,gu;q=0.9,en;q=0.8']) {
  const hono = await (await app.request('/', { headers: { 'accept-language': sent } })).text()
  const others = [
    `pick ${parser.pick(site, sent)}`,
    `loose ${parser.pick(site, sent, { loose: true })}`,
    `negotiator ${new Negotiator({ headers: { 'accept-language': sent } }).language(site)}`,
    `formatjs ${match(sent.split(',').map((part) => part.split(';')[0]), site, 'en')}`,
  ]
  console.log(`${sent}: ${hono}, ${others.join(', ')}`)
}
JS
found=$(node look.mjs)
echo "$found"
expected='en-IN,gu;q=0.9: accepts gu, languageDetector en, pick gu, loose en, negotiator en, formatjs en
gu-IN: accepts en, languageDetector gu, pick null, loose gu, negotiator gu, formatjs gu
hi-IN,en;q=0.5: accepts en, languageDetector hi, pick en, loose hi, negotiator hi, formatjs hi
gu-IN,gu;q=0.9,en;q=0.8: accepts gu, languageDetector gu, pick gu, loose gu, negotiator gu, formatjs gu'
[ "$found" = "$expected" ] || { echo 'They choose other languages than they did.'; exit 1; }
