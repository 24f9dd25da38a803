/**
 * Normalises an email address for comparison, with only A to Z lowercased. Unicode case folding would also turn other
 * characters into ASCII letters (the Kelvin sign into k), and so one person's address into another's.
 */
export const foldEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
