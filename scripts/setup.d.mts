/** The root of the repository. */
export const ROOT: string
export class SetUpError extends Error {}
/** For `node --import`: the module that makes our programs start quickly. */
export const QUICK_START: string
/** NODE_OPTIONS by which all that a program starts begins quickly too, beside those of the person at the terminal. */
export function quickOptions(): string
export function nodeBinary(root?: string): string
/** Without `tools`, whether all is there that the app needs to run. */
export function isSetUp(options?: { tools?: boolean }): boolean
export function setUp(options?: { tools?: boolean }): Promise<void>
/** The parts we use of large packages. */
export const PARTS: Readonly<Record<'firebase' | 'firebase-tools', readonly string[]>>
export interface LockEntry {
  /** The package's own name, if it is installed under another. */
  readonly name?: string
  readonly version?: string
  readonly license?: string
  /** A package of our own; `resolved` is then its folder. */
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
/** The places of all that these folders need to run, with the folders themselves, as in the lock file. */
export function neededBy(packages: Packages['lock']['packages'], folders: readonly string[]): Set<string>
export function nameOf(path: string, entry: LockEntry): string
export function writeManifests(packages: Packages, registry: string, to: string): void
/** Runs the npm that started us; `output` is what it prints and its errors. */
export function npm(args: readonly string[], cwd?: string): { done: Promise<{ code: number; output: string }> }
