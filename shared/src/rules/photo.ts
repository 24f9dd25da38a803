const GOOGLE_PHOTOS = /^([a-z0-9-]+\.)*googleusercontent\.com$/

/**
 * A person's photo, if it may be shown: only Google's are, because any other host would learn who views it, and when.
 * Null if there is none.
 */
export function shownPhoto(address: string | null): string | null {
  try {
    const { protocol, hostname, port } = new URL(address ?? '')
    return protocol === 'https:' && port === '' && GOOGLE_PHOTOS.test(hostname) ? address : null
  } catch {
    // Not an address.
    return null
  }
}
