import type { SpawnSyncOptions, SpawnSyncReturns } from 'node:child_process'

/** The root of the repository. */
export const ROOT: string
/** What Node is told when it runs the server. */
export const SERVER_FLAGS: readonly string[]
export class SetUpError extends Error {}
/** The environment in which Node keeps compiled code for the next start of the same program. */
export function compileCache(): { NODE_COMPILE_CACHE: string }
export function nodeBinary(root?: string): string
/** Whether the packages that the app needs are installed, and with `tools` also those of tests and benchmarks. */
export function isSetUp(options?: { tools?: boolean }): boolean
export function setUp(options?: { tools?: boolean }): void
/** Runs the npm that started this process, in the repository's root unless `options` names another folder. */
export function runNpm(args: readonly string[], options?: SpawnSyncOptions): SpawnSyncReturns<string | Buffer>
