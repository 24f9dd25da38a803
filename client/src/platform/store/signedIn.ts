import { local } from './local.ts'

const KEY = 'garba.signedIn'

/**
 * Whether somebody is signed in on this device. Read before anything else, so that a visitor's page never loads Firebase,
 * which is heavier than the page itself, and a user's page never starts out looking signed out.
 */
export const wasSignedIn = (): boolean => local.read(KEY) === '1'
export const markSignedIn = (is: boolean): void => local.write(KEY, is ? '1' : null)
