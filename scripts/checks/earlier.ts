import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { git } from '../lib/files.ts'
import { withLock } from '../lib/lock.mjs'
import { step } from '../lib/say.ts'
import { ROOT, SetUpError } from '../setup.mjs'
import { node } from './steps.ts'

/** An earlier version of this repository. */
export interface Revision {
  /** The name as requested, or the tag. */
  readonly name: string
  readonly commit: string
}

/** A revision that is built. */
export interface Earlier extends Revision {
  readonly folder: string
}

/** The commit that server/src/testing/firstRelease comes from. */
const FIRST_RELEASE = '10acbc5'

/** The browser tests of every revision start this file as the server. */
const TEST_SERVER = 'client/e2e/support/server.ts'

/**
 * The configuration of a revision's browser tests, which extends their own. In production, an earlier page has the
 * earlier server's content security policy, so this server's is bypassed.
 */
export const CONFIG = 'client/e2e/earlier.config.ts'
const CONFIG_TEXT = `import { join } from 'node:path'
import base from '../playwright.config.ts'

const here = import.meta.dirname
export default {
  ...base,
  testDir: here,
  outputDir: join(here, '..', 'test-results'),
  globalSetup: join(here, 'support', 'globalSetup.ts'),
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 30_000 },
  use: { ...base.use, actionTimeout: 30_000, trace: 'off', bypassCSP: true },
}
`

const commitOf = (root: string, name: string) =>
  git(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)

/** The requested revision, else the newest tag before the current commit, else the first release. */
export function revisionOf(root: string, requested?: string): Revision {
  if (git(root, 'rev-parse', 'HEAD') === null)
    throw new SetUpError("The clients of an earlier version are built from git's history, and this folder has none.")
  const name = requested ?? git(root, 'describe', '--tags', '--abbrev=0', 'HEAD^') ?? FIRST_RELEASE
  const commit = commitOf(root, name)
  if (commit) return { name, commit }
  throw new SetUpError(
    requested === undefined
      ? `The history of this clone does not reach the first release (${name}). Fetch the rest with: git fetch --unshallow --tags`
      : `There is no revision "${name}" in this repository. The releases are listed by: git tag`,
  )
}

/** A test of earlier versions that a later decision has made invalid. */
interface LeftOut {
  readonly file: string
  readonly title: string
  /** What this server intentionally does differently. */
  readonly why: string
  /**
   * The commit that changed it; versions that include it run the test. Without one, no version can pass against this
   * server.
   */
  readonly since?: string
}

export const LEFT_OUT: readonly LeftOut[] = [
  {
    file: 'desk-failures.spec.ts',
    title: 'an event that cannot be saved keeps what was typed and says why, at the field where there is one',
    why: 'the text for too few tickets counts those on hold, too: "already sold or held"',
    since: '4c846e6',
  },
  {
    file: 'guest-purchase.spec.ts',
    title: 'an order that had arrived is not bought again with another quantity',
    why: 'a key used again for another quantity is refused; it got the first answer, and nothing is sold twice either way',
    since: 'd692e81',
  },
  {
    file: 'scanner-gates.spec.ts',
    title: 'two gates offline let the same 20 tickets in: 20 used, 20 conflicts, told at both',
    why: 'of 40 tickets that one account chose by hand, the server takes 30 a minute, and the test waits too short a time for the rest',
    since: '7128bc5',
  },
  {
    file: 'scanner-readiness.spec.ts',
    title: 'nothing is green before it was tested, and what was tested says what was found',
    why: "it expects the app to be of the server's version, which no earlier app is",
  },
]

/**
 * The tests to leave out for a revision: those that later decisions changed, and those that only apps of the server's
 * version can pass.
 */
export const leftOutOf = (root: string, { commit }: Revision): readonly LeftOut[] =>
  LEFT_OUT.filter(
    ({ since }) => since === undefined || git(root, 'merge-base', '--is-ancestor', since, commit) === null,
  )

const ofThisVersion = (...path: string[]) => join(ROOT, 'server', 'src', ...path)
const asModule = (...path: string[]) => `'${pathToFileURL(ofThisVersion(...path)).href}`

/** A revision's test server, changed so that it starts the server of this version with the revision's client. */
export function startingThisServer(testServer: string): string {
  const changed = testServer
    .replace("join(ROOT, 'server', 'src', 'main.ts')", JSON.stringify(ofThisVersion('testing', 'earlierClientMain.ts')))
    .replaceAll("'../../../server/src/config.ts", asModule('testing', 'earlierClient.ts'))
    .replaceAll("'../../../server/src/", asModule('/'))
  if (changed !== testServer) return changed
  throw new SetUpError(`The tests of this revision start their server in another way than ${TEST_SERVER} does.`)
}

/**
 * A clone of the revision with its packages and its built client, kept under .cache for the next time. Its browser
 * tests start this version's server.
 */
export function checkOut({ name, commit }: Revision): Promise<Earlier> {
  const folder = join(ROOT, '.cache', 'clients', commit)
  return withLock({
    path: `${folder}.lock`,
    onWait: () => console.log('Another run is preparing the same clients; waiting for it.'),
    work: async () => {
      const testServer = git(ROOT, 'show', `${commit}:${TEST_SERVER}`)
      if (testServer === null) throw new SetUpError(`Revision ${name} has no browser tests to run.`)
      const changed = startingThisServer(`${testServer}\n`)
      if (!existsSync(folder)) await step(`Checking out ${name}`, () => clone(folder, commit))
      // The revision is set up and built by its own scripts.
      const build = [join(folder, 'scripts', 'run.mjs'), 'build']
      const code = await node(build, { NODE_OPTIONS: process.env.NODE_OPTIONS ?? '' }, folder)
      if (code !== 0) throw new SetUpError(`The clients of ${name} could not be built.`)
      writeFileSync(join(folder, TEST_SERVER), changed)
      writeFileSync(join(folder, CONFIG), CONFIG_TEXT)
      return { name, commit, folder }
    },
  })
}

/** The clone is complete or absent, because it is renamed at the end. */
function clone(folder: string, commit: string): void {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const source = git(ROOT, 'rev-parse', '--path-format=absolute', '--git-common-dir') ?? ROOT
  const cloned =
    git(ROOT, 'clone', '--quiet', '--shared', '--no-checkout', source, unfinished) !== null &&
    git(unfinished, 'checkout', '--quiet', '--detach', commit) !== null
  if (!cloned) throw new SetUpError(`git could not check out ${commit} into ${unfinished}.`)
  renameSync(unfinished, folder)
}
