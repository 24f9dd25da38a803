/** Whether this device has a share sheet that takes these files, if any are given. */
export const canShare = ({ files }: { files?: File[] } = {}): boolean =>
  // Missing in some browsers, although the DOM library says otherwise.
  typeof navigator.share === 'function' && (files === undefined || navigator.canShare?.({ files }) === true)

/** Opens the share sheet. Throws when it does not open; closing it is no failure. */
export async function openShareSheet(data: ShareData): Promise<'shared' | 'given up'> {
  try {
    await navigator.share(data)
    return 'shared'
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'given up'
    throw error
  }
}

/** Long enough for even the slowest phone to start reading it. */
const KEPT_MS = 60_000

export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
