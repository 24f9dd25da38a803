import { prepareZXingModule, purgeZXingModule, type ZXingReaderOptions, type ZXingReadResult } from 'zxing-wasm/reader'
import { clearAroundCode, squaresIn } from './corners.ts'
import {
  cornersInFrame,
  cropCentre,
  doubleView,
  halveView,
  type Luma,
  localMean,
  MIDDLE,
  MOST,
  sharpenView,
  softenView,
  toneView,
  toView,
  type View,
} from './luma.ts'
import { type CodeReading, type Corners, isTicketText, type ReadPicture } from './reading.ts'
import { readAt } from './ticketGrid.ts'

/** How many codes to look for in one picture: enough for a sheet of tickets, while many posters cannot slow a frame down. */
const CODES_MOST = 16

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
 * The module's own functions, because the package's `readBarcodes` needs RGBA, which is four times the data, and never frees its
 * result list, which leaks at 30 frames a second all evening.
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

export type WasmSource = { url: string } | { bytes: ArrayBuffer }

interface Seen {
  readings: CodeReading[]
  unread: Corners[]
}

export type WasmRead = (luma: Luma, options?: Partial<ZXingReaderOptions>) => Seen

const toCorners = ({ position }: ZXingReadResult): Corners => [
  position.topLeft,
  position.topRight,
  position.bottomRight,
  position.bottomLeft,
]

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
        if (result?.isValid) seen.readings.push({ text: result.text, corners: toCorners(result) })
        else if (result) seen.unread.push(toCorners(result))
      }
      return seen
    } finally {
      results.delete()
    }
  }
}

interface ViewVariant {
  of(view: View): View
  options: Partial<ZXingReaderOptions>
}

const GLOBAL_HISTOGRAM = 1
/** Also closes gaps in dark and light. */
const CLOSED = { tryDenoise: true }

/**
 * Other looks at the same frame, a pair for each frame in which nothing was read: a costly look and a quick look. Pairs
 * and order are what reads most of the photographs and scenes of the benches (client/bench/photos.bench.ts,
 * decode.bench.ts).
 */
const LOOKS: readonly (readonly [ViewVariant, ViewVariant])[] = [
  [
    // Small codes and defocus: edges restored, then enough pixels for each module.
    { of: (view) => doubleView(sharpenView(cropCentre(view, MIDDLE), { times: 4, gain: 3 })), options: {} },
    // Screens in the dark; bent paper.
    { of: (view) => toneView(view, 0.5), options: { binarizer: GLOBAL_HISTOGRAM } },
  ],
  [
    // Defocus and moire that leave little difference between neighbours.
    { of: (view) => localMean(softenView(view), 0.02), options: {} },
    // Shadows.
    { of: (view) => toneView(view, 0.4), options: CLOSED },
  ],
  [
    // Spots of light, dirt and scratches.
    { of: (view) => localMean(view, 0.05), options: CLOSED },
    // Glare.
    { of: (view) => toneView(view, 3), options: CLOSED },
  ],
  [
    // Small codes beside the middle.
    { of: (view) => doubleView(cropCentre(view, MOST)), options: {} },
    // Coarse codes with damage.
    { of: (view) => localMean(halveView(view), 0.05), options: CLOSED },
  ],
]

const inFrame = ({ readings, unread }: Seen, view: View): Seen => ({
  readings: readings.map(({ text, corners }) => ({ text, ...(corners && { corners: cornersInFrame(corners, view) }) })),
  unread: unread.map((corners) => cornersInFrame(corners, view)),
})

const hasTicket = (readings: readonly CodeReading[]) => readings.some(({ text }) => isTicketText(text))

/**
 * Reads the picture as it is. If that shows no ticket, reads the likeliest place of a ticket module by module. Unless a
 * ticket certainly lies there, reads two other views of the frame, different views each time.
 */
export function readWithLooks(read: WasmRead): ReadPicture {
  return async (picture, turn) => {
    const view = toView(await picture.luma())
    const plain = read(view.luma)
    if (hasTicket(plain.readings)) return plain.readings
    const found = readAt(view.luma, [...plain.unread, ...squaresIn(view.luma, turn)], turn)
    if (found?.reading) return [...plain.readings, found.reading]
    const readings = [...plain.readings]
    if (found?.isSure) return readings
    for (const variant of LOOKS[turn % LOOKS.length] ?? []) {
      const other = variant.of(view)
      const looked = inFrame(read(other.luma, variant.options), other)
      readings.push(...looked.readings)
      if (hasTicket(readings)) return readings
      const suspected = readAt(view.luma, looked.unread, turn)
      if (suspected?.reading) return [...readings, suspected.reading]
    }
    if (turn % 2 === 1) return readings
    // Last, so that it can take no reading from the others.
    const cleared = clearAroundCode(view.luma)
    return cleared ? [...readings, ...read(cleared).readings] : readings
  }
}
