import { encodeQr } from '@garba/shared/rules/qr'
import { describe, expect, test, vi } from 'vitest'
import { createLadder, FAILURES_ALLOWED, LOAD_TIMEOUT_MS, MISSES_ALLOWED } from './ladder.ts'
import type { CodeReading, Picture, ReadPicture, Rung, RungName } from './reading.ts'

const ticket: CodeReading = {
  text: encodeQr({ ticketId: '01JABCDEFGHJKMNPQRSTVWXYZ0', signature: new Uint8Array(64) }),
}
const PICTURE: Picture = {
  width: 4,
  height: 4,
  source: null,
  luma: async () => ({ width: 4, height: 4, data: new Uint8Array(16) }),
}
const now = () => 0

function rung(name: RungName, read: ReadPicture, more: Partial<Rung> = {}): Rung {
  return { name, isDoubted: false, load: async () => read, ...more }
}
const sees = async () => [ticket]
const seesNothing = async () => []
const breaks = async () => {
  throw new Error('out of order')
}

describe('the ladder', () => {
  test('reports the rung that read, and how long it took', async () => {
    let clock = 100
    const slow: ReadPicture = async () => {
      clock += 7
      return [ticket]
    }
    const ladder = createLadder({ rungs: [rung('wasm', slow)], now: () => clock })
    expect(await ladder.read(PICTURE)).toEqual({ ...ticket, rung: 'wasm', ms: 7 })
  })

  test('a rung that cannot be loaded is skipped, reported once and not loaded again', async () => {
    const load = vi.fn(() => Promise.reject(new Error('WebAssembly is off')))
    const onGivenUp = vi.fn()
    const ladder = createLadder({ rungs: [rung('wasm', sees, { load }), rung('library', sees)], now, onGivenUp })
    expect(await ladder.prepare()).toBe('library')
    expect((await ladder.read(PICTURE))?.rung).toBe('library')
    expect(await ladder.read(PICTURE)).not.toBeNull()
    expect(load).toHaveBeenCalledTimes(1)
    expect(onGivenUp.mock.calls).toEqual([['wasm', 'Error: WebAssembly is off']])
  })

  test('a rung that will not load in time is passed over', async () => {
    vi.useFakeTimers()
    const ladder = createLadder({
      rungs: [rung('wasm', sees, { load: () => new Promise(() => undefined) }), rung('library', sees)],
      now,
    })
    const prepared = ladder.prepare()
    await vi.advanceTimersByTimeAsync(LOAD_TIMEOUT_MS)
    expect(await prepared).toBe('library')
    vi.useRealTimers()
  })

  test('a rung that breaks lets the next one read the same frame, is loaded afresh, and is given up in the end', async () => {
    const load = vi.fn(async () => breaks)
    const onGivenUp = vi.fn()
    const ladder = createLadder({ rungs: [rung('wasm', breaks, { load }), rung('library', sees)], now, onGivenUp })
    for (let frame = 0; frame < FAILURES_ALLOWED + 2; frame++)
      expect((await ladder.read(PICTURE))?.rung).toBe('library')
    expect(load).toHaveBeenCalledTimes(FAILURES_ALLOWED)
    expect(onGivenUp).toHaveBeenCalledTimes(1)
  })

  test('one bad frame does not cost a rung its place', async () => {
    let frame = 0
    const sometimes: ReadPicture = async () => (++frame % 2 === 0 ? breaks() : [ticket])
    const ladder = createLadder({ rungs: [rung('wasm', sometimes), rung('library', seesNothing)], now })
    const read = []
    for (let i = 0; i < 10; i++) read.push((await ladder.read(PICTURE))?.rung ?? null)
    expect(read).toEqual(['wasm', null, 'wasm', null, 'wasm', null, 'wasm', null, 'wasm', null])
  })

  test('what a doubted rung misses the next one looks at; after enough of that it is given up', async () => {
    const native = vi.fn(seesNothing)
    const ladder = createLadder({
      rungs: [rung('native', native, { isDoubted: true }), rung('wasm', sees)],
      now,
    })
    for (let frame = 0; frame < MISSES_ALLOWED + 3; frame++) expect((await ladder.read(PICTURE))?.rung).toBe('wasm')
    expect(native).toHaveBeenCalledTimes(MISSES_ALLOWED)
  })

  test('a doubted rung that ever read something keeps its place', async () => {
    let frame = 0
    const native: ReadPicture = vi.fn(async () => (++frame === 1 ? [ticket] : []))
    const ladder = createLadder({ rungs: [rung('native', native, { isDoubted: true }), rung('wasm', sees)], now })
    for (let i = 0; i < MISSES_ALLOWED * 2; i++) await ladder.read(PICTURE)
    expect(native).toHaveBeenCalledTimes(MISSES_ALLOWED * 2)
  })

  test('a rung that is not doubted settles it: the slow last one is not asked as well', async () => {
    const library = vi.fn(sees)
    const ladder = createLadder({ rungs: [rung('wasm', seesNothing), rung('library', library)], now })
    expect(await ladder.read(PICTURE)).toBeNull()
    expect(library).not.toHaveBeenCalled()
  })

  test('rungs known not to work are not even loaded', async () => {
    const load = vi.fn(async () => sees)
    const ladder = createLadder({
      rungs: [rung('wasm', sees, { load }), rung('library', sees)],
      given: { up: ['wasm'] },
      now,
    })
    expect(await ladder.prepare()).toBe('library')
    expect(load).not.toHaveBeenCalled()
  })

  test('without any rung it says so', async () => {
    const load = () => Promise.reject(new Error('no'))
    const ladder = createLadder({ rungs: [rung('wasm', sees, { load })], now })
    await expect(ladder.prepare()).rejects.toThrow('No way to read codes')
    expect(await ladder.read(PICTURE)).toBeNull()
  })

  test('each frame without a hit is another turn; the look that hit is taken again', async () => {
    const turns: number[] = []
    const third: ReadPicture = async (_, turn) => {
      turns.push(turn)
      return turn === 2 ? [ticket] : []
    }
    const ladder = createLadder({ rungs: [rung('wasm', third)], now })
    for (let i = 0; i < 5; i++) await ladder.read(PICTURE)
    expect(turns).toEqual([0, 1, 2, 2, 2])
  })

  test('a stranger needs two frames', async () => {
    const ladder = createLadder({ rungs: [rung('wasm', async () => [{ text: 'https://example.com' }])], now })
    expect(await ladder.read(PICTURE)).toBeNull()
    expect((await ladder.read(PICTURE))?.text).toBe('https://example.com')
  })
})
