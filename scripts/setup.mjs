// Plain JavaScript without dependencies, because it runs on the machine's own Node before anything is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { holdLeashToNpm } from './lib/leash.mjs'
import { withLock } from './lib/lock.mjs'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const STAMP = join(ROOT, 'node_modules', '.garba-set-up')
const WINDOWS = process.platform === 'win32'
/** The program that runs a command in its own process group and ends it when this process is gone. */
const TIED = fileURLToPath(new URL('./lib/tied.mjs', import.meta.url))
const OLDEST_NODE = 20
const WANTED_NODE = 24

/** The message is for the person at the terminal and is printed without a stack. */
export class SetUpError extends Error {
  name = 'SetUpError'
}

/** Node 24 from the npm package. */
export const nodeBinary = (root = ROOT) => join(root, 'node_modules', 'node', 'bin', WINDOWS ? 'node.exe' : 'node')

/** The module for `node --import` that makes programs start quickly. */
export const QUICK_START = new URL('./lib/quickStart.mjs', import.meta.url).href

/** NODE_OPTIONS that make child processes start quickly too, added to those of the person at the terminal. */
export const quickOptions = () => [process.env.NODE_OPTIONS, `--import=${QUICK_START}`].filter(Boolean).join(' ')

/**
 * Installs the packages and Node 24 unless the stamp shows that they are installed from this lock file. The tools of
 * tests and benchmarks come only with `tools`; once here, they stay until the lock file changes. Throws SetUpError with
 * what to do.
 */
export async function setUp({ tools = true } = {}) {
  const major = Number(process.versions.node.split('.')[0])
  if (major < OLDEST_NODE) {
    throw new SetUpError(
      `This needs Node ${OLDEST_NODE} or newer to begin with; this is Node ${process.versions.node}.`,
    )
  }
  if (isSetUp({ tools })) return
  const ignoreSignals = endOnSignals()
  try {
    await withLock({
      path: join(ROOT, '.cache', 'set-up.lock'),
      onWait: () => console.log('Another set-up is running; waiting for it.'),
      work: () => isSetUp({ tools }) || bringEverything(tools),
    })
  } finally {
    ignoreSignals()
  }
}

async function bringEverything(tools) {
  const needed = packagesFor({ tools })
  if (!isInstalled(ROOT, needed)) await installAside(needed)
  if (!(await isWantedNode(ROOT))) await installNode(ROOT)
  writeFileSync(STAMP, stampOf(tools))
  rmSync(ASIDE, { recursive: true, force: true })
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
export function isSetUp({ tools = false } = {}) {
  if (!existsSync(STAMP) || !existsSync(nodeBinary())) return false
  const stamp = readFileSync(STAMP, 'utf8')
  return stamp === stampOf(true) || (!tools && stamp === stampOf(false))
}

function stampOf(tools) {
  const lock = readFileSync(join(ROOT, 'package-lock.json'))
  const from = createHash('sha256').update(lock).update(JSON.stringify(PARTS)).digest('hex')
  return `${from} ${process.platform}-${process.arch}${tools ? ' with tools' : ''}\n`
}

/**
 * The dependencies that the app needs of each of these: of `firebase` for sign-in, of `firebase-tools` for the Auth
 * emulator, which gets empty modules in place of the others.
 */
export const PARTS = {
  firebase: ['@firebase/app', '@firebase/auth', '@firebase/util'],
  'firebase-tools': ['body-parser', 'cors', 'exegesis', 'exegesis-express', 'express', 'jsonwebtoken', 'lodash'],
}

const WORKSPACES = ['client', 'server', 'shared']
const manifestsOf = () =>
  Object.fromEntries(
    ['', ...WORKSPACES].flatMap((folder) => {
      const file = join(ROOT, folder, 'package.json')
      return existsSync(file) ? [[folder, JSON.parse(readFileSync(file, 'utf8'))]] : []
    }),
  )

/**
 * The lock file and the manifests, with only what a command needs: the large packages in PARTS only with the parts that
 * are used, and devDependencies only with `tools`. Everything keeps the version and checksum of the one lock file.
 */
export function packagesFor({ tools }) {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const manifests = manifestsOf()
  const { packages } = lock
  if (!tools)
    for (const [folder, manifest] of Object.entries(manifests)) {
      delete manifest.devDependencies
      delete packages[folder]?.devDependencies
    }
  for (const [name, parts] of Object.entries(PARTS)) {
    const entry = packages[`node_modules/${name}`]
    if (!entry) continue
    entry.dependencies = Object.fromEntries(Object.entries(entry.dependencies).filter(([part]) => parts.includes(part)))
    delete entry.optionalDependencies
  }
  const needed = neededBy(packages, Object.keys(manifests))
  for (const folder of WORKSPACES) {
    const link = `node_modules/@garba/${folder}`
    if (packages[link]) needed.add(link)
  }
  lock.packages = Object.fromEntries(Object.entries(packages).filter(([path]) => needed.has(path)))
  return { lock, manifests }
}

/**
 * The paths, among the lock file's packages, of everything that these folders depend on, directly or not, and of the
 * folders.
 */
export function neededBy(packages, folders) {
  const needed = new Set(folders)
  for (const path of needed) {
    const {
      dependencies,
      devDependencies,
      optionalDependencies,
      peerDependencies,
      peerDependenciesMeta,
      link,
      resolved,
    } = packages[path] ?? {}
    if (link) needed.add(resolved)
    // Only the workspaces have devDependencies here.
    const named = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies }
    for (const name of Object.keys(named)) {
      const at = peerDependenciesMeta?.[name]?.optional ? undefined : placeOf(packages, name, path)
      if (at !== undefined) needed.add(at)
    }
  }
  return needed
}

/** The name of a package in the lock file; its folder may have another. */
export const nameOf = (path, { name }) => name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Node looks for a package in node_modules beside the folder, then beside those above. Undefined if it is nowhere. */
function placeOf(packages, name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const at = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (at in packages) return at
    if (folder === '') return undefined
  }
}

/** Reads npm's own record of installed packages, so a manual npm ci counts too. */
function isInstalled(root, { lock }) {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const found = JSON.parse(readFileSync(record, 'utf8')).packages
  return Object.entries(lock.packages).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link || entry.optional || entry.devOptional) return true
    return found[path]?.version === entry.version && existsSync(join(root, path))
  })
}

const QUIETLY = ['--no-audit', '--no-fund', '--loglevel=error']
/**
 * The folder into which npm installs, so that a failed or interrupted installation changes nothing that is installed.
 */
const ASIDE = join(ROOT, '.cache', 'set-up')

/** Installs into a folder aside, then moves the packages into place. */
async function installAside(needed) {
  if (!isInstalled(ASIDE, needed)) {
    const registry = await npm(['config', 'get', 'registry']).done
    rmSync(ASIDE, { recursive: true, force: true })
    writeManifests(needed, registry.code === 0 ? registry.output.trim() : '')
    await install(needed)
  }
  if (!(await isWantedNode(ASIDE))) await installNode(ASIDE)
  // The root's packages come last, because npm's record of all of them is there.
  for (const folder of [...WORKSPACES, '']) moveIntoPlace(folder)
}

/** Writes the lock file and manifests to a folder, for an installation or for questions to npm about them. */
export function writeManifests({ lock, manifests }, registry = '', to = ASIDE) {
  for (const [folder, manifest] of Object.entries(manifests)) {
    mkdirSync(join(to, folder), { recursive: true })
    writeFileSync(join(to, folder, 'package.json'), JSON.stringify(manifest))
  }
  writeFileSync(join(to, 'package-lock.json'), JSON.stringify(withAddresses(lock, registry)))
  const settings = join(ROOT, '.npmrc')
  if (existsSync(settings)) writeFileSync(join(to, '.npmrc'), readFileSync(settings))
}

/**
 * Without addresses, npm first fetches a description of each package, which takes longer than the package. The lock
 * file has none, because they would name one registry. Registries and mirrors have the same paths.
 */
function withAddresses(lock, registry) {
  if (!/^https?:/.test(registry)) return lock
  const base = registry.replace(/\/*$/, '')
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return [path, entry]
    const name = nameOf(path, entry)
    return [path, { ...entry, resolved: `${base}/${name}/-/${name.split('/').pop()}-${entry.version}.tgz` }]
  })
  return { ...lock, packages: Object.fromEntries(packages) }
}

function moveIntoPlace(folder) {
  const [from, to] = [join(ASIDE, folder, 'node_modules'), join(ROOT, folder, 'node_modules')]
  const before = join(ASIDE, folder, 'before')
  try {
    if (existsSync(to)) renameSync(to, before)
    if (existsSync(from)) renameSync(from, to)
    rmSync(before, { recursive: true, force: true })
  } catch (error) {
    // A container may have node_modules on a disk of its own, which cannot be renamed.
    if (!['EBUSY', 'EXDEV'].includes(error.code)) throw error
    for (const name of readdirSync(to)) rmSync(join(to, name), { recursive: true, force: true })
    cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  }
}

async function install(needed) {
  const npmCi = (title) =>
    step(title, {
      args: ['ci', '--ignore-scripts', ...QUIETLY],
      cwd: ASIDE,
      progress: packagesThere(needed),
      advice:
        'Is the npm registry reachable from here (try: npm ping)? Behind a proxy, set it with `npm config set proxy URL`. ' +
        'Then run the same command again; it replaces a half-finished installation.',
    })
  try {
    await npmCi('Installing the packages (npm ci)')
  } catch (error) {
    if (!(error instanceof SetUpError) || error.isOffline) throw error
    // A registry may have its packages at other paths. Then npm must look up each of them, which is slower.
    writeManifests(needed)
    await npmCi('Installing the packages another way (npm ci)')
  }
}

async function installNode(root) {
  await step(`Installing Node ${WANTED_NODE} (from the npm registry)`, {
    args: ['rebuild', 'node', '--ignore-scripts=false', ...QUIETLY],
    cwd: root,
    progress: DOWNLOAD,
    advice: `If the npm registry is not reachable, install Node ${WANTED_NODE} yourself, then run the same command again.`,
  })
  if (!(await isWantedNode(root))) {
    throw new SetUpError(`Node ${WANTED_NODE} was installed but does not run on this machine (${nodeBinary(root)}).`)
  }
  // Nothing is compiled here, so Node's C headers are deleted with this folder. The binary stays, because it is also
  // linked elsewhere.
  rmSync(join(root, 'node_modules', 'node', 'node_modules'), { recursive: true, force: true })
}

function packagesThere({ lock }) {
  const paths = Object.keys(lock.packages).filter((path) => path.startsWith('node_modules/'))
  const count = () => paths.filter((path) => existsSync(join(ASIDE, path, 'package.json'))).length
  return { count, text: () => `${count()} of ${paths.length} packages` }
}

/** npm reports nothing about this one large file until it is there, so only an error shows that the network is gone. */
const DOWNLOAD = { count: () => Date.now(), text: () => 'still fetching it' }

async function isWantedNode(root) {
  if (!existsSync(nodeBinary(root))) return false
  const { code, output } = await run(nodeBinary(root), ['--version']).done
  return code === 0 && output.startsWith(`v${WANTED_NODE}.`)
}

const PROGRESS_MS = 5_000

/** Runs npm for one step. Prints a line when it begins, one every five seconds, and one with its duration. */
async function step(title, { args, cwd, progress, advice }) {
  const from = Date.now()
  const seconds = () => ((Date.now() - from) / 1000).toFixed(1)
  console.log(`${title} ...`)
  const ticking = setInterval(() => console.log(`  ${progress.text()}, ${seconds()} s`), PROGRESS_MS)
  const { code, output, missing } = await npmOrItsCache({ args, cwd, progress }).finally(() => clearInterval(ticking))
  if (code === 0) return console.log(`  done in ${seconds()} s`)
  if (missing !== undefined)
    throw Object.assign(
      new SetUpError(
        `${title} failed: the npm registry does not answer, and npm's cache on this machine lacks ${missing}.\n` +
          'Connect this machine to the internet, or set a proxy with `npm config set proxy URL`, and run the same command again.',
      ),
      { isOffline: true },
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
async function npmOrItsCache({ args, cwd, progress }) {
  const first = npm(args, cwd)
  let isDone = false
  const done = first.done.then(() => {
    isDone = true
  })
  const outcome = sleep(ASK_AFTER_MS).then(() => isDone || whenRegistryIsGone(progress))
  if ((await Promise.race([done, outcome])) !== 'gone') return first.done
  first.end()
  await first.done
  const { code, output } = await npm([...args, '--offline'], cwd).done
  return code === 0 ? { code, output } : { code, output, missing: missingIn(output) }
}

/**
 * An error proves that the registry is gone. On a slow line or machine, silence does not, unless no data arrives
 * meanwhile.
 */
async function whenRegistryIsGone({ count }) {
  for (let silent = 0; silent < 2; ) {
    const before = count()
    const ping = npm(['ping', '--fetch-retries=0', `--fetch-timeout=${ANSWER_MS}`])
    const answer = await Promise.race([ping.done, sleep(ANSWER_MS).then(() => null)])
    ping.end()
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
 * Uses the npm that started this process, if any, to keep its version and settings, on the Node that runs it. The Node
 * of this process may be the one in node_modules, which `npm ci` removes.
 */
export function npm(args, cwd = ROOT) {
  const { npm_execpath: cli, npm_node_execpath: node = process.execPath } = process.env
  return cli?.endsWith('.js') ? run(node, [cli, ...args], cwd) : run(WINDOWS ? 'npm.cmd' : 'npm', args, cwd)
}

/** Starts a command that ends with this process, however it ends, or by `end`; `done` resolves with its output. */
function run(command, args, cwd = ROOT) {
  const options = { cwd, shell: WINDOWS && command.endsWith('.cmd') }
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
