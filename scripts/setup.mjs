// Plain JavaScript without dependencies, because it runs on the machine's own Node before anything is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { holdLeashToNpm } from './lib/leash.mjs'
import { withLock } from './lib/lock.mjs'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MODULES = join(ROOT, 'node_modules')
const STAMP = join(MODULES, '.garba-set-up')
const WINDOWS = process.platform === 'win32'
/** Runs a command in a process group of its own, which it ends when we are gone. */
const TIED = fileURLToPath(new URL('./lib/tied.mjs', import.meta.url))
const OLDEST_NODE = 20
const WANTED_NODE = 24

/** The message is for the person at the terminal and is printed without a stack. */
export class SetUpError extends Error {
  name = 'SetUpError'
}

/** Node 24 from the npm package. */
export const nodeBinary = () =>
  WINDOWS ? join(MODULES, 'node', 'bin', 'node.exe') : join(MODULES, 'node', 'bin', 'node')

/** `node --import` loads this module, which makes our programs start quickly. */
export const QUICK_START = new URL('./lib/quickStart.mjs', import.meta.url).href

/** NODE_OPTIONS that make child processes start quickly too, added to those of the person at the terminal. */
export const quickOptions = () => [process.env.NODE_OPTIONS, `--import=${QUICK_START}`].filter(Boolean).join(' ')

/**
 * Installs the packages and Node 24 unless the stamp shows that they are installed from this lock file. Throws
 * SetUpError with what to do.
 */
export async function setUp() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < OLDEST_NODE) {
    throw new SetUpError(
      `This needs Node ${OLDEST_NODE} or newer to begin with; this is Node ${process.versions.node}.`,
    )
  }
  if (isSetUp()) return
  const ignoreSignals = endOnSignals()
  try {
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
  } finally {
    ignoreSignals()
  }
}

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/** Exits at once on a signal, or when the npm that started this process ends, until the returned function is called. */
function endOnSignals() {
  const end = (signal) => {
    console.error('Stopped. Run the same command again to go on.')
    process.exit(SIGNALS[signal])
  }
  for (const signal of Object.keys(SIGNALS)) process.on(signal, end)
  const slack = holdLeashToNpm()
  return () => {
    for (const signal of Object.keys(SIGNALS)) process.off(signal, end)
    slack()
  }
}

/** Whether set-up is complete for this lock file on this kind of machine. */
export function isSetUp() {
  return existsSync(STAMP) && existsSync(nodeBinary()) && readFileSync(STAMP, 'utf8') === fingerprint()
}

function fingerprint() {
  const lock = readFileSync(join(ROOT, 'package-lock.json'))
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`
}

/** Reads npm's own record of installed packages, so a manual npm ci counts too. */
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

const QUIETLY = ['--no-audit', '--no-fund', '--loglevel=error']

async function install() {
  rmSync(STAMP, { force: true })
  await step('Installing the packages (npm ci)', {
    args: ['ci', '--ignore-scripts', ...QUIETLY],
    progress: packagesThere(),
    advice:
      'Is the npm registry reachable from here (try: npm ping)? Behind a proxy, set it with `npm config set proxy URL`. ' +
      'Then run the same command again; it replaces a half-finished installation.',
  })
}

async function installNode() {
  await step(`Installing Node ${WANTED_NODE} (from the npm registry)`, {
    args: ['rebuild', 'node', '--ignore-scripts=false', ...QUIETLY],
    progress: DOWNLOAD,
    advice: `If the npm registry is not reachable, install Node ${WANTED_NODE} yourself, then run the same command again.`,
  })
  if (!(await isWantedNode())) {
    throw new SetUpError(`Node ${WANTED_NODE} was installed but does not run on this machine (${nodeBinary()}).`)
  }
}

/** Counts the packages that are in place. */
function packagesThere() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const wanted = Object.keys(packages).filter((path) => path.startsWith('node_modules/'))
  const count = () => wanted.filter((path) => existsSync(join(ROOT, path))).length
  return { count, text: () => `${count()} of ${wanted.length} packages` }
}

/** npm reports nothing about this one large file until it is there, so only an error shows that the network is gone. */
const DOWNLOAD = { count: () => Date.now(), text: () => 'still fetching it' }

async function isWantedNode() {
  if (!existsSync(nodeBinary())) return false
  const { code, output } = await run(nodeBinary(), ['--version']).done
  return code === 0 && output.startsWith(`v${WANTED_NODE}.`)
}

const PROGRESS_MS = 5_000

/** Runs npm for one step. Prints a line when it begins, one every five seconds, and one with its duration. */
async function step(title, { args, progress, advice }) {
  const from = Date.now()
  const seconds = () => ((Date.now() - from) / 1000).toFixed(1)
  console.log(`${title} ...`)
  const ticking = setInterval(() => console.log(`  ${progress.text()}, ${seconds()} s`), PROGRESS_MS)
  const { code, output, missing } = await npmOrItsCache(args, progress).finally(() => clearInterval(ticking))
  if (code === 0) return console.log(`  done in ${seconds()} s`)
  if (missing !== undefined)
    throw new SetUpError(
      `${title} failed: the npm registry does not answer, and npm's cache on this machine lacks ${missing}.\n` +
        'Connect this machine to the internet, or set a proxy with `npm config set proxy URL`, and run the same command again.',
    )
  const tail = output.trim().split('\n').slice(-15).join('\n')
  throw new SetUpError(`${title} failed after ${seconds()} s:\n\n${tail}\n\n${advice}`)
}

const ASK_AFTER_MS = 3_000
const ANSWER_MS = 8_000
const NO_NETWORK = /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH/

/**
 * Without a network npm retries for minutes. So the registry is asked while npm works; if it does not answer, npm runs
 * again from its cache only, which has everything or reports at once what it lacks.
 */
async function npmOrItsCache(args, progress) {
  const first = npm(args)
  let isDone = false
  const done = first.done.then(() => {
    isDone = true
  })
  const gone = sleep(ASK_AFTER_MS).then(() => isDone || whenRegistryIsGone(progress))
  if ((await Promise.race([done, gone])) !== 'gone') return first.done
  first.end()
  await first.done
  const { code, output } = await npm([...args, '--offline']).done
  return code === 0 ? { code, output } : { code, output, missing: missingIn(output) }
}

/** An error is proof that it is gone. Silence is not, on a slow line or machine, unless no data arrives meanwhile. */
async function whenRegistryIsGone({ count }) {
  for (let silent = 0; silent < 2; ) {
    const before = count()
    const asked = npm(['ping', '--fetch-retries=0', `--fetch-timeout=${ANSWER_MS}`])
    const answer = await Promise.race([asked.done, sleep(ANSWER_MS).then(() => null)])
    asked.end()
    if (answer !== null) return answer.code !== 0 && NO_NETWORK.test(answer.output) ? 'gone' : 'there'
    silent = count() > before ? 0 : silent + 1
  }
  return 'gone'
}

/** The package that npm named as missing, such as "vite 8.0.1", or "some packages". */
function missingIn(output) {
  const [, name, version] = /\/((?:@[^/]+\/)?[^/]+)\/-\/[^/]+-(\d[^/]*)\.tgz/.exec(output) ?? []
  return name === undefined ? 'some packages' : `${decodeURIComponent(name)} ${version}, if not more`
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref())

/**
 * Uses the npm that started us, if any, to keep its version and settings, on the Node that runs it. Our own Node may be
 * the one in node_modules, which `npm ci` removes.
 */
function npm(args) {
  const { npm_execpath: cli, npm_node_execpath: node = process.execPath } = process.env
  return cli?.endsWith('.js') ? run(node, [cli, ...args]) : run(WINDOWS ? 'npm.cmd' : 'npm', args)
}

/** Starts a command that ends when we end, in any way, or by `end`; `done` resolves with its output. */
function run(command, args) {
  const options = { cwd: ROOT, shell: WINDOWS && command.endsWith('.cmd') }
  const child = WINDOWS
    ? spawn(command, args, options)
    : spawn(process.execPath, [TIED, command, ...args], { ...options, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data
    })
  const done = new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, output: `${command}: ${error.message}` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
  return { done, end: () => (WINDOWS ? child.kill() : child.stdin.destroy()) }
}
