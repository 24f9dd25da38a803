/** Whether this device has a share sheet, and one for these files if any are given. */
export const canShare = ({ files }: { files?: File[] } = {}): boolean =>
  // Missing in some browsers, although the DOM library says otherwise.
  typeof navigator.share === 'function' && (files === undefined || navigator.canShare?.({ files }) === true)

/** Opens the share sheet. Throws when it does not open; closing it is no failure. */
export async function share(data: ShareData): Promise<'shared' | 'given up'> {
  try {
    await navigator.share(data)
    return 'shared'
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'given up'
    throw error
  }
}
