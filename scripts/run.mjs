// node scripts/run.mjs COMMAND ARGUMENTS: sets up on the machine's own Node, then runs the command on Node 24.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isSetUp, nodeBinary, QUICK_START, ROOT, SetUpError, setUp } from './setup.mjs'

const COMMANDS = [
  ...['start', 'test', 'dev', 'serve', 'build', 'seed', 'bench', 'storm', 'migration', 'backup', 'restore', 'bundle'],
  ...['doctor', 'drill', 'takeover', 'host', 'keys', 'pair', 'rehearse', 'move', 'screens', 'engines', 'clients'],
]

/** Only `serve` installs nothing (DECISIONS 1); it runs what is there. */
async function prepare(name) {
  if (name !== 'serve') return setUp()
  if (!isSetUp()) throw new SetUpError('Nothing is installed here yet. Run `npm start` or `npm run build` once first.')
}

function say(error) {
  console.error(error instanceof SetUpError ? error.message : error)
  process.exitCode = 1
}

/** Signals go to the command, which stops by itself. We exit with its exit code. */
function handOver(file, args) {
  const child = spawn(nodeBinary(), ['--import', QUICK_START, file, ...args], {
    cwd: ROOT,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', say)
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGKILL' ? 137 : 1)
  })
}

const [name = '', ...args] = process.argv.slice(2)
if (COMMANDS.includes(name)) {
  const file = join(ROOT, 'scripts', `${name}.ts`)
  try {
    await prepare(name)
    if (process.versions.node.startsWith('24.')) {
      process.argv = [process.argv[0], file, ...args]
      process.chdir(ROOT)
      await import(QUICK_START)
      await import(pathToFileURL(file).href)
    } else handOver(file, args)
  } catch (error) {
    say(error)
  }
} else {
  say(new SetUpError(`Commands: ${COMMANDS.join(', ')}`))
}
