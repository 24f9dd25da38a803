import pTimeout from 'p-timeout'

/** A store or a network that hangs must not keep the page empty. */
const AT_MOST_MS = 1_500

/**
 * Loads what somebody is waiting for ahead of everything else: before anything is drawn what the first screen needs, since a
 * screen that is drawn piece by piece takes twice as long. What fails here fails again where it is used, and is shown there.
 */
export function ahead(load: () => Promise<unknown>): Promise<void> {
  const own = attempt(load)
  const others = underWay
  underWay = own.then(() => others)
  return own
}

/**
 * Resolves when nothing is loaded ahead any more and the browser is idle, or was busy for so many milliseconds. What the
 * first screen does without waits for it.
 */
export async function whenQuiet(atMostMs: number): Promise<void> {
  await underWay
  await idle(atMostMs)
  // A press may have come in the meantime.
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
 * Resolves when the browser has nothing more urgent to do, at the latest after so many milliseconds. Safari does not say
 * when it is idle; there a third of that time passes.
 */
export const idle = (atMostMs: number): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: atMostMs })
    else setTimeout(resolve, atMostMs / 3)
  })
