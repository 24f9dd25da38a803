/** The root of the repository. */
export const ROOT: string
export class SetUpError extends Error {}
/** For `node --import`: the module that makes our programs start quickly. */
export const QUICK_START: string
/** NODE_OPTIONS by which all that a program starts begins quickly too, beside those of the person at the terminal. */
export function quickOptions(): string
export function nodeBinary(): string
export function isSetUp(): boolean
export function setUp(): Promise<void>
