import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tickWhileVisible } from './now.ts'

/** A document's sight and its event, which Node has not. */
class Page extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible'
  turn(state: DocumentVisibilityState) {
    this.visibilityState = state
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

const begin = (page: Page) => {
  const onTick = vi.fn()
  const end = tickWhileVisible({ everyMs: 1_000, page, onTick })
  return { onTick, end }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a hidden page has no timer, and one that comes back gets the time at once', () => {
  const page = new Page()
  const { onTick } = begin(page)
  vi.advanceTimersByTime(2_000)
  expect(onTick).toHaveBeenCalledTimes(2)
  page.turn('hidden')
  expect(vi.getTimerCount()).toBe(0)
  page.turn('visible')
  expect(onTick).toHaveBeenCalledTimes(3)
  vi.advanceTimersByTime(1_000)
  expect(onTick).toHaveBeenCalledTimes(4)
})

test('a page that begins hidden waits until it is seen', () => {
  const page = new Page()
  page.visibilityState = 'hidden'
  const { onTick } = begin(page)
  expect(vi.getTimerCount()).toBe(0)
  page.turn('visible')
  expect(onTick).toHaveBeenCalledOnce()
})

test('nothing ticks after the end, whatever the page does', () => {
  const page = new Page()
  const { onTick, end } = begin(page)
  end()
  page.turn('hidden')
  page.turn('visible')
  expect(vi.getTimerCount()).toBe(0)
  expect(onTick).not.toHaveBeenCalled()
})
