/**
 * Resolves when the browser has nothing more urgent to do, at the latest after so many milliseconds. Safari does not say
 * when it is idle; there a third of that time passes.
 */
export const idle = (atMostMs: number): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: atMostMs })
    else setTimeout(resolve, atMostMs / 3)
  })

const USES = ['scroll', 'wheel', 'pointermove', 'pointerdown', 'touchstart', 'keydown'] as const

/**
 * Resolves as soon as the reader moves, taps or types, and at the latest so many milliseconds after the page has loaded: for
 * work that would hold up the first tap of somebody who has only begun to read.
 */
export const whenUsed = (atMostMs: number): Promise<void> =>
  new Promise((resolve) => {
    const waiting = new AbortController()
    const use = () => {
      waiting.abort()
      resolve()
    }
    for (const type of USES) addEventListener(type, use, { capture: true, passive: true, signal: waiting.signal })
    const wait = () => setTimeout(use, atMostMs)
    if (document.readyState === 'complete') wait()
    else addEventListener('load', wait, { once: true, signal: waiting.signal })
  })
