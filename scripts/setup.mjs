// Plain JavaScript without dependencies, because it runs on the machine's own Node before anything is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lib/lock.mjs'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MODULES = join(ROOT, 'node_modules')
const STAMP = join(MODULES, '.garba-set-up')
const WINDOWS = process.platform === 'win32'
const OLDEST_NODE = 20
const WANTED_NODE = 24

/** A failure whose message is for the person at the terminal, printed without a stack. */
export class SetUpError extends Error {
  name = 'SetUpError'
}

/** Node 24 from the npm package. */
export const nodeBinary = () =>
  WINDOWS ? join(MODULES, 'node', 'bin', 'node.exe') : join(MODULES, 'node', 'bin', 'node')

/** For `node --import`: the module that makes our programs start quickly. */
export const QUICK_START = new URL('./lib/quickStart.mjs', import.meta.url).href

/** NODE_OPTIONS by which all that a program starts begins quickly too, beside those of the person at the terminal. */
export const quickOptions = () => [process.env.NODE_OPTIONS, `--import=${QUICK_START}`].filter(Boolean).join(' ')

/**
 * Installs the packages and Node 24 unless the stamp shows that they are installed from this lock file. Throws SetUpError
 * with what to do.
 */
export async function setUp() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < OLDEST_NODE) {
    throw new SetUpError(
      `This needs Node ${OLDEST_NODE} or newer to begin with; this is Node ${process.versions.node}.`,
    )
  }
  if (isSetUp()) return
  await withLock({
    path: join(ROOT, '.cache', 'set-up.lock'),
    onWait: () => console.log('Another set-up is running; waiting for it.'),
    work: async () => {
      if (isSetUp()) return
      if (!isInstalled()) await install()
      if (!(await isWantedNode())) await installNode()
      writeFileSync(STAMP, fingerprint())
    },
  })
}

/** Whether set-up is complete for this lock file on this kind of machine. */
export function isSetUp() {
  return existsSync(STAMP) && existsSync(nodeBinary()) && readFileSync(STAMP, 'utf8') === fingerprint()
}

function fingerprint() {
  const lock = readFileSync(join(ROOT, 'package-lock.json'))
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`
}

/** Goes by npm's own record of what it installed, so a manual npm ci counts too. */
function isInstalled() {
  const record = join(MODULES, '.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
  const found = JSON.parse(readFileSync(record, 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') || entry.link || entry.optional || entry.devOptional) return true
    return found[path]?.version === entry.version && existsSync(join(ROOT, path))
  })
}

async function install() {
  rmSync(STAMP, { force: true })
  await step('Installing the packages (npm ci)', {
    run: () => npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']),
    advice:
      'Is the npm registry reachable from here (try: npm ping)? Behind a proxy, set it with `npm config set proxy URL`. ' +
      'Then run the same command again; it replaces a half-finished installation.',
  })
}

async function installNode() {
  await step(`Installing Node ${WANTED_NODE} (from the npm registry)`, {
    run: () => npm(['rebuild', 'node', '--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error']),
    advice: `If the npm registry is not reachable, install Node ${WANTED_NODE} yourself, then run the same command again.`,
  })
  if (!(await isWantedNode())) {
    throw new SetUpError(`Node ${WANTED_NODE} was installed but does not run on this machine (${nodeBinary()}).`)
  }
}

async function isWantedNode() {
  if (!existsSync(nodeBinary())) return false
  const { code, output } = await run(nodeBinary(), ['--version'])
  return code === 0 && output.startsWith(`v${WANTED_NODE}.`)
}

/** Prints one line per step, with its duration. */
async function step(title, { run, advice }) {
  const from = Date.now()
  console.log(`${title} ...`)
  const { code, output } = await run()
  const seconds = ((Date.now() - from) / 1000).toFixed(1)
  if (code === 0) return console.log(`  done in ${seconds} s`)
  const tail = output.trim().split('\n').slice(-15).join('\n')
  throw new SetUpError(`${title} failed after ${seconds} s:\n\n${tail}\n\n${advice}`)
}

/**
 * The npm that started us, if any, to keep its version and settings, on the Node that runs it. Ours may be the one in
 * node_modules, which `npm ci` removes.
 */
function npm(args) {
  const { npm_execpath: cli, npm_node_execpath: node = process.execPath } = process.env
  return cli?.endsWith('.js') ? run(node, [cli, ...args]) : run(WINDOWS ? 'npm.cmd' : 'npm', args)
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, shell: WINDOWS && command.endsWith('.cmd') })
    let output = ''
    child.stdout.on('data', (data) => {
      output += data
    })
    child.stderr.on('data', (data) => {
      output += data
    })
    child.on('error', (error) => resolve({ code: 1, output: `${command}: ${error.message}` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
