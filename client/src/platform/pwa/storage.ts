import pTimeout from 'p-timeout'

const ANSWER_MS = 10_000

/**
 * Asks the browser not to clear this site's data under pressure; true when it agreed. Firefox asks the person and waits as
 * long as they do: null when nobody has answered in time. Never throws.
 */
export async function askPersistence(): Promise<boolean | null> {
  try {
    const answer = navigator.storage?.persist?.()
    return answer === undefined ? false : await pTimeout(answer, { milliseconds: ANSWER_MS, fallback: () => null })
  } catch (error) {
    console.info('Storage persistence could not be asked for', error)
    return false
  }
}

export interface StorageState {
  persisted: boolean
  freeBytes: number | null
}

/** The browser's report about this site's storage. Never throws. */
export async function storageState(): Promise<StorageState> {
  try {
    const nothing: StorageEstimate = {}
    const [persisted, { usage, quota }] = await Promise.all([
      navigator.storage?.persisted?.() ?? false,
      navigator.storage?.estimate?.() ?? nothing,
    ])
    const known = usage !== undefined && quota !== undefined
    return { persisted, freeBytes: known ? quota - usage : null }
  } catch (error) {
    console.info('The storage state is not readable', error)
    return { persisted: false, freeBytes: null }
  }
}
