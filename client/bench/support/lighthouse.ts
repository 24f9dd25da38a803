import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findChromium } from '../../../scripts/lib/chromium.ts'
import { nodeBinary, ROOT, SetUpError } from '../../../scripts/setup.mjs'

const VERSION = '12.8.2'
/** Too large to be a dependency: fetched when it is first asked for. */
const FOLDER = join(ROOT, '.cache', `lighthouse-${VERSION}`)
const CLI = join(FOLDER, 'node_modules', 'lighthouse', 'cli', 'index.js')
/** On a busy machine Chromium now and then loses the beginning of its trace. */
const TRIES = 3

const run = promisify(execFile)

/** One visit with the mobile preset. */
export interface Visit {
  /** 0 to 100. */
  scores: Record<'performance' | 'accessibility' | 'best-practices' | 'seo', number>
  lcpMs: number
  tbtMs: number
  cls: number
  /** Lighthouse's own measure of this machine. */
  benchmarkIndex: number
}

/** Throws SetUpError when it cannot be fetched. */
export async function ensureLighthouse(): Promise<void> {
  if (existsSync(CLI)) return
  mkdirSync(FOLDER, { recursive: true })
  try {
    const args = ['install', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund', `lighthouse@${VERSION}`]
    await run('npm', args, { shell: process.platform === 'win32' })
  } catch (error) {
    rmSync(FOLDER, { recursive: true, force: true })
    throw new SetUpError(`Lighthouse ${VERSION} could not be fetched from the npm registry: ${String(error)}`)
  }
}

interface Report {
  runtimeError?: { message: string }
  categories: Record<string, { score: number | null }>
  audits: Record<string, { numericValue?: number }>
  environment: { benchmarkIndex: number }
}

/** Visits an address with a browser of its own. Throws when Lighthouse fails each time. */
export async function visit(url: string): Promise<Visit> {
  const folder = mkdtempSync(join(tmpdir(), 'garba-lighthouse-'))
  try {
    for (let tried = 1; ; tried++) {
      const report = await reportOf(url, join(folder, `${tried}.json`)).catch((error: unknown) => {
        if (tried === TRIES) throw error
        return null
      })
      if (report) return visitOf(report)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function reportOf(url: string, path: string): Promise<Report> {
  const chromium = findChromium()
  await run(
    nodeBinary(),
    [
      CLI,
      url,
      '--quiet',
      '--no-enable-error-reporting',
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
      '--output=json',
      `--output-path=${path}`,
    ],
    { env: { ...process.env, ...(chromium === undefined ? {} : { CHROME_PATH: chromium }) } },
  )
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report
  if (report.runtimeError) throw new Error(report.runtimeError.message)
  return report
}

function visitOf({ categories, audits, environment }: Report): Visit {
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const figure = (name: string) => audits[name]?.numericValue ?? Number.NaN
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
    lcpMs: figure('largest-contentful-paint'),
    tbtMs: figure('total-blocking-time'),
    cls: figure('cumulative-layout-shift'),
    benchmarkIndex: environment.benchmarkIndex,
  }
}
