import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../lib/children.ts'
import { ensureChromium, findHeadless } from '../lib/chromium.ts'
import { ensureClient } from '../lib/client.ts'
import { ENGINE_NAMES, type EngineName, missingFor } from '../lib/engines.ts'
import { compileCache, nodeBinary, ROOT, SetUpError } from '../setup.mjs'
import { failedOnce, ofPlaywright, ofVitest, passedOnce, type Tally, withExitCode } from './tally.ts'

interface RunOptions {
  /** The names given to `npm test`. Empty means all. */
  readonly names: readonly string[]
  readonly trace: boolean
}

export interface Step {
  readonly names: readonly string[]
  readonly title: string
  /** The step needs no build or browser and takes seconds, so it is part of `npm run check`. */
  readonly quick?: true
  /** Set-up that may run during earlier steps. `run` reports its failure. */
  readonly prepare?: () => Promise<unknown>
  readonly run: (options: RunOptions) => Promise<Tally>
}

const MODULES = join(ROOT, 'node_modules')
const BIN = {
  biome: join(MODULES, '@biomejs', 'biome', 'bin', 'biome'),
  tsc: join(MODULES, 'typescript', 'bin', 'tsc'),
  vitest: join(MODULES, 'vitest', 'vitest.mjs'),
}

export function runNode(
  args: readonly string[],
  given: Readonly<Record<string, string>> = {},
  cwd = ROOT,
): Promise<number> {
  const env = { ...process.env, ...compileCache(), ...given }
  return new Promise((resolve) => {
    const child = spawn(nodeBinary(), args, { cwd, env, stdio: 'inherit' })
    child.on('error', () => resolve(1))
    child.on('close', (code) => resolve(code ?? 1))
  })
}

async function nodeAtOnce(args: readonly string[]): Promise<number> {
  const { code, output } = await runProgram(nodeBinary(), args, { cwd: ROOT })
  process.stdout.write(output)
  return code
}

const check = (name: string, title: string, run: () => Promise<number>): Step => ({
  names: [name],
  title,
  quick: true,
  run: async () => {
    const code = await run()
    return code === 0 ? passedOnce : failedOnce(`exit code ${code}; its output is above`)
  },
})

/**
 * Checks the types of a folder incrementally. tsc's cache does not notice packages that were installed or removed, so
 * it is deleted after a failure and used only as long as npm's record of the installed packages stays the same.
 */
export async function checkTypes(root: string, folder: string): Promise<number> {
  const installed = readFileSync(join(root, 'node_modules', '.package-lock.json'))
  const key = createHash('sha256').update(installed).digest('hex').slice(0, 16)
  const kept = join(root, '.cache', 'types', `${folder}.${key}.tsbuildinfo`)
  // Four threads would each work out most types again, and other checks run beside this one.
  const options = ['--singleThreaded', '--incremental', '--tsBuildInfoFile', kept]
  const code = await nodeAtOnce([BIN.tsc, '-p', join(root, folder), ...options])
  if (code !== 0) rmSync(kept, { force: true })
  return code
}

const types = (workspace: string, title: string) => check('types', title, () => checkTypes(ROOT, workspace))

/** Bytes of free memory that are plenty for the files that the tests have at one time. */
const ROOMY = 6e9

/** The folder for temporary files, in memory if there is plenty, because the tests make and delete many files. */
export function pickTempFolder(mounts = '/proc/mounts'): string {
  const inMemory = '/dev/shm'
  if (!existsSync(mounts)) return tmpdir()
  const mount = readFileSync(mounts, 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === inMemory)
  const [, , type, options = ''] = mount?.split(' ') ?? []
  // Some of the files that the tests write there are programs.
  if (type !== 'tmpfs' || /(^|,)(ro|noexec)(,|$)/.test(options)) return tmpdir()
  const { bavail, bsize } = statfsSync(inMemory)
  return Math.min(bavail * bsize, freemem()) < ROOMY ? tmpdir() : inMemory
}

/** Reads the JSON report that `run` wrote to the given file. The run's temporary files are deleted with it. */
async function reported(
  run: (file: string, env: Readonly<Record<string, string>>) => Promise<number>,
  tally: (report: object) => Tally,
): Promise<Tally> {
  const folder = mkdtempSync(join(pickTempFolder(), 'garba-tests-'))
  const file = join(folder, 'report.json')
  try {
    // PostgreSQL refuses to run as root; its files belong to another user.
    chmodSync(folder, 0o711)
    const code = await run(file, { TMPDIR: folder })
    const counted = existsSync(file) ? tally(JSON.parse(readFileSync(file, 'utf8')) as object) : failedOnce('no report')
    return withExitCode(counted, code)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** On a busy machine one of thousands of waits is too short now and then. The result names each test that needs it. */
const SECOND_TRY = '1'

const PROJECTS = ['shared', 'server', 'server-postgres', 'client', 'scripts'] as const

const vitest: Step = {
  names: PROJECTS,
  title: 'Tests (Vitest)',
  run: ({ names }) => {
    const projects = PROJECTS.filter((project) => names.includes(project))
    return reported(
      (file, env) =>
        runNode(
          [
            ...[BIN.vitest, 'run', '--root', ROOT, '--config', 'scripts/checks/vitest.config.ts'],
            // Tests also wait, so there are two more workers than cores. The option applies to all workspaces.
            ...['--maxWorkers', String(availableParallelism() + 2)],
            ...['--retry', SECOND_TRY],
            ...['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`],
            ...projects.flatMap((project) => ['--project', project]),
          ],
          env,
        ),
      ofVitest,
    )
  },
}

let building: Promise<void> | undefined
const buildOnce = () => (building ??= ensureClient())

const build: Step = {
  names: ['build'],
  title: 'Client build',
  prepare: buildOnce,
  run: async () => {
    await buildOnce()
    return passedOnce
  },
}

interface BrowserRun {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly root?: string
}

export const runPlaywright = ({ args, env = {}, root = ROOT }: BrowserRun): Promise<Tally> =>
  reported(
    (file, temporaries) =>
      runNode(
        [
          join(root, 'node_modules', '@playwright', 'test', 'cli.js'),
          'test',
          '--retries',
          SECOND_TRY,
          '--reporter=line,json',
          ...args,
        ],
        { ...temporaries, ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
        root,
      ),
    ofPlaywright,
  )

const browser: Step = {
  names: ['e2e'],
  title: 'Browser tests (Chromium)',
  prepare: ensureChromium,
  run: async ({ trace }) => {
    const path = await ensureChromium()
    console.log(`Chromium: ${path}; without windows: ${findHeadless()}`)
    const traces = trace ? ['--trace', 'retain-on-failure'] : []
    return runPlaywright({ args: ['--config', 'client/playwright.config.ts', ...traces] })
  },
}

/** `npm run engines` runs the same tests in each of these engines. */
export const inEngines = (engines: readonly EngineName[]): Step => ({
  names: engines,
  title: `Browser tests (${engines.map((engine) => ENGINE_NAMES[engine]).join(', ')})`,
  run: async () => {
    const missing = missingFor(engines)
    if (missing.length > 0)
      throw new SetUpError(`Install what is missing first, on Debian with: apt-get install ${missing.join(' ')}`)
    const projects = engines.flatMap((engine) => ['--project', engine])
    return runPlaywright({ args: ['--config', 'client/engines.config.ts', ...projects] })
  },
})

export const STEPS: readonly Step[] = [
  check('format', 'Format and lint (Biome)', () => nodeAtOnce([BIN.biome, 'ci', '--colors=off', '.'])),
  types('shared', 'Types: shared'),
  types('server', 'Types: server and scripts'),
  types('client', 'Types: client'),
  // The build comes before the steps that test the built pages.
  build,
  vitest,
  browser,
]

export const selectSteps = (steps: readonly Step[], names: readonly string[]): readonly Step[] =>
  steps.filter((step) => names.length === 0 || step.names.some((name) => names.includes(name)))
