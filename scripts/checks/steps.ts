import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium, findHeadless } from '../lib/chromium.ts'
import { ensureClient } from '../lib/client.ts'
import { nodeBinary, ROOT } from '../setup.mjs'
import { failedOnce, honest, ofPlaywright, ofVitest, passedOnce, type Tally } from './tally.ts'

interface RunOptions {
  /** The names given to `npm test`; none means all. */
  readonly names: readonly string[]
  readonly trace: boolean
}

export interface Step {
  /** For `npm test -- NAME ...`. */
  readonly names: readonly string[]
  readonly title: string
  /** Needs no build and no browser, and takes seconds: part of `npm run check`. */
  readonly quick?: true
  readonly run: (options: RunOptions) => Promise<Tally>
}

const MODULES = join(ROOT, 'node_modules')
const BIN = {
  biome: join(MODULES, '@biomejs', 'biome', 'bin', 'biome'),
  tsc: join(MODULES, 'typescript', 'bin', 'tsc'),
  vitest: join(MODULES, 'vitest', 'vitest.mjs'),
  playwright: join(MODULES, '@playwright', 'test', 'cli.js'),
}

/** Runs a Node program with its output on the terminal. */
function node(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(nodeBinary(), args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'inherit' })
    child.on('error', () => resolve(1))
    child.on('close', (code) => resolve(code ?? 1))
  })
}

/** Runs a Node program and prints its output as a whole when it has ended. */
function nodeAtOnce(args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(nodeBinary(), args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    const output: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => output.push(piece))
    child.on('error', () => resolve(1))
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(output))
      resolve(code ?? 1)
    })
  })
}

/** A check that passes or fails as a whole. */
const check = (name: string, title: string, run: () => Promise<number>): Step => ({
  names: [name],
  title,
  quick: true,
  run: async () => {
    const code = await run()
    return code === 0 ? passedOnce : failedOnce(`exit code ${code}; its words are above`)
  },
})

/**
 * Checks the types of a folder. What tsc found out is kept, so that next time only what a change reaches is checked
 * again; but it never looks again for a package that was missing, nor for one that is gone. So nothing is kept of a
 * failure, and what is kept is used only while npm's record of the installed packages stays the same.
 */
export async function checkTypes(root: string, folder: string): Promise<number> {
  const installed = readFileSync(join(root, 'node_modules', '.package-lock.json'))
  const key = createHash('sha256').update(installed).digest('hex').slice(0, 16)
  const kept = join(root, '.cache', 'types', `${folder}.${key}.tsbuildinfo`)
  const code = await nodeAtOnce([BIN.tsc, '-p', join(root, folder), '--incremental', '--tsBuildInfoFile', kept])
  if (code !== 0) rmSync(kept, { force: true })
  return code
}

const types = (workspace: string, title: string) => check('types', title, () => checkTypes(ROOT, workspace))

/** Reads the JSON report that `run` was told to write. */
async function reported(run: (file: string) => Promise<number>, tally: (report: object) => Tally): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'garba-report-'))
  const file = join(folder, 'report.json')
  try {
    const code = await run(file)
    const counted = existsSync(file) ? tally(JSON.parse(readFileSync(file, 'utf8')) as object) : failedOnce('no report')
    return honest(counted, code)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const PROJECTS = ['shared', 'server', 'server-postgres', 'client', 'pages', 'scripts'] as const

/** The tests of the workspaces in one run of Vitest, each by the vitest.config.ts of its folder. */
const vitest: Step = {
  names: PROJECTS,
  title: 'Tests (Vitest)',
  run: ({ names }) => {
    const asked = PROJECTS.filter((project) => names.includes(project))
    return reported(
      (file) =>
        node([
          ...[BIN.vitest, 'run', '--root', ROOT, '--config', 'scripts/checks/vitest.config.ts'],
          // Vitest leaves one core free by default. On the command line the setting applies to every workspace.
          ...['--maxWorkers', String(availableParallelism())],
          ...['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`],
          ...asked.flatMap((project) => ['--project', project]),
        ]),
      ofVitest,
    )
  },
}

const build: Step = {
  names: ['build'],
  title: 'Client build',
  run: async () => {
    await ensureClient()
    return passedOnce
  },
}

const browser: Step = {
  names: ['e2e'],
  title: 'Browser tests (Chromium)',
  run: async ({ trace }) => {
    const path = await ensureChromium()
    console.log(`Chromium: ${path}; without windows: ${findHeadless()}`)
    const command = [BIN.playwright, 'test', '--config', 'client/playwright.config.ts', '--reporter=line,json']
    return reported(
      (file) =>
        node([...command, ...(trace ? ['--trace', 'retain-on-failure'] : [])], { PLAYWRIGHT_JSON_OUTPUT_NAME: file }),
      ofPlaywright,
    )
  },
}

/** Every check of `npm test`, in its order: the quick ones first. */
export const STEPS: readonly Step[] = [
  check('format', 'Format and lint (Biome)', () => nodeAtOnce([BIN.biome, 'ci', '--colors=off', '.'])),
  check('rooms', 'Imports between rooms', () => nodeAtOnce(['scripts/check-rooms.ts'])),
  types('shared', 'Types: shared'),
  types('server', 'Types: server and scripts'),
  types('client', 'Types: client'),
  // Before what tests the built pages.
  build,
  vitest,
  browser,
]

/** The steps with one of these names; all where none is named. */
export const chosenOf = (steps: readonly Step[], names: readonly string[]): readonly Step[] =>
  steps.filter((step) => names.length === 0 || step.names.some((name) => names.includes(name)))
