import { readFileSync } from 'node:fs'

const CHECK_MS = 500
const FAR = 4

/**
 * Ends this process when the one that started it is gone, however that ended: after a SIGKILL nothing is left behind
 * holding the port.
 */
export const holdLeash = (): void => watch([process.ppid])

/**
 * The same for a command of npm: between npm and us is a shell that outlives a killed npm, so on Linux, where it can be
 * seen, the line up to npm is watched as a whole.
 */
export function holdLeashToNpm(): void {
  if (process.env.npm_lifecycle_event) watch(lineToNpm())
}

function watch(line: readonly number[]): void {
  const timer = setInterval(() => {
    if (line.every((pid, index) => parentOf(line[index - 1]) === pid)) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, CHECK_MS)
  timer.unref()
}

/** The parent alone, or every ancestor up to an npm that is near. */
function lineToNpm(): number[] {
  const line: number[] = []
  for (let pid = parentOf(undefined); pid !== undefined && pid > 1 && line.length < FAR; pid = parentOf(pid)) {
    line.push(pid)
    if (/(^|[/\\])npm(-cli\.js)?\b/.test(proc(pid, 'cmdline'))) return line
  }
  return [process.ppid]
}

/** Of this process when no id is given. */
function parentOf(pid: number | undefined): number | undefined {
  if (pid === undefined) return process.ppid
  // The name in brackets may hold anything; state and parent follow the last of them.
  const found = /\) \S (\d+) [^)]*$/.exec(proc(pid, 'stat'))?.[1]
  return found === undefined ? undefined : Number(found)
}

function proc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').join(' ')
  } catch (error) {
    // Gone, or no such thing on this system.
    if (error instanceof Error) return ''
    throw error
  }
}
