import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { BinaryBitmap, Exception, HybridBinarizer, QRCodeReader, RGBLuminanceSource } from '@zxing/library'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { createLadder, type Ladder } from '../src/scanner/decode/ladder.ts'
import { readWithLibrary } from '../src/scanner/decode/libraryRung.ts'
import type { Picture, ReadPicture } from '../src/scanner/decode/reading.ts'
import { loadWasm, readWithLooks, type WasmSource } from '../src/scanner/decode/wasmRung.ts'
import type { Luma } from './corpus/frame.ts'

/** Reads the codes of one frame; the same reader is given the scene's later frames one after the other. */
export type Reader = (frame: Luma) => Promise<readonly string[]>

async function wasmBytes(): Promise<WasmSource> {
  const file = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
  return { bytes: file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer }
}

/** The floor: @zxing/library as its manual has it. */
export const plainLibrary = (): Reader => async (frame) => {
  try {
    const source = new RGBLuminanceSource(frame.data, frame.width, frame.height)
    return [new QRCodeReader().decode(new BinaryBitmap(new HybridBinarizer(source))).getText()]
  } catch (error) {
    if (error instanceof Exception) return []
    throw error
  }
}

function rgbaOf({ width, height, data }: Luma): ImageData {
  const rgba = new Uint8ClampedArray(width * height * 4)
  const pixels = new Uint32Array(rgba.buffer)
  for (let i = 0; i < data.length; i++) pixels[i] = (data[i] ?? 0) * 0x01_01_01
  return { width, height, data: rgba, colorSpace: 'srgb' } as ImageData
}

/** The peer: zxing-wasm by its own call and its own defaults, looking for QR codes; any of its results counts. */
export async function plainWasm(): Promise<() => Reader> {
  const source = await wasmBytes()
  const overrides = 'bytes' in source ? { wasmBinary: source.bytes } : {}
  prepareZXingModule({ overrides })
  return () => async (frame) => (await readBarcodes(rgbaOf(frame), { formats: ['QRCode'] })).map(({ text }) => text)
}

const ladderOf = (name: 'wasm' | 'library', read: ReadPicture): Ladder =>
  createLadder({ rungs: [{ name, isDoubted: false, load: async () => read }], now: () => performance.now() })

const pictureOf = (frame: Luma): Picture => ({ ...frame, source: null, luma: async () => frame })

const climbing =
  (ladder: Ladder): Reader =>
  async (frame) => {
    const decoded = await ladder.read(pictureOf(frame))
    return decoded ? [decoded.text] : []
  }

const readWithWasm = async (): Promise<ReadPicture> => readWithLooks(await loadWasm(await wasmBytes()))

/** The scanner's own ladder where there is no native detector. */
export async function ladderWithoutNative(): Promise<() => Reader> {
  const read = await readWithWasm()
  return () => climbing(ladderOf('wasm', read))
}

/** Its looks at a picture one after the other. Every reading counts, as a ticket's does: other codes must be read twice. */
export async function looksOfWasm(): Promise<() => Reader> {
  const read = await readWithWasm()
  return () => {
    let turn = 0
    return async (frame) => {
      const readings = await read(pictureOf(frame), turn)
      turn += 1
      return readings.map(({ text }) => text)
    }
  }
}

/** The scanner's own ladder where WebAssembly is off as well. */
export const ladderWithoutWasm = (): Reader => climbing(ladderOf('library', readWithLibrary))
