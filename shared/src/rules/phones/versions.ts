const EPOCH = /^(0|[1-9]\d{0,15})$/

/** The epoch that a header names; null for text that is none. */
export const parseEpoch = (text: string | null | undefined): number | null =>
  EPOCH.test(text ?? '') ? Number(text) : null

/**
 * The version of a phone's scanner if it differs from the server's, else null; also null until the phone has reported
 * it. A different version is called older because a phone gets its scanner from this server.
 */
export const olderVersion = (reported: string | null | undefined, server: string): string | null =>
  reported == null || reported === server ? null : reported
