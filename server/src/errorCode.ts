/** The code of an error or of its cause, such as ENOTFOUND or SQLITE_FULL; empty if there is none. */
export const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? codeOf(error.cause) : ''
}

/** Runs file operations that may fail without harm, as on a full or read-only disk. */
export function ifPossible(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (codeOf(error) === '') throw error
  }
}
