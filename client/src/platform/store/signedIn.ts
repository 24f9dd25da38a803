import { local } from './local.ts'

/** boot.ts reads it too. */
export const SIGNED_IN = 'garba.signedIn'

/**
 * Whether somebody is signed in on this device. Read before anything else, so that a visitor's page never loads Firebase,
 * which is heavier than the page itself, and a user's page never starts out looking signed out.
 */
export const wasSignedIn = (): boolean => local.read(SIGNED_IN) === '1'
export const markSignedIn = (is: boolean): void => local.write(SIGNED_IN, is ? '1' : null)
