import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from '../lib/chromium.ts'
import { ensureClient } from '../lib/client.ts'
import { nodeBinary, ROOT } from '../setup.mjs'
import { failedOnce, honest, ofPlaywright, ofVitest, passedOnce, type Tally } from './tally.ts'

export interface Step {
  /** For `npm test -- NAME ...`. */
  readonly name: string
  readonly title: string
  /** Needs no build and no browser, and takes seconds: part of `npm run check`. */
  readonly quick?: true
  readonly run: () => Promise<Tally>
}

const MODULES = join(ROOT, 'node_modules')
const BIN = {
  biome: join(MODULES, '@biomejs', 'biome', 'bin', 'biome'),
  tsc: join(MODULES, 'typescript', 'bin', 'tsc'),
  vitest: join(MODULES, 'vitest', 'vitest.mjs'),
  playwright: join(MODULES, '@playwright', 'test', 'cli.js'),
}

/** Runs a Node program with its output on the terminal. */
function node(
  args: readonly string[],
  { env = {}, cwd = ROOT }: { env?: Readonly<Record<string, string>>; cwd?: string } = {},
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(nodeBinary(), args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' })
    child.on('error', () => resolve(1))
    child.on('close', (code) => resolve(code ?? 1))
  })
}

/** A check that passes or fails as a whole. */
const check = (name: string, title: string, args: readonly string[]): Step => ({
  name,
  title,
  quick: true,
  run: async () => {
    const code = await node(args)
    return code === 0 ? passedOnce : failedOnce(`exit code ${code}; its words are above`)
  },
})

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

/** The tests of one folder, by the vitest.config.ts in it. */
const vitest = (name: string): Step => ({
  name,
  title: `Tests: ${name}`,
  run: () =>
    reported(
      (file) =>
        node([BIN.vitest, 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`], {
          cwd: join(ROOT, name),
        }),
      ofVitest,
    ),
})

const build: Step = {
  name: 'build',
  title: 'Client build',
  run: async () => {
    await ensureClient()
    return passedOnce
  },
}

const browser: Step = {
  name: 'e2e',
  title: 'Browser tests (Chromium)',
  run: async () => {
    const path = await ensureChromium()
    console.log(`Chromium: ${path}`)
    return reported(
      (file) =>
        node([BIN.playwright, 'test', '--config', 'client/playwright.config.ts', '--reporter=line,json'], {
          env: { CHROMIUM_PATH: path, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
        }),
      ofPlaywright,
    )
  },
}

/** Every check of `npm test`, in its order: the quick ones first. */
export const STEPS: readonly Step[] = [
  check('format', 'Format and lint (Biome)', [BIN.biome, 'ci', '--colors=off', '.']),
  check('rooms', 'Imports between rooms', ['scripts/check-rooms.ts']),
  check('types', 'Types: shared', [BIN.tsc, '-p', 'shared']),
  check('types', 'Types: server and scripts', [BIN.tsc, '-p', 'server']),
  check('types', 'Types: client', [BIN.tsc, '-p', 'client']),
  vitest('shared'),
  vitest('server'),
  vitest('client'),
  vitest('scripts'),
  build,
  browser,
]
