// Plain JavaScript, because the set-up uses it on the machine's own Node.
import { readFileSync } from 'node:fs'

const CHECK_MS = 500
const FAR = 4

/**
 * Ends this process when its parent is gone, however the parent ended, so that even after a SIGKILL nothing keeps the
 * port in use.
 */
export const holdLeash = () => watch([process.ppid])

/**
 * Does the same for a command that npm runs. A shell between npm and this process survives a killed npm, so on Linux,
 * which exposes the process tree, all ancestors up to npm are watched. The returned function ends the watch.
 */
export function holdLeashToNpm() {
  return process.env.npm_lifecycle_event ? watch(lineToNpm()) : () => undefined
}

function watch(line) {
  const timer = setInterval(() => {
    if (line.every((pid, index) => parentOf(line[index - 1]) === pid)) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Every ancestor up to a nearby npm, or only the parent if there is none. */
function lineToNpm() {
  const line = []
  for (let pid = parentOf(undefined); pid !== undefined && pid > 1 && line.length < FAR; pid = parentOf(pid)) {
    line.push(pid)
    if (/(^|[/\\])npm(-cli\.js)?\b/.test(proc(pid, 'cmdline'))) return line
  }
  return [process.ppid]
}

/** The parent of a process; without an id, of this process. */
function parentOf(pid) {
  if (pid === undefined) return process.ppid
  // The name in parentheses may contain anything. State and parent follow the last parenthesis.
  const found = /\) \S (\d+) [^)]*$/.exec(proc(pid, 'stat'))?.[1]
  return found === undefined ? undefined : Number(found)
}

function proc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').join(' ')
  } catch (error) {
    // The process is gone, or this system has no /proc.
    if (error instanceof Error) return ''
    throw error
  }
}
