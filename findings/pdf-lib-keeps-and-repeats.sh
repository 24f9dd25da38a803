#!/usr/bin/env bash
# Version: pdf-lib 1.17.1
# What: Twenty tickets, a page each, share one emblem of 30 kB. One would expect a file of all of them to hold it once however it is
#   put together, and a page taken out to be gone. copyPages() shares within one call only: with a call for each page the new file
#   holds the emblem twenty times, 600 kB for 30. removePage() takes the page off the list and leaves what was on it: of
#   twenty tickets with a picture each, a file cut down to the first is as large as all, and still holds twenty pictures. A new
#   document with the first page copied holds one. embedPng() twice with the same bytes makes two pictures as well.
# Source: github.com/Hopding/pdf-lib, src/api/PDFDocument.ts (copyPages, removePage), src/core/PDFObjectCopier.ts
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund pdf-lib@1.17.1
cat > look.mjs <<'JS'
import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { PDFDocument, PDFName, PDFRawStream } from 'pdf-lib'

// A PNG of 100 by 100 points in chance colours, which no compression makes smaller.
const makePicture = () => {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const rows = Array.from({ length: 100 }, () => Buffer.concat([Buffer.alloc(1), randomBytes(300)]))
  const head = chunk('IHDR', Buffer.from([0, 0, 0, 100, 0, 0, 0, 100, 8, 2, 0, 0, 0]))
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  return Buffer.concat([signature, head, chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))])
}
const create = async (fill) => {
  const file = await PDFDocument.create()
  await fill(file)
  return PDFDocument.load(await file.save())
}
const copy = (source, ...calls) =>
  create(async (file) => {
    for (const pages of calls) for (const page of await file.copyPages(source, pages)) file.addPage(page)
  })
const describe = async (file) => {
  const isPicture = ([, value]) => value instanceof PDFRawStream && value.dict.get(PDFName.of('Subtype')) === PDFName.of('Image')
  const pictures = file.context.enumerateIndirectObjects().filter(isPicture).length
  return `${file.getPageCount()} pages, ${pictures} pictures, ${Math.round((await file.save()).length / 30_000) * 30} kB`
}
const all = Array.from({ length: 20 }, (_, index) => index)
const shared = await create(async (file) => {
  const picture = await file.embedPng(makePicture())
  for (const _ of all) file.addPage().drawImage(picture)
})
const own = await create(async (file) => {
  for (const _ of all) file.addPage().drawImage(await file.embedPng(makePicture()))
})
const cutDown = await create(async (file) => {
  for (const page of await file.copyPages(own, all)) file.addPage(page)
  for (const _ of all.slice(1)) file.removePage(1)
})
const twice = await create(async (file) => {
  const picture = makePicture()
  for (const _ of [1, 2]) file.addPage().drawImage(await file.embedPng(picture))
})
const seen = [
  ['one emblem', shared, '20 pages, 1 pictures, 30 kB'],
  ['copied in one call', await copy(shared, all), '20 pages, 1 pictures, 30 kB'],
  ['copied page by page', await copy(shared, ...all.map((index) => [index])), '20 pages, 20 pictures, 600 kB'],
  ['a picture each', own, '20 pages, 20 pictures, 600 kB'],
  ['all but the first removed', cutDown, '1 pages, 20 pictures, 600 kB'],
  ['the first copied', await copy(own, [0]), '1 pages, 1 pictures, 30 kB'],
  ['the same bytes embedded twice', twice, '2 pages, 2 pictures, 60 kB'],
]
let asSeen = true
for (const [name, file, expected] of seen) {
  const found = await describe(file)
  console.log(`${name}: ${found}`)
  asSeen &&= found === expected
}
if (!asSeen) console.log('pdf-lib keeps pictures otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node look.mjs
