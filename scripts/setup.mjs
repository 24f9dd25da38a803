// Plain JavaScript without dependencies, because it runs on the machine's own Node before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const STAMP = join(ROOT, 'node_modules', '.garba-set-up')
const WINDOWS = process.platform === 'win32'
const OLDEST_NODE = 20
const WANTED_NODE = 24

/** The message is for the person at the terminal and is printed without a stack. */
export class SetUpError extends Error {
  name = 'SetUpError'
}

export const nodeBinary = (root = ROOT) => join(root, 'node_modules', 'node', 'bin', WINDOWS ? 'node.exe' : 'node')

/** Megabytes. V8's own choice, 64, takes a hundred more in a rush and is no faster. */
export const SERVER_FLAGS = ['--max-semi-space-size=32']

export const compileCache = () => ({
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(ROOT, '.cache', 'node'),
})

function buildStamp(tools) {
  const lock = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex')
  return `${lock} ${process.platform}-${process.arch}${tools ? ' with tools' : ''}\n`
}

/** Whether the packages of this lock file are installed, and with `tools` also those of tests and benchmarks. */
export function isSetUp({ tools = false } = {}) {
  if (!existsSync(STAMP) || !existsSync(nodeBinary())) return false
  const stamp = readFileSync(STAMP, 'utf8')
  return stamp === buildStamp(true) || (!tools && stamp === buildStamp(false))
}

/**
 * Installs the packages and Node 24 unless that was done for this lock file. The tools of tests and benchmarks come only
 * with `tools`; once here, they stay until the lock file changes. Throws SetUpError with what to do.
 */
export function setUp({ tools = true } = {}) {
  const major = Number(process.versions.node.split('.')[0])
  if (major < OLDEST_NODE)
    throw new SetUpError(
      `This needs Node ${OLDEST_NODE} or newer to begin with; this is Node ${process.versions.node}.`,
    )
  if (isSetUp({ tools })) return
  rmSync(STAMP, { force: true })
  install('Installing the packages', ['ci', ...(tools ? [] : ['--omit=dev'])])
  // Of all packages only Node's has a script that must run: it fetches the binary.
  install(`Installing Node ${WANTED_NODE}`, ['rebuild', 'node', '--ignore-scripts=false'])
  const { stdout } = spawnSync(nodeBinary(), ['--version'], { encoding: 'utf8' })
  if (!stdout?.startsWith(`v${WANTED_NODE}.`))
    throw new SetUpError(`Node ${WANTED_NODE} was installed but does not run on this machine (${nodeBinary()}).`)
  writeFileSync(STAMP, buildStamp(tools))
}

function install(title, args) {
  console.log(`${title} (npm ${args[0]}) ...`)
  const from = Date.now()
  const { status } = runNpm([...args, '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1'])
  if (status !== 0)
    throw new SetUpError(
      `${title} failed. Is the npm registry reachable from here (try: npm ping)? Behind a proxy, set it with ` +
        '`npm config set proxy URL`. Then run the same command again.',
    )
  console.log(`  done in ${((Date.now() - from) / 1000).toFixed(1)} s`)
}

export function runNpm(args, options = { stdio: 'inherit' }) {
  const { npm_execpath: cli, npm_node_execpath: node = process.execPath } = process.env
  return cli?.endsWith('.js')
    ? spawnSync(node, [cli, ...args], { cwd: ROOT, ...options })
    : spawnSync('npm', args, { cwd: ROOT, shell: WINDOWS, ...options })
}
