// node scripts/run.mjs COMMAND ARGUMENTS: sets up on the machine's own Node, then runs the command on Node 24.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { COMMAND_NAMES, needsTools, parseArguments, usageOf } from './lib/commands.mjs'
import { isSetUp, nodeBinary, QUICK_START, ROOT, SetUpError, setUp } from './setup.mjs'

/** Only `serve` installs nothing; it runs what is there. */
async function prepare(name, args) {
  if (name !== 'serve') return setUp({ tools: needsTools(name, args) })
  if (!isSetUp()) throw new SetUpError('Nothing is installed here yet. Run `npm start` or `npm run build` once first.')
}

function say(error) {
  console.error(error instanceof SetUpError ? error.message : error)
  process.exitCode = 1
}

/** Signals are passed to the command, which stops by itself. Its exit code becomes this process's. */
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

async function run(name, args) {
  const file = join(ROOT, 'scripts', `${name}.ts`)
  try {
    await prepare(name, args)
    if (process.versions.node.startsWith('24.')) {
      process.argv = [process.argv[0], file, ...args]
      process.chdir(ROOT)
      await import(QUICK_START)
      await import(pathToFileURL(file).href)
    } else handOver(file, args)
  } catch (error) {
    say(error)
  }
}

const [name = '', ...args] = process.argv.slice(2)
const usage = usageOf(name)
const parsed = usage === undefined ? 'wrong' : parseArguments(name, args)
if (parsed === 'help') console.log(usage)
else if (parsed === 'wrong') {
  console.error(usage ?? `Commands: ${COMMAND_NAMES.join(', ')}`)
  process.exitCode = 2
} else await run(name, args)
