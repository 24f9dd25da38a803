// node tied.mjs COMMAND ARGUMENTS runs in its own process group with a pipe as its input. The group ends with the pipe,
// so nothing goes on after the process that holds the pipe has ended, even by SIGKILL. Plain JavaScript for any Node.
import { spawn } from 'node:child_process'

const [command, ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
child.on('error', (error) => {
  console.error(`${command}: ${error.message}`)
  process.exit(1)
})
child.on('close', (code) => process.exit(code ?? 1))
process.stdin.on('close', () => process.kill(-process.pid, 'SIGKILL')).resume()
