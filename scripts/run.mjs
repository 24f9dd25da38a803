// node scripts/run.mjs COMMAND ARGUMENTS: sets up on the machine's own Node, then runs the command on Node 24.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { COMMAND_NAMES, findScript, findUsage, needsTools, parseArguments } from './lib/commands.mjs'
import { compileCache, isSetUp, nodeBinary, ROOT, SERVER_FLAGS, SetUpError, setUp } from './setup.mjs'

/** Only `serve` installs nothing; it runs what is there. */
function prepare(name) {
  if (name !== 'serve') return setUp({ tools: needsTools(name) })
  if (!isSetUp()) throw new SetUpError('Nothing is installed here yet. Run `npm start` or `npm run build` once first.')
}

/** Signals are passed to the command, which stops by itself. Its exit code becomes this process's. */
async function run(name, args) {
  prepare(name)
  // npm passes no SIGKILL on.
  if (process.env.npm_lifecycle_event) await import('./lib/endWithParent.mjs')
  const child = spawn(
    nodeBinary(),
    [...(name === 'serve' ? SERVER_FLAGS : []), join(ROOT, findScript(name)), ...args],
    {
      cwd: ROOT,
      env: { ...process.env, ...compileCache() },
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    },
  )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', say)
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGKILL' ? 137 : 1)
  })
}

function say(error) {
  console.error(error instanceof SetUpError ? error.message : error)
  process.exitCode = 1
}

const [name = '', ...args] = process.argv.slice(2)
const usage = findUsage(name)
const parsed = usage === undefined ? 'wrong' : parseArguments(name, args)
if (parsed === 'help') console.log(usage)
else if (parsed === 'wrong') {
  console.error(usage ?? `Commands: ${COMMAND_NAMES.join(', ')}`)
  process.exitCode = 2
} else
  try {
    await run(name, args)
  } catch (error) {
    say(error)
  }
