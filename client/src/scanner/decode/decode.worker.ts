/// <reference lib="webworker" />
import { createLadder, type Ladder } from './ladder.ts'
import { canDraw, pictureOf, release } from './luma.ts'
import { nativeRung } from './nativeRung.ts'
import type { FromWorker, NativeSource, Rung, RungName, ToWorker } from './reading.ts'
import { wasmSource } from './wasmSource.ts'

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
      const { loadWasm, readWithVariants } = await import('./wasmRung.ts')
      return readWithVariants(await loadWasm(wasmSource()))
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
    say({ type: 'read', id, decoded: (await ladder?.read(pictureOf(frame))) ?? null })
  } finally {
    release(frame)
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  void (data.type === 'start' ? start(data.given) : read(data))
})
// An error no rung caught: the page ends this worker and starts another.
self.addEventListener('unhandledrejection', ({ reason }) => {
  throw reason
})
