/// <reference lib="webworker" />

import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { createLadder, type Ladder } from './ladder.ts'
import { buildFramePicture, canDraw, releaseFrame } from './luma.ts'
import type { CodeReading, Corners, FromWorker, NativeSource, Rung, RungName, ToWorker } from './reading.ts'
import type { WasmSource } from './wasmRung.ts'

/** Served from this origin under its hashed name, and therefore in the scanner's precache. */
const wasmSource = (): WasmSource => ({ url: new URL(wasmUrl, self.location.href).href })

/** The part of the Shape Detection API used here, missing in TypeScript's DOM types. */
interface BarcodeDetector {
  detect(
    source: NativeSource,
  ): Promise<readonly { rawValue: string; cornerPoints: readonly { x: number; y: number }[] }[]>
}
interface BarcodeDetectorClass {
  new (options: { formats: readonly string[] }): BarcodeDetector
  getSupportedFormats(): Promise<readonly string[]>
}

function toCorners(points: readonly { x: number; y: number }[]): Corners | undefined {
  const [a, b, c, d] = points
  if (!a || !b || !c || !d) return undefined
  return [
    { x: a.x, y: a.y },
    { x: b.x, y: b.y },
    { x: c.x, y: c.y },
    { x: d.x, y: d.y },
  ]
}

/**
 * The platform's own detector, if it reads QR codes. It is doubted, because on some systems it exists but finds nothing (no
 * system service behind it); what it misses is shown to the next rung.
 */
const nativeRung = (): Rung => ({
  name: 'native',
  isDoubted: true,
  async load() {
    const { BarcodeDetector: Detector } = globalThis as { BarcodeDetector?: BarcodeDetectorClass }
    if (!Detector) throw new Error('no BarcodeDetector here')
    if (!(await Detector.getSupportedFormats()).includes('qr_code'))
      throw new Error('BarcodeDetector knows no QR codes')
    const detector = new Detector({ formats: ['qr_code'] })
    return async ({ source }) => {
      if (!source) throw new Error('no picture a BarcodeDetector takes')
      const found = await detector.detect(source)
      return found
        .filter(({ rawValue }) => rawValue !== '')
        .map(({ rawValue, cornerPoints }): CodeReading => {
          const corners = toCorners(cornerPoints)
          return { text: rawValue, ...(corners && { corners }) }
        })
    }
  },
})

declare const self: DedicatedWorkerGlobalScope

const say = (message: FromWorker) => self.postMessage(message)

/** Loaded only when needed: together they are a megabyte. */
const RUNGS: readonly Rung[] = [
  nativeRung(),
  {
    name: 'wasm',
    isDoubted: false,
    load: async () => {
      if (typeof WebAssembly === 'undefined') throw new Error('WebAssembly is off')
      const { loadWasm, readWithLooks } = await import('./wasmRung.ts')
      return readWithLooks(await loadWasm(wasmSource()))
    },
  },
  { name: 'library', isDoubted: false, load: async () => (await import('./libraryRung.ts')).readWithLibrary },
]

let ladder: Ladder | null = null

async function start(given: { up: readonly RungName[] }) {
  const now = () => performance.now()
  ladder = createLadder({ rungs: RUNGS, given, now, onGivenUp: (rung, why) => say({ type: 'givenUp', rung, why }) })
  try {
    say({ type: 'ready', rung: await ladder.prepare(), takes: canDraw() ? 'frames' : 'pixels' })
  } catch (error) {
    say({ type: 'unable', why: error instanceof Error ? error.message : String(error) })
  }
}

async function read({ id, frame }: { id: number; frame: NativeSource }) {
  try {
    say({ type: 'read', id, decoded: (await ladder?.read(buildFramePicture(frame))) ?? null })
  } finally {
    releaseFrame(frame)
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  void (data.type === 'start' ? start(data.given) : read(data))
})
// The page ends a worker with an error that no rung caught, and starts another.
self.addEventListener('unhandledrejection', ({ reason }) => {
  throw reason
})
