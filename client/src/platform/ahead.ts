import pTimeout from 'p-timeout'

/** A store or a network that hangs must not keep the page empty. */
const AT_MOST_MS = 1_500

/**
 * Loads what somebody is waiting for ahead of everything else. The first screen loads all it needs before it renders, because
 * rendering piece by piece takes twice as long. A failure here occurs again where the part is used, and is shown there.
 */
export function loadAhead(load: () => Promise<unknown>): Promise<void> {
  const own = attempt(load)
  const others = underWay
  underWay = own.then(() => others)
  return own
}

/**
 * Resolves when nothing is being loaded ahead and the browser is idle, or has been busy for so many milliseconds. Work that the
 * first screen does not need waits for it.
 */
export async function whenQuiet(atMostMs: number): Promise<void> {
  await underWay
  await waitForIdle(atMostMs)
  // A press may have started another load in the meantime.
  await underWay
}

let underWay = Promise.resolve()

async function attempt(load: () => Promise<unknown>): Promise<void> {
  try {
    await pTimeout(load(), { milliseconds: AT_MOST_MS, message: false })
  } catch (error) {
    console.info('Not loaded ahead', error)
  }
}

/**
 * Resolves when the browser has nothing more urgent to do, at the latest after so many milliseconds. Safari does not report
 * when it is idle, so there it waits a third of that time.
 */
export const waitForIdle = (atMostMs: number): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: atMostMs })
    else setTimeout(resolve, atMostMs / 3)
  })
