// Line breaks and control characters, and the marks that turn the direction of what follows: a name is in one line
// beside others, on the gate's screens and in the audit trail. Joiners stay, because Gujarati and Hindi need them.
const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\s]+/gu

/** A name as it may be stored: one line, single spaces, no spaces around it. */
export const plainName = (name: string): string => name.replace(BREAKING, ' ').trim()
