/** The code of an error or of its cause, such as ENOTFOUND or SQLITE_FULL; empty if there is none. */
export const getErrorCode = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? getErrorCode(error.cause) : ''
}

export function ifPossible(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (getErrorCode(error) === '') throw error
  }
}
