import { setTimeout as sleep } from 'node:timers/promises'
import { openApp } from './app.ts'
import { BadSetting, type Settings } from './config.ts'
import { closeServer, PortUnusable, startListening } from './listen.ts'
import { type Log, makeLog } from './log.ts'
import { oddSettings } from './settings/oddSettings.ts'
import { FolderInUse, type HeldFolder, holdFolder } from './store/engine/folder.ts'
import { openDatabase } from './store/engine/open.ts'
import { StoreUnavailable } from './store/engine/store.ts'
import { StoreUnusable } from './store/engine/unusable.ts'
import { asTyped } from './version.ts'

const STOP_PATIENCE_MS = 10_000

export interface RunningServer {
  url: string
  port: number
  /**
   * Finishes requests and jobs in progress, ends live views, checkpoints the write-ahead log and closes the database.
   */
  stop: () => Promise<void>
}

/** Opens the store, creates the app and starts listening. Rejects with FolderInUse, StoreUnusable or PortUnusable. */
export async function startApp(settings: Settings, log: Log = makeLog(settings)): Promise<RunningServer> {
  // Several servers may share a PostgreSQL database, which needs no lock on a folder.
  const held = settings.databaseUrl === null ? holdFolder(settings.databaseFile) : null
  try {
    return await startHere(settings, { log, held })
  } catch (error) {
    held?.release()
    throw error
  }
}

async function startHere(
  settings: Settings,
  { log, held }: { log: Log; held: HeldFolder | null },
): Promise<RunningServer> {
  const store = await openDatabase(settings)
  const stopping = new AbortController()
  let { port } = settings
  const publicUrl = () => settings.publicUrl ?? `http://localhost:${port}`
  try {
    const {
      app,
      idle,
      listening: begin,
    } = await openApp({ store, settings, publicUrl, log, stopping: stopping.signal })
    const listening = await startListening(app, settings)
    const { server } = listening
    port = listening.port
    const url = urlHere({ host: settings.host, port })
    held?.at(url)
    log.info({ port, demo: settings.demo }, 'listening')
    begin()
    return {
      port,
      url,
      stop: async () => {
        log.info({}, 'stopping')
        stopping.abort()
        const patience = sleep(STOP_PATIENCE_MS, undefined, { ref: false })
        await Promise.all([closeServer(server, STOP_PATIENCE_MS), Promise.race([idle(), patience])])
        await store.close()
        held?.release()
        log.info({}, 'stopped')
      },
    }
  } catch (error) {
    stopping.abort()
    await store.close()
    throw error instanceof StoreUnavailable ? unusable(error, settings) : error
  }
}

function urlHere({ host, port }: { host: string; port: number }): string {
  if (['localhost', '127.0.0.1', '0.0.0.0', '::'].includes(host)) return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** At the start, a temporary failure is reported like a permanent one. */
const unusable = (error: StoreUnavailable, { databaseUrl, databaseFile }: Settings): StoreUnusable =>
  databaseUrl === null ? StoreUnusable.from(error, databaseFile) : StoreUnusable.fromPostgres(error, databaseUrl)

/**
 * Runs the server as a process: reports when it is ready and stops on SIGTERM. Exits with 1 and the reason if it cannot
 * start.
 */
export async function runServerProcess({ load, read }: { load: () => void; read: () => Settings }): Promise<void> {
  // Files this process creates are readable only by their owner.
  process.umask(0o077)
  try {
    load()
    for (const sentence of oddSettings()) console.error(sentence)
    const server = await startApp(read())
    let isStopping = false
    const stop = () => {
      if (isStopping) return
      isStopping = true
      void server.stop().then(() => process.exit(0))
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
    console.log(`Ready: ${server.url}`)
  } catch (error) {
    const known =
      error instanceof BadSetting ||
      error instanceof StoreUnusable ||
      error instanceof PortUnusable ||
      error instanceof FolderInUse
    console.error(known ? asTyped(error.message) : error)
    process.exit(1)
  }
}
