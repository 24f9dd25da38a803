// Plain JavaScript without dependencies: it also runs while npm is installing them.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The path of a Chrome or Chromium to use instead of searching for one. */
export const OVERRIDE = 'CHROMIUM_PATH'
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
export const HEADLESS = '/usr/bin/chromium-headless-shell'

/** The file may be a stub that only explains how to install the browser. One that prints its version works. */
export const runs = (path) =>
  existsSync(path) && (process.platform === 'win32' || spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0)

export const findInstalled = () => INSTALLED.find(runs)

/** As root on Debian, installs what it lacks of Chromium and the headless one. Elsewhere it does nothing. */
export async function ensureByApt() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version') || process.env[OVERRIDE]) return
  const missing = [
    ...(findInstalled() ? [] : ['chromium']),
    ...(existsSync(HEADLESS) ? [] : ['chromium-headless-shell']),
  ]
  if (missing.length > 0) await installByApt(missing)
}

/** One by one, so that a Debian without the headless package still gets the other. What fails is only reported. */
export async function installByApt(packages) {
  const from = Date.now()
  const title = `Installing ${packages.join(' and ')} (apt-get)`
  console.log(`${title} ...`)
  for (const name of packages) {
    if ((await apt('install', '-y', name)).code === 0) continue
    // The package lists may be old or missing.
    await apt('update')
    const { code, errors } = await apt('install', '-y', name)
    if (code !== 0) console.log(`  apt-get install ${name} failed: ${errors.trim().split('\n').slice(-3).join(' ')}`)
  }
  console.log(`${title}: done in ${((Date.now() - from) / 1000).toFixed(1)} s`)
}

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return new Promise((resolve) => {
    const child = spawn('apt-get', ['-q', ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    child.stderr.on('data', (data) => {
      errors += data
    })
    child.on('error', ({ message }) => resolve({ code: 1, errors: message }))
    child.on('close', (code) => resolve({ code: code ?? 1, errors }))
  })
}
