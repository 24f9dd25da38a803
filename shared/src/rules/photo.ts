const GOOGLE_PHOTOS = /^([a-z0-9-]+\.)*googleusercontent\.com$/

/**
 * The photo of a person that may be shown: one of Google's. Any other host would learn who looks at it, and when.
 * Null where there is none.
 */
export function shownPhoto(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null
  const { protocol, hostname, port } = new URL(address)
  return protocol === 'https:' && port === '' && GOOGLE_PHOTOS.test(hostname) ? address : null
}
