// node tied.mjs COMMAND ARGUMENTS, in a process group of its own with a pipe as its input: the group ends when the pipe does,
// so that nothing goes on when the one who holds the pipe is gone, even after SIGKILL. Plain JavaScript for any Node.
import { spawn } from 'node:child_process'

const [command, ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
child.on('error', (error) => {
  console.error(`${command}: ${error.message}`)
  process.exit(1)
})
child.on('close', (code) => process.exit(code ?? 1))
process.stdin.on('close', () => process.kill(-process.pid, 'SIGKILL')).resume()
