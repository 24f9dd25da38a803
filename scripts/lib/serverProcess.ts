import { join } from 'node:path'
import { ROOT, SetUpError } from '../setup.mjs'
import { type Child, startNode } from './children.ts'
import { answers } from './net.ts'
import { openRotatingLog } from './rotatingLog.ts'

const MAIN = join(ROOT, 'server', 'src', 'main.ts')
/** pino's level for warnings, which also go to the terminal. */
const WARNING = 40

export interface ServerProcess {
  readonly child: Child
  /** The address it answers at. Rejects with SetUpError if the process ends first. */
  readonly url: Promise<string>
}

/** Starts the server as a process. Its log goes to `logFile`, and warnings also to the terminal. */
export function startServer(options: {
  logFile: string
  env: Readonly<Record<string, string>>
  nodeOptions?: readonly string[]
}): ServerProcess {
  const log = openRotatingLog(options.logFile)
  const ready = Promise.withResolvers<string>()
  const last: string[] = []
  const child = startNode({
    args: [...(options.nodeOptions ?? []), MAIN],
    env: options.env,
    onLine: (line, from) => {
      log.write(line)
      last.push(line)
      last.splice(0, last.length - 15)
      const url = /^Ready: (http\S+)/.exec(line)?.[1]
      if (url) ready.resolve(url)
      else if (from === 'stderr' || levelOf(line) >= WARNING) console.error(line)
    },
  })
  void child.ended.then(({ code, signal }) => {
    log.close()
    ready.reject(new SetUpError(`The server ended while starting (${signal ?? `exit code ${code}`}).`))
  })
  const url = ready.promise.then(async (url) => {
    if (await answers(`${url}/healthz`, () => child.ending() !== undefined)) return url
    throw new SetUpError('The server ended before it answered.')
  })
  url.catch(() => undefined)
  return { child, url }
}

function levelOf(line: string): number {
  const level = /^\{"level":(\d+)/.exec(line)?.[1]
  return level === undefined ? 0 : Number(level)
}
