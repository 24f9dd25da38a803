import { join } from 'node:path'
import { ROOT } from '../setup.mjs'
import { type Child, startNode } from './children.ts'
import { answers } from './net.ts'
import { openRotatingLog } from './rotatingLog.ts'

const MAIN = join(ROOT, 'server', 'src', 'main.ts')
/** pino's level for warnings, which also go to the terminal. */
const WARNING = 40

export interface ServerProcess {
  readonly child: Child
  /** The address it answers at; null if the process ends first, which by then has printed why. */
  readonly url: Promise<string | null>
}

/** Starts the server as a process. Its log goes to `logFile`, and warnings also to the terminal. */
export function startServer(options: {
  logFile: string
  env: Readonly<Record<string, string>>
  nodeOptions?: readonly string[]
}): ServerProcess {
  const log = openRotatingLog(options.logFile)
  const ready = Promise.withResolvers<string | null>()
  const child = startNode({
    args: [...(options.nodeOptions ?? []), MAIN],
    env: options.env,
    onLine: (line, from) => {
      log.write(line)
      const url = /^Ready: (http\S+)/.exec(line)?.[1]
      if (url) ready.resolve(url)
      else if (from === 'stderr' || levelOf(line) >= WARNING) console.error(line)
    },
  })
  void child.ended.then(() => {
    log.close()
    ready.resolve(null)
  })
  const url = ready.promise.then(async (url) =>
    url !== null && (await answers(`${url}/healthz`, () => child.ending() !== undefined)) ? url : null,
  )
  return { child, url }
}

function levelOf(line: string): number {
  const level = /^\{"level":(\d+)/.exec(line)?.[1]
  return level === undefined ? 0 : Number(level)
}
