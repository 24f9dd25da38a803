import { prepareZXingModule, purgeZXingModule, type ZXingReaderOptions, type ZXingReadResult } from 'zxing-wasm/reader'
import { squaresIn } from './corners.ts'
import {
  brightened,
  centre,
  cornersInFrame,
  doubled,
  type Luma,
  localMean,
  MIDDLE,
  sharpened,
  softened,
  type View,
  whole,
} from './luma.ts'
import { type Corners, isTicketText, type Reading, type ReadPicture } from './reading.ts'
import { readAt } from './ticketGrid.ts'

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
  returnErrors: true,
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

/** What was read, and the places of symbols that were found but could not be read. */
interface Seen {
  readings: Reading[]
  unread: Corners[]
}

export type WasmRead = (luma: Luma, options?: Partial<ZXingReaderOptions>) => Seen

const cornersOf = ({ position }: ZXingReadResult): Corners => [
  position.topLeft,
  position.topRight,
  position.bottomRight,
  position.bottomLeft,
]

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
      const seen: Seen = { readings: [], unread: [] }
      for (let i = 0; i < results.size(); i++) {
        const result = results.get(i)
        if (result?.isValid) seen.readings.push({ text: result.text, corners: cornersOf(result) })
        else if (result) seen.unread.push(cornersOf(result))
      }
      return seen
    } finally {
      results.delete()
    }
  }
}

interface WasmVariant {
  name: string
  of(view: View): View
  options: Partial<ZXingReaderOptions>
}

const GLOBAL_HISTOGRAM = 1

/** Other looks at the same frame, chosen by what each adds to the others on the bench's corpus (client/bench/decode.bench.ts). */
const WASM_VARIANTS: readonly WasmVariant[] = [
  {
    // Noise, moire, low light: averaged, and the dark half of the scale spread out.
    name: 'softened and brightened',
    of: (view) => brightened(softened(view, 2)),
    options: {},
  },
  {
    // Small codes and defocus: edges restored, then enough pixels for each module.
    name: 'sharpened middle, doubled',
    of: (view) => doubled(sharpened(centre(view, MIDDLE), { times: 4, gain: 3 })),
    options: {},
  },
  {
    // Defocus in poor light.
    name: 'brightened and sharpened middle, doubled',
    of: (view) => doubled(sharpened(softened(brightened(centre(view, MIDDLE))), { times: 8, gain: 4 })),
    options: {},
  },
  {
    // Screens in the dark; bent paper.
    name: 'brightened, one threshold',
    of: brightened,
    options: { binarizer: GLOBAL_HISTOGRAM },
  },
  {
    // Defocus and moire that leave little difference between neighbours.
    name: 'softened, threshold of the surroundings',
    of: (view) => localMean(softened(view), 0.02),
    options: {},
  },
  {
    // Glare and shadows.
    name: 'threshold of the wide surroundings',
    of: (view) => localMean(view, 0.15),
    options: {},
  },
]

const inFrame = ({ readings, unread }: Seen, view: View): Seen => ({
  readings: readings.map(({ text, corners }) => ({ text, ...(corners && { corners: cornersInFrame(corners, view) }) })),
  unread: unread.map((corners) => cornersInFrame(corners, view)),
})

const hasTicket = (readings: readonly Reading[]) => readings.some(({ text }) => isTicketText(text))

/** Places in WASM_VARIANTS. */
type Looks = readonly number[]

const LOOKS: Looks = [1, 0, 4, 2, 3, 5]
/** Glare hides parts of the code: what a threshold nearby brings out comes first. */
const LOOKS_IN_GLARE: Looks = [5, 0, 4, 1, 3, 2]
/** In the dark the scale is spread out first. */
const LOOKS_IN_THE_DARK: Looks = [0, 2, 3, 1, 4, 5]

const WHITE = 250
const GLARE_SHARE = 0.04
const DARK_MEAN = 50

/** The order of looks for a frame, by every fifth pixel of its middle. */
function looksFor(luma: Luma): Looks {
  let [white, sum, count] = [0, 0, 0]
  const [left, right] = [Math.floor(luma.width * 0.2), Math.floor(luma.width * 0.8)]
  for (let y = Math.floor(luma.height * 0.2); y < luma.height * 0.8; y += 5) {
    for (let x = left; x < right; x += 5) {
      const light = luma.data[y * luma.width + x] ?? 0
      if (light >= WHITE) white += 1
      sum += light
      count += 1
    }
  }
  if (white > GLARE_SHARE * count) return LOOKS_IN_GLARE
  return sum < DARK_MEAN * count ? LOOKS_IN_THE_DARK : LOOKS
}

/**
 * The picture as it is and, if that shows no ticket, a look at the likeliest place for one module by module. Where none
 * lies there for sure, another view of the frame: a different one each time, in an order that suits the frame.
 */
export function readWithVariants(read: WasmRead): ReadPicture {
  return async (picture, turn) => {
    const view = whole(await picture.luma())
    const plain = read(view.luma)
    if (hasTicket(plain.readings)) return plain.readings
    const found = readAt(view.luma, [...plain.unread, ...squaresIn(view.luma, turn)], turn)
    if (found?.reading) return [...plain.readings, found.reading]
    const looks = looksFor(view.luma)
    const variant = WASM_VARIANTS[looks[turn % looks.length] ?? 0]
    if (!variant || found?.isSure) return plain.readings
    const other = variant.of(view)
    const looked = inFrame(read(other.luma, variant.options), other)
    const readings = [...plain.readings, ...looked.readings]
    if (hasTicket(readings)) return readings
    const suspected = readAt(view.luma, looked.unread, turn)
    return suspected?.reading ? [...readings, suspected.reading] : readings
  }
}
