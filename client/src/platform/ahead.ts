import pTimeout from 'p-timeout'

/** A store or a network that hangs must not keep the page empty. */
const AT_MOST_MS = 1_500

/**
 * Waits, before anything is drawn, for what the first screen needs: a screen that is drawn piece by piece takes twice as
 * long. What fails here fails again where it is rendered, and is shown there.
 */
export function ahead(load: () => Promise<unknown>): Promise<void> {
  underWay = attempt(load)
  return underWay
}

/** Resolves when nothing is loaded ahead any more. What the first screen does without waits for it. */
export const loadedAhead = (): Promise<void> => underWay

let underWay = Promise.resolve()

async function attempt(load: () => Promise<unknown>): Promise<void> {
  try {
    await pTimeout(load(), { milliseconds: AT_MOST_MS, message: false })
  } catch (error) {
    console.info('Not loaded ahead', error)
  }
}
