import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchRow, computeRatio } from '../../scripts/lib/benchRow.ts'
import type { Luma } from './corpus/frame.ts'
import { looksOfWasm, plainWasm, type Reader } from './readers.ts'

/** As many as `decode` shows frames of each scene. */
const LOOKS = 4

/** Reads a picture in the PGM format with 8 bits (P5). */
function readPgm(file: string): Luma {
  const bytes = readFileSync(file)
  const found = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 64))
  if (!found) throw new Error(`${file} is no PGM picture with 8 bits.`)
  const data = new Uint8ClampedArray(bytes.subarray(found[0].length))
  return { width: Number(found[1]), height: Number(found[2]), data }
}

/** The look that read any code; null when none did. */
async function readAt(read: Reader, photo: Luma): Promise<number | null> {
  for (let turn = 0; turn < LOOKS; turn++) if ((await read(photo)).length > 0) return turn
  return null
}

/**
 * Photographs read by the scanner's decoder and by zxing-wasm alone: `PHOTOS=FOLDER npm run bench -- photos`, where FOLDER has
 * a folder of PGM pictures for each kind. Without PHOTOS it measures nothing.
 */
export default async function photosBench(): Promise<BenchRow[]> {
  const folder = process.env.PHOTOS
  if (folder === undefined) return []
  const [looks, wasm] = [await looksOfWasm(), (await plainWasm())()]
  const counts = { photos: 0, first: 0, hits: 0, peer: 0 }
  const rows: BenchRow[] = []
  for (const kind of readdirSync(folder).sort()) {
    const here = { photos: 0, first: 0, hits: 0, peer: 0 }
    for (const name of readdirSync(join(folder, kind)).sort()) {
      const photo = readPgm(join(folder, kind, name))
      const at = await readAt(looks(), photo)
      here.photos += 1
      if (at === 0) here.first += 1
      if (at !== null) here.hits += 1
      if ((await wasm(photo)).length > 0) here.peer += 1
    }
    for (const key of ['photos', 'first', 'hits', 'peer'] as const) counts[key] += here[key]
    rows.push(rowOf(kind, here))
  }
  return [rowOf('all', counts), ...rows]
}

const rowOf = (
  kind: string,
  { photos, first, hits, peer }: Record<'photos' | 'first' | 'hits' | 'peer', number>,
): BenchRow => ({
  name: `decode: photographs, ${kind}, within ${LOOKS} looks`,
  figure: hits,
  unit: `of ${photos}`,
  comparedWith: `zxing-wasm alone ${peer}`,
  ratio: computeRatio(hits, peer),
  note: `at the first ${first}`,
})
