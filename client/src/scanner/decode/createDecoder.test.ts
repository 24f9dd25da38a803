import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CRASHES_ALLOWED, createDecoder, FRAME_PATIENCE_MS, type WorkerLike } from './createDecoder.ts'
import type { DecodedCode, FromWorker, RungName, ToWorker } from './reading.ts'

/** A worker that the test controls. */
class Thread implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null
  onerror: WorkerLike['onerror'] = null
  readonly received: ToWorker[] = []
  readonly transferred: Transferable[] = []
  isEnded = false

  postMessage(message: ToWorker, transfer: Transferable[]) {
    this.received.push(message)
    this.transferred.push(...transfer)
  }
  terminate() {
    this.isEnded = true
  }
  say(message: FromWorker) {
    this.onmessage?.({ data: message })
  }
  get lastRead() {
    const read = this.received.findLast((message) => message.type === 'read')
    return read?.type === 'read' ? read.id : 0
  }
}

const frame = () => ({ data: new Uint8ClampedArray(4), width: 1, height: 1, colorSpace: 'srgb' }) as ImageData
const decoded: DecodedCode = { text: 'GR1:', rung: 'wasm', ms: 3 }

function begin(remembered = new Set<RungName>(), onUnable?: (why: string) => void) {
  const threads: Thread[] = []
  const spawn = () => {
    const thread = new Thread()
    threads.push(thread)
    return thread
  }
  const decoder = createDecoder({ spawn, remembered, ...(onUnable && { onUnable }) })
  const last = () => threads.at(-1) ?? new Thread()
  const ready = () => last().say({ type: 'ready', rung: 'wasm', takes: 'frames' })
  return { decoder, threads, last, ready, remembered }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the decode worker', () => {
  test('a browser that cannot create it can read no codes, and says why', async () => {
    const decoder = createDecoder({
      spawn: () => {
        throw new DOMException('No workers here', 'SecurityError')
      },
    })
    await expect(decoder.ready).rejects.toThrow('cannot be created')
    expect(decoder.isBusy()).toBe(true)
  })

  test('a frame is handed over, not copied, and its answer comes back', async () => {
    const { decoder, last, ready } = begin()
    ready()
    await expect(decoder.ready).resolves.toBe('wasm')
    const picture = frame()
    const answer = decoder.decode(picture)
    expect(last().transferred).toEqual([picture.data.buffer])
    last().say({ type: 'read', id: last().lastRead, decoded })
    expect(await answer).toBe(decoded)
  })

  test('one frame at a time: what comes meanwhile is closed and dropped', async () => {
    const { decoder, last, ready } = begin()
    ready()
    const first = decoder.decode(frame())
    expect(decoder.isBusy()).toBe(true)
    const close = vi.fn()
    expect(await decoder.decode({ close } as unknown as VideoFrame)).toBeNull()
    expect(close).toHaveBeenCalledOnce()
    last().say({ type: 'read', id: last().lastRead, decoded: null })
    expect(await first).toBeNull()
    expect(decoder.isBusy()).toBe(false)
  })

  test('frames before the worker is ready are dropped', async () => {
    const { decoder, last } = begin()
    expect(await decoder.decode(frame())).toBeNull()
    expect(last().received.map(({ type }) => type)).toEqual(['start'])
  })

  test('a crash is survived: the frame is given up, another worker starts', async () => {
    const { decoder, threads, last, ready } = begin()
    ready()
    const answer = decoder.decode(frame())
    threads[0]?.onerror?.({ message: 'unreachable executed' })
    expect(await answer).toBeNull()
    expect(threads).toHaveLength(2)
    expect(threads[0]?.isEnded).toBe(true)
    ready()
    const next = decoder.decode(frame())
    last().say({ type: 'read', id: last().lastRead, decoded })
    expect(await next).toBe(decoded)
  })

  test('a worker that hangs is ended', async () => {
    const { decoder, threads, ready } = begin()
    ready()
    const answer = decoder.decode(frame())
    vi.advanceTimersByTime(FRAME_PATIENCE_MS)
    expect(await answer).toBeNull()
    expect(threads[0]?.isEnded).toBe(true)
    expect(threads).toHaveLength(2)
  })

  test('repeated crashes give up the current rung, and the next worker starts without it', () => {
    const { last, ready, remembered } = begin(new Set<RungName>(['native']))
    for (let i = 0; i < CRASHES_ALLOWED; i++) {
      ready()
      last().onerror?.({})
    }
    expect([...remembered]).toEqual(['native', 'wasm'])
    expect(last().received[0]).toEqual({ type: 'start', given: { up: ['native', 'wasm'] } })
  })

  test('crashes far apart do not count together', async () => {
    const { decoder, last, ready, remembered } = begin()
    for (let i = 0; i < 4; i++) {
      ready()
      const answer = decoder.decode(frame())
      last().say({ type: 'read', id: last().lastRead, decoded: null })
      await answer
      last().onerror?.({})
    }
    expect([...remembered]).toEqual([])
  })

  test('what the worker gave up is remembered for the next one', () => {
    const { last, ready, remembered } = begin()
    last().say({ type: 'givenUp', rung: 'native', why: 'no BarcodeDetector here' })
    ready()
    expect([...remembered]).toEqual(['native'])
    last().onerror?.({})
    expect(last().received[0]).toEqual({ type: 'start', given: { up: ['native'] } })
  })

  test('a worker that never starts is a failure, not a wait', async () => {
    const onUnable = vi.fn()
    const { decoder, last, threads } = begin(new Set(), onUnable)
    for (let i = 0; i < CRASHES_ALLOWED; i++) last().onerror?.({ message: '404' })
    await expect(decoder.ready).rejects.toThrow('does not start')
    expect(onUnable).toHaveBeenCalledOnce()
    expect(threads).toHaveLength(CRASHES_ALLOWED)
    expect(await decoder.decode(frame())).toBeNull()
  })

  test('a browser that cannot transfer camera frames is given pixels from then on', async () => {
    const { decoder, last, ready } = begin()
    ready()
    const close = vi.fn()
    last().postMessage = () => {
      throw new DOMException('VideoFrame could not be cloned', 'DataCloneError')
    }
    expect(decoder.takes()).toBe('frames')
    expect(await decoder.decode({ close } as unknown as VideoFrame)).toBeNull()
    expect(close).toHaveBeenCalledOnce()
    expect(decoder.takes()).toBe('pixels')
    expect(decoder.isBusy()).toBe(false)
  })

  test('an answer to a frame of an ended worker changes nothing', async () => {
    const { decoder, threads, ready } = begin()
    ready()
    const answer = decoder.decode(frame())
    const [old] = threads
    const id = old?.lastRead ?? 0
    old?.onerror?.({})
    old?.say({ type: 'read', id, decoded })
    expect(await answer).toBeNull()
  })
})
