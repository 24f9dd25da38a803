/**
 * Resolves when the browser has nothing more urgent to do, at the latest after so many milliseconds. Safari does not say
 * when it is idle; there a third of that time passes.
 */
export const idle = (atMostMs: number): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: atMostMs })
    else setTimeout(resolve, atMostMs / 3)
  })
