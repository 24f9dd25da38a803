import { prepareZXingModule, purgeZXingModule, type ZXingReaderOptions, type ZXingReadResult } from 'zxing-wasm/reader'
import { cornersInFrame, type Luma, type View, whole } from './luma.ts'
import { isTicketText, type Reading, type ReadPicture } from './reading.ts'
import { WASM_VARIANTS } from './variants.ts'

/** How many codes to look for in one picture: enough for a sheet of tickets, while many posters cannot slow a frame down. */
const CODES_MOST = 4

const OPTIONS: ZXingReaderOptions = {
  formats: 'QRCodeModel2',
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  tryDownscale: true,
  tryDenoise: false,
  binarizer: 0,
  isPure: false,
  downscaleFactor: 3,
  downscaleThreshold: 500,
  minLineCount: 2,
  maxNumberOfSymbols: CODES_MOST,
  validateOptionalChecksum: false,
  returnErrors: false,
  eanAddOnSymbol: 0,
  textMode: 0,
  characterSet: 0,
  tryCode39ExtendedMode: false,
}

/**
 * The module's own functions rather than the package's `readBarcodes`: that one wants RGBA, which quadruples what is
 * copied, and never frees the result list, which over an evening of 30 frames a second is a leak.
 */
interface Module {
  HEAPU8: Uint8Array
  _malloc(bytes: number): number
  _free(pointer: number): void
  readBarcodesFromPixmap(pointer: number, width: number, height: number, options: ZXingReaderOptions): Results
}
interface Results {
  size(): number
  get(index: number): ZXingReadResult | undefined
  delete(): void
}

/** Where the .wasm comes from: its address in a browser, its bytes in Node. */
export type WasmSource = { url: string } | { bytes: ArrayBuffer }

export type WasmRead = (luma: Luma, options?: Partial<ZXingReaderOptions>) => Reading[]

function readingOf({ text, position }: ZXingReadResult): Reading {
  const { topLeft, topRight, bottomRight, bottomLeft } = position
  return { text, corners: [topLeft, topRight, bottomRight, bottomLeft] }
}

/** Loads zxing-cpp. Rejects if WebAssembly is off or the file cannot be loaded. */
export async function loadWasm(source: WasmSource): Promise<WasmRead> {
  const overrides = 'url' in source ? { locateFile: () => source.url } : { wasmBinary: source.bytes }
  // A fresh instance for each load: after a trap the old memory cannot be trusted.
  purgeZXingModule()
  const module = (await prepareZXingModule({ overrides, fireImmediately: true })) as unknown as Module
  let room = { pointer: 0, bytes: 0 }
  const placeFor = (bytes: number) => {
    if (bytes > room.bytes) {
      module._free(room.pointer)
      room = { pointer: module._malloc(bytes), bytes }
      if (room.pointer === 0) throw new Error(`No memory for ${bytes} bytes of picture`)
    }
    return room.pointer
  }
  return ({ width, height, data }, options) => {
    const pointer = placeFor(data.length)
    module.HEAPU8.set(data, pointer)
    const results = module.readBarcodesFromPixmap(pointer, width, height, { ...OPTIONS, ...options })
    try {
      return Array.from({ length: results.size() }, (_, i) => results.get(i)).flatMap((result) =>
        result?.isValid ? [readingOf(result)] : [],
      )
    } finally {
      results.delete()
    }
  }
}

const inFrame = (readings: readonly Reading[], view: View): Reading[] =>
  readings.map(({ text, corners }) => ({ text, ...(corners && { corners: cornersInFrame(corners, view) }) }))

/** The picture as it is and, if that shows no ticket, one more variant: a different one for each frame. */
export function readWithVariants(read: WasmRead): ReadPicture {
  return async (picture, turn) => {
    const view = whole(await picture.luma())
    const plain = read(view.luma)
    if (plain.some(({ text }) => isTicketText(text))) return plain
    const variant = WASM_VARIANTS[turn % WASM_VARIANTS.length]
    if (!variant) return plain
    const other = variant.of(view)
    return [...plain, ...inFrame(read(other.luma, variant.options), other)]
  }
}
