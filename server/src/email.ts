/**
 * An email for comparing: small letters for A to Z alone. Unicode's own folding would make other signs into them (the
 * Kelvin sign into a k), and so one person's address into another's.
 */
export const foldEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
