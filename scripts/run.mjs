// node scripts/run.mjs COMMAND ARGUMENTS: sets up on the machine's own Node, then runs the command on Node 24.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isSetUp, nodeBinary, ROOT, SetUpError, setUp } from './setup.mjs'

/** Only `serve` installs nothing (DECISIONS 1); it runs what is there. */
const COMMANDS = {
  start: { file: 'start.ts' },
  test: { file: 'test.ts' },
  dev: { file: 'dev.ts' },
  serve: { file: 'serve.ts', bare: true },
  build: { file: 'build.ts' },
  seed: { file: 'seed.ts' },
  bench: { file: 'bench.ts' },
  storm: { file: 'storm.ts' },
  migration: { file: 'migration.ts' },
  backup: { file: 'backup.ts' },
  restore: { file: 'restore.ts' },
  bundle: { file: 'bundle.ts' },
  doctor: { file: 'doctor.ts' },
  drill: { file: 'drill.ts' },
  host: { file: 'host.ts' },
  keys: { file: 'keys.ts' },
  pair: { file: 'pair.ts' },
  move: { file: 'move.ts' },
  screens: { file: 'screens.ts' },
  engines: { file: 'engines.ts' },
}

async function prepare(command) {
  if (!command.bare) return setUp()
  if (!isSetUp()) throw new SetUpError('Nothing is installed here yet. Run `npm start` or `npm run build` once first.')
}

function say(error) {
  console.error(error instanceof SetUpError ? error.message : error)
  process.exitCode = 1
}

/** Signals go to the command, which stops by itself. We exit with its exit code. */
function handOver(file, args) {
  const child = spawn(nodeBinary(), [file, ...args], { cwd: ROOT, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', say)
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGKILL' ? 137 : 1)
  })
}

const [name, ...args] = process.argv.slice(2)
const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined
if (command) {
  const file = join(ROOT, 'scripts', command.file)
  try {
    await prepare(command)
    if (process.versions.node.startsWith('24.')) {
      process.argv = [process.argv[0], file, ...args]
      process.chdir(ROOT)
      await import(pathToFileURL(file).href)
    } else handOver(file, args)
  } catch (error) {
    say(error)
  }
} else {
  say(new SetUpError(`Commands: ${Object.keys(COMMANDS).join(', ')}`))
}
