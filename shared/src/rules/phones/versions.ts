/** A token is an epoch's number and a proof of the data it belongs to. */
const TOKEN = /^(0|[1-9]\d{0,15})\.[\w-]{22}$/

/** The epoch a token names; null for text that is not a token. Anyone can make one, so it proves nothing. */
export function epochOf(token: string | null | undefined): number | null {
  const number = TOKEN.exec(token ?? '')?.[1]
  return number === undefined ? null : Number(number)
}

/** Whether a token names a later epoch than another, which may be missing. */
export const isLaterEpoch = (token: string | null | undefined, than: string | null | undefined): boolean =>
  (epochOf(token) ?? -1) > (epochOf(than) ?? -1)

/**
 * The version of a phone's scanner if it differs from the server's, else null; also null until the phone has reported
 * it. A different version is called older because a phone gets its scanner from this server.
 */
export const olderVersion = (reported: string | null | undefined, server: string): string | null =>
  reported == null || reported === server ? null : reported
