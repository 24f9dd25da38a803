/**
 * The version of a phone's scanner if it differs from the server's, else null; null too while the phone has not said which
 * it runs. It is called older because a phone gets its scanner from this server.
 */
export const olderVersion = (reported: string | null | undefined, server: string): string | null =>
  reported == null || reported === server ? null : reported
