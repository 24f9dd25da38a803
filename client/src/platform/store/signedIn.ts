import { local } from './local.ts'

const KEY = 'garba.signedIn'

/**
 * Whether somebody signed in on this device and has not left. Read before anything else, so that a visitor's page never
 * loads Firebase, which is heavier than that page, and an owner's page never shows the signed-out face first.
 */
export const wasSignedIn = (): boolean => local.read(KEY) === '1'
export const markSignedIn = (is: boolean): void => local.write(KEY, is ? '1' : null)
