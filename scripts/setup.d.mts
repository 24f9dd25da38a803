/** The root of the repository. */
export const ROOT: string
export class SetUpError extends Error {}
/** For `node --import`: the module that makes our programs start quickly. */
export const QUICK_START: string
export function nodeBinary(): string
export function isSetUp(): boolean
export function setUp(): Promise<void>
