/** The root of the repository. */
export const ROOT: string
export class SetUpError extends Error {}
export function nodeBinary(): string
export function isSetUp(): boolean
export function setUp(): Promise<void>
