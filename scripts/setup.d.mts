/** The root of the repository. */
export const ROOT: string
export class SetUpError extends Error {}
/** The module for `node --import` that makes programs start quickly. */
export const QUICK_START: string
/**
 * NODE_OPTIONS that make a program's child processes start quickly too, added to those of the person at the terminal.
 */
export function quickOptions(): string
export function nodeBinary(root?: string): string
/** Whether the packages that the app needs are installed, and with `tools` also those of tests and benchmarks. */
export function isSetUp(options?: { tools?: boolean }): boolean
export function setUp(options?: { tools?: boolean }): Promise<void>
/** The parts of large packages that are used. */
export const PARTS: Readonly<Record<'firebase' | 'firebase-tools', readonly string[]>>
export interface LockEntry {
  /** The package's own name, if it is installed under another. */
  readonly name?: string
  readonly version?: string
  readonly license?: string
  /** Set for a workspace, whose folder is `resolved`. */
  readonly link?: boolean
  readonly resolved?: string
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
export interface Packages {
  readonly lock: { readonly packages: Readonly<Record<string, LockEntry>> }
  readonly manifests: Readonly<Record<string, object>>
}
/** The lock file and manifests with what a command needs. */
export function packagesFor(options: { tools: boolean }): Packages
/** The paths in the lock file of everything that these folders need to run, including the folders. */
export function neededBy(packages: Packages['lock']['packages'], folders: readonly string[]): Set<string>
export function nameOf(path: string, entry: LockEntry): string
export function writeManifests(packages: Packages, registry: string, to: string): void
/** Runs the npm that started this process. `output` has everything that it prints. */
export function npm(args: readonly string[], cwd?: string): { done: Promise<{ code: number; output: string }> }
