import type { DecodedCode, FromWorker, NativeSource, RungName, Takes, ToWorker } from './reading.ts'

/** A frame unanswered for this long has hung the worker; this allows for loading the next rung (ladder.ts). */
export const FRAME_PATIENCE_MS = 10_000
export const CRASHES_ALLOWED = 2

/** The part of Worker used here, so that the supervision can be tested without a browser. */
export interface WorkerLike {
  postMessage(message: ToWorker, transfer: Transferable[]): void
  terminate(): void
  onmessage: ((event: { data: FromWorker }) => void) | null
  onerror: ((event: { message?: string }) => void) | null
}

export interface DecoderOptions {
  spawn?: () => WorkerLike
  remembered?: Set<RungName>
  onUnable?: (why: string) => void
}

export interface Decoder {
  readonly ready: Promise<RungName>
  takes(): Takes
  /** True while a frame is being read or the worker is starting: a frame taken now would be dropped. */
  isBusy(): boolean
  /**
   * Reads one frame, which is transferred and always closed. Null when nothing in it can be trusted, when another frame is
   * still being read, and when the worker had to be restarted. Never rejects.
   */
  decode(frame: NativeSource): Promise<DecodedCode | null>
  stop(): void
}

const ORDER: readonly RungName[] = ['native', 'wasm', 'library']

const rememberedHere = new Set<RungName>()

const spawnWorker = (): WorkerLike =>
  new Worker(new URL('./decode.worker.ts', import.meta.url), { type: 'module', name: 'decode' }) as WorkerLike

const listTransferables = (frame: NativeSource): Transferable[] => ('data' in frame ? [frame.data.buffer] : [frame])

function close(frame: NativeSource): void {
  if (!('data' in frame)) frame.close()
}

/**
 * Starts the decode worker. A worker that crashes or hangs is replaced; if that happens again with the same rung, its
 * replacement goes without that rung.
 */
export function createDecoder({
  spawn = spawnWorker,
  remembered = rememberedHere,
  onUnable,
}: DecoderOptions = {}): Decoder {
  let isAble!: (rung: RungName) => void
  let isUnable!: (error: Error) => void
  const ready = new Promise<RungName>((resolve, reject) => {
    isAble = resolve
    isUnable = reject
  })
  // Callers that do not await it must not crash the page.
  ready.catch(() => undefined)
  let worker: WorkerLike | null = null
  let isReady = false
  let takes: Takes = 'frames'
  let crashes = 0
  let nextId = 1
  let pending: { id: number; settle: (decoded: DecodedCode | null) => void } | null = null

  function resolvePending(decoded: DecodedCode | null) {
    const { settle: answer } = pending ?? {}
    pending = null
    answer?.(decoded)
  }

  function end() {
    worker?.terminate()
    worker = null
    isReady = false
    resolvePending(null)
  }

  function unable(why: string) {
    end()
    isUnable(new Error(why))
    onUnable?.(why)
  }

  function crashed() {
    const wasReading = isReady
    end()
    crashes += 1
    if (crashes % CRASHES_ALLOWED === 0) {
      const inUse = ORDER.find((rung) => !remembered.has(rung))
      if (!wasReading || !inUse) {
        unable('The decode worker does not start')
        return
      }
      remembered.add(inUse)
    }
    start()
  }

  function receive(message: FromWorker) {
    if (message.type === 'ready') {
      isReady = true
      if (message.takes === 'pixels') takes = 'pixels'
      isAble(message.rung)
    } else if (message.type === 'unable') {
      unable(message.why)
    } else if (message.type === 'givenUp') {
      remembered.add(message.rung)
    } else if (message.id === pending?.id) {
      crashes = 0
      resolvePending(message.decoded)
    }
  }

  function start() {
    let started: WorkerLike
    try {
      started = spawn()
    } catch (error) {
      unable(`The decode worker cannot be created: ${error}`)
      return
    }
    worker = started
    started.onmessage = ({ data }) => {
      if (worker === started) receive(data)
    }
    started.onerror = () => {
      if (worker === started) crashed()
    }
    started.postMessage({ type: 'start', given: { up: [...remembered] } }, [])
  }

  function send(id: number, frame: NativeSource): boolean {
    try {
      worker?.postMessage({ type: 'read', id, frame }, listTransferables(frame))
      return true
    } catch {
      // This browser has the frame's type but cannot transfer it (DataCloneError): from now on pixels are sent.
      takes = 'pixels'
      close(frame)
      return false
    }
  }

  const isBusy = () => worker === null || !isReady || pending !== null
  start()

  return {
    ready,
    takes: () => takes,
    isBusy,
    decode(frame) {
      if (isBusy()) {
        close(frame)
        return Promise.resolve(null)
      }
      const id = nextId++
      if (!send(id, frame)) return Promise.resolve(null)
      return new Promise((resolve) => {
        const timer = setTimeout(crashed, FRAME_PATIENCE_MS)
        pending = {
          id,
          settle: (decoded) => {
            clearTimeout(timer)
            resolve(decoded)
          },
        }
      })
    },
    stop() {
      end()
      isUnable(new Error('The decoder was stopped'))
    },
  }
}
