import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { nodeBinary, ROOT, SetUpError } from '../setup.mjs'
import { runProgram } from './children.ts'
import { runTimedStep } from './say.ts'

const OVERRIDE = 'CHROMIUM_PATH'
const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  `${process.env.PROGRAMFILES ?? 'C:\\Program Files'}\\Google\\Chrome\\Application\\chrome.exe`,
]

/** Debian's headless Chromium: the same engine at about two thirds of the cost, but it cannot install web apps. */
const HEADLESS = '/usr/bin/chromium-headless-shell'

/** The file may be a stub that only explains how to install the browser. A browser prints its version. */
const runs = (path: string) =>
  existsSync(path) && (process.platform === 'win32' || spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0)

/** The browser for the browser tests: CHROMIUM_PATH, an installed Chrome or Chromium, or Playwright's own. */
export function findChromium(): string | undefined {
  const named = process.env[OVERRIDE]
  if (named) return named
  return [...INSTALLED, chromium.executablePath()].find(runs)
}

export function findHeadless(): string | undefined {
  return !process.env[OVERRIDE] && runs(HEADLESS) ? HEADLESS : findChromium()
}

let ensured: Promise<string> | undefined

/**
 * Installs Chromium if there is none: with apt as root on Debian, which also has the headless browser, otherwise with
 * Playwright. All callers share one installation, so `npm test` starts it early.
 */
export function ensureChromium(): Promise<string> {
  ensured ??= install()
  return ensured
}

async function install(): Promise<string> {
  const missing = [
    ...(findChromium() ? [] : ['chromium']),
    ...(existsSync(HEADLESS) ? [] : ['chromium-headless-shell']),
  ]
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/etc/debian_version') && !process.env[OVERRIDE]
  if (isDebianRoot && missing.length > 0) await byApt(missing)
  if (!findChromium()) await runTimedStep('Installing Chromium (playwright install)', byPlaywright)
  const path = findChromium()
  if (path) return path
  throw new SetUpError(
    `No Chromium could be installed. Install Chrome or Chromium yourself, or name one with ${OVERRIDE}, then run npm test again.`,
  )
}

/**
 * Installs each package by itself, so that a Debian without the headless package gets the other. Failures are only
 * reported.
 */
export async function byApt(packages: readonly string[]): Promise<void> {
  const title = `Installing ${packages.join(' and ')} (apt-get)`
  const from = performance.now()
  console.log(`${title} ...`)
  for (const name of packages) {
    if ((await apt('install', '-y', name)).code === 0) continue
    // The package lists may be old or missing.
    await apt('update')
    const { code, output } = await apt('install', '-y', name)
    if (code !== 0) console.log(`  apt-get install ${name} failed: ${output.trim().split('\n').slice(-3).join(' ')}`)
  }
  // Other checks print in between, so this line repeats the title.
  console.log(`${title}: done in ${((performance.now() - from) / 1000).toFixed(1)} s`)
}

const apt = (...args: string[]) =>
  runProgram('apt-get', ['-q', ...args], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })

function byPlaywright(): void {
  const cli = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
  const { status, stderr } = spawnSync(nodeBinary(), [cli, 'install', 'chromium'], { encoding: 'utf8', stdio: 'pipe' })
  if (status !== 0) console.log(`  playwright install failed: ${stderr?.trim().split('\n').slice(-3).join(' ')}`)
}
