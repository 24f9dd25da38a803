/**
 * The version of a phone's scanner if it differs from the server's, else null; null too until the phone has reported
 * it. A different version is called older because a phone gets its scanner from this server.
 */
export const olderVersion = (reported: string | null | undefined, server: string): string | null =>
  reported == null || reported === server ? null : reported
