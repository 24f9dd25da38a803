const GOOGLE_PHOTOS = /^([a-z0-9-]+\.)*googleusercontent\.com$/

/**
 * A person's photo if it may be shown, otherwise null. Only Google's photos are shown, because another host would learn
 * who views them, and when.
 */
export function shownPhoto(address: string | null): string | null {
  try {
    const { protocol, hostname, port } = new URL(address ?? '')
    return protocol === 'https:' && port === '' && GOOGLE_PHOTOS.test(hostname) ? address : null
  } catch {
    return null
  }
}
